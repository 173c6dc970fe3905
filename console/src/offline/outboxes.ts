/** The outbox of a person in this browser: its calls, its storage, and the messages between its tabs. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useCallback, useSyncExternalStore } from "react";
import { CallError, type CallErrorCode, call } from "#kit/api.ts";
import { callWithKey } from "#kit/keyed-call.ts";
import { moveStorage } from "./local-database.ts";
import type { MoveListState } from "./move-list.ts";
import { createOutbox, type Outbox, type OutboxEvent } from "./outbox.ts";
import type { QueuedMove } from "./queued-moves.ts";

/** A connection that takes everything and answers nothing must not hold up the queue. The key makes the repetition safe. */
const ANSWER_MS_MAX = 10_000;

type ToldRefusal = { code: CallErrorCode; message: string; status: number; details: Record<string, unknown> };
/** A message of a tab to the others. They show it as if they had sent the move. */
type TabMessage =
  | { kind: "changed" }
  | { kind: "sent"; move: QueuedMove; order: BoardOrder }
  | { kind: "refused"; move: QueuedMove; laterMoves: number; refusal: ToldRefusal };

type OpenOutbox = { outbox: Outbox; listeners: Set<(event: OutboxEvent) => void>; close(): void };

const outboxes = new Map<number, OpenOutbox>();

const send = async ({ key, venue, orderId, seenStatus, status }: QueuedMove): Promise<BoardOrder> =>
  (
    await callWithKey("moveBoardOrder", {
      params: { venue, order: orderId },
      idempotencyKey: key,
      waitMsMax: ANSWER_MS_MAX,
      body: { seen_status: seenStatus, status },
    })
  ).data;

const messageOf = (event: OutboxEvent): TabMessage | null => {
  if (event.kind === "sent") return event;
  if (event.kind !== "refused" || !(event.error instanceof CallError)) return null;
  const { code, message, status, details } = event.error;
  return { kind: "refused", move: event.move, laterMoves: event.laterMoves, refusal: { code, message, status, details } };
};

const eventOf = (told: Exclude<TabMessage, { kind: "changed" }>): OutboxEvent => {
  if (told.kind === "sent") return told;
  const { code, message, ...rest } = told.refusal;
  return { kind: "refused", move: told.move, laterMoves: told.laterMoves, error: new CallError(code, message, rest) };
};

/** Browsers without locks have one tab that sends, in practice: the keys still give one effect. */
const lockBy =
  (name: string) =>
  async <T>(run: () => Promise<T>): Promise<T> =>
    "locks" in navigator ? ((await navigator.locks.request(name, run)) as T) : run();

const openOutbox = (person: number): OpenOutbox => {
  const name = `comanda-moves-${person}`;
  const channel = new BroadcastChannel(name);
  const listeners = new Set<(event: OutboxEvent) => void>();
  const notify = (event: OutboxEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const outbox = createOutbox(person, {
    storage: moveStorage,
    send,
    readUserId: async () => (await call("readSession", { waitMsMax: ANSWER_MS_MAX })).data.person.id,
    withLock: lockBy(name),
    tell(event) {
      notify(event);
      const message = messageOf(event);
      if (message) channel.postMessage(message);
    },
    announce: () => channel.postMessage({ kind: "changed" } satisfies TabMessage),
  });
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === "changed") void outbox.refresh();
    else notify(eventOf(data));
  });
  const close = (): void => {
    outbox.stop();
    channel.postMessage({ kind: "changed" } satisfies TabMessage);
    channel.close();
  };
  return { outbox, listeners, close };
};

const opened = (person: number): OpenOutbox => {
  const known = outboxes.get(person) ?? openOutbox(person);
  outboxes.set(person, known);
  return known;
};

export const outboxOf = (person: number): Outbox => opened(person).outbox;

export const onOutboxEvent = (person: number, listener: (event: OutboxEvent) => void): (() => void) => {
  const { listeners } = opened(person);
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** After a sign-out: what is only in memory goes as well. */
export const closeOutboxes = (): void => {
  for (const { close } of outboxes.values()) close();
  outboxes.clear();
};

export const useMoveList = (person: number): MoveListState => {
  const outbox = outboxOf(person);
  const subscribe = useCallback((changed: () => void) => outbox.subscribe(changed), [outbox]);
  return useSyncExternalStore(subscribe, outbox.read);
};

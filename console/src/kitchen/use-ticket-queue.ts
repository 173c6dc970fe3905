/** The queue of this screen: its calls, its storage, and the state of its changes. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { callWithKey } from "#kit/keyed-call.ts";
import { changeStorage } from "./kitchen-database.ts";
import type { QueuedChange } from "./ticket-changes.ts";
import { createTicketQueue, type TicketQueue, type TicketQueueEvent } from "./ticket-queue.ts";

const ANSWER_MS_MAX = 10_000;

const send = async ({ key, ticketId, change, seen_state, line, struck_lines }: QueuedChange): Promise<KitchenTicket> =>
  (
    await callWithKey("changeTicket", {
      params: { id: ticketId },
      idempotencyKey: key,
      waitMsMax: ANSWER_MS_MAX,
      body: { change, seen_state, ...(line === undefined ? {} : { line }), ...(struck_lines === undefined ? {} : { struck_lines }) },
    })
  ).data;

/** Browsers without locks have one tab that sends, in practice: the keys still give one effect. */
const lockBy =
  (name: string) =>
  async <T>(run: () => Promise<T>): Promise<T> =>
    "locks" in navigator ? ((await navigator.locks.request(name, run)) as T) : run();

/** `isRead`: the service has named this screen since the page was loaded, so its cookie is the one of the waiting changes. */
export const useTicketQueue = (screenId: number, isRead: boolean, onEvent: (event: TicketQueueEvent) => void): TicketQueue => {
  const tell = useEffectEvent(onEvent);
  const [told] = useState(() => ({ listener: (_event: TicketQueueEvent): void => undefined }));
  const [queue] = useState(() =>
    createTicketQueue(screenId, {
      storage: changeStorage,
      send,
      withLock: lockBy(`comanda-kitchen-${screenId}`),
      tell: (event) => told.listener(event),
    }),
  );
  useEffect(() => {
    told.listener = (event) => tell(event);
    void queue.load();
    return () => queue.stop();
  }, [queue, told]);
  useEffect(() => {
    if (!isRead) return;
    const wake = (): void => void queue.wake();
    queue.start();
    window.addEventListener("online", wake);
    return () => {
      queue.stop();
      window.removeEventListener("online", wake);
    };
  }, [queue, isRead]);
  return queue;
};

export const useQueuedChanges = (queue: TicketQueue) => {
  const subscribe = useCallback((changed: () => void) => queue.subscribe(changed), [queue]);
  return useSyncExternalStore(subscribe, queue.read);
};

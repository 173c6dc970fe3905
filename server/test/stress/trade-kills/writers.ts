/**
 * People at the console and guests at a link, each with one kind of write: it is sent under one key until an answer states its result, and
 * its effects are noted by the name that the database has for them.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangedTickets } from "@comanda/contract/console/experiences.ts";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import type { PlannedShift, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { sendCall } from "../../support/raw-http.ts";

/** What the writers work on. */
export type TradeGround = {
  port: number;
  slug: string;
  cookie: string;
  orderId: string;
  sessionIds: number[];
  branchId: number;
  ingredientId: number;
  staffId: number;
  reviewLinks: { orderId: string; path: string }[];
};

export type TradeLog = {
  /** One for each effect of an acknowledged write. */
  expected: string[];
  acknowledged: number;
  /** Requests that wait for their answer. */
  open: number;
  /** Writes that were sent more than once because an answer was lost. */
  repeated: number;
  strange: string[];
};

export type TradeWriters = { log: TradeLog; finish(): Promise<void>; close(): void };

type SentForm = { status: number; text: string };
type SendUntilAnswered = (send: (key: string) => Promise<SentForm>, isAnswer: (status: number) => boolean) => Promise<string>;
type WriteCall = <T>(method: string, path: string, body?: object) => Promise<T>;
type Turn = (turn: number) => Promise<boolean>;

const AGAIN_AFTER_MS = 60;
const CARD_MINOR = 100;
const SEATS_A_SESSION = 900;
const WEEKS = 40;
const DAY_MS = 86_400_000;
/** A person may sell so many cards a minute, and waits then. */
const LIMITED_MS = 2000;
const isLimited = (status: number | undefined): boolean => status === 429;
/** Answers of a service that is not there, or has had enough for now. */
const isTemporary = (status: number): boolean => status === 503 || status === 502 || isLimited(status);

/** Repeats the call with its key until there is an answer that counts. Anything else is noted, and ends the writer. */
const untilAnswered = (log: TradeLog, isOpen: () => boolean): SendUntilAnswered => {
  return async (send, isAnswer) => {
    const key = randomUUID();
    let isLost = false;
    while (true) {
      if (!isOpen()) throw new Error("The writers are closed");
      log.open++;
      const answer = await send(key).catch(() => null);
      log.open--;
      isLost ||= answer === null;
      if (answer !== null && isAnswer(answer.status)) {
        if (isLost) log.repeated += 1;
        return answer.text;
      }
      const isInUse = answer?.status === 409 && answer.text.includes("idempotency_key_in_use");
      if (answer !== null && !isTemporary(answer.status) && !isInUse) {
        log.strange.push(`${answer.status} ${answer.text.slice(0, 300)}`);
        throw new Error(`An answer that nothing explains: ${answer.status}`);
      }
      await sleep(isLimited(answer?.status) ? LIMITED_MS : AGAIN_AFTER_MS);
    }
  };
};

/** Sold, and spent on an order. */
const giftCardTurn =
  (write: WriteCall, { orderId }: TradeGround, log: TradeLog): Turn =>
  async (turn) => {
    const code = drawGiftCardCode();
    const card = { code, amount_minor: CARD_MINOR, expires_on: null, guest_id: null, message: null, method: "cash" };
    const { id } = await write<{ id: number }>("POST", "/gift-cards", card);
    log.expected.push(`event giftcard.issued ${id}`, `card issue ${id}`);
    await write("POST", `/orders/${orderId}/gift-card-payments`, { code, amount_minor: 1, seen_paid_minor: turn });
    log.expected.push(`event giftcard.redeemed ${id}`, `card redeem ${id}`, `payment ${orderId}`);
    return true;
  };

const ticketTurn =
  (write: WriteCall, { sessionIds }: TradeGround, log: TradeLog): Turn =>
  async (turn) => {
    const session = sessionIds[Math.floor(turn / SEATS_A_SESSION)];
    if (session === undefined) return false;
    const contact = { tickets: 1, name: "Ada", phone: null, email: null };
    const { id, version } = await write<ChangedTickets>("POST", `/experience-sessions/${session}/bookings`, contact);
    await write("POST", `/experience-bookings/${id}/payments`, { seen_version: version, method: "cash" });
    log.expected.push(`event experience.booked ${id}`, `tickets paid ${id}`, `payment of tickets ${id}`);
    return true;
  };

/** Above par, and below it again: one event. */
const stockTurn =
  (write: WriteCall, { branchId: branch_id, ingredientId }: TradeGround, log: TradeLog): Turn =>
  async () => {
    const lines = [{ ingredient_id: ingredientId, quantity: 20 }];
    await write("POST", "/stock/deliveries", { branch_id, lines, reason: null });
    log.expected.push(`stock delivery ${ingredientId}`);
    await write("POST", "/stock/waste", { branch_id, lines, reason: "fell down" });
    log.expected.push(`stock waste ${ingredientId}`, `event stock.below_par ${ingredientId}`);
    return true;
  };

const shiftTurn =
  (write: WriteCall, { branchId: branch_id, staffId }: TradeGround, log: TradeLog): Turn =>
  async (turn) => {
    const date = new Date(Date.now() + (7 + 7 * (turn % WEEKS)) * DAY_MS).toISOString().slice(0, 10);
    const hour = String(Math.floor(turn / WEEKS) % 24).padStart(2, "0");
    const shift = { staff_id: staffId, date, from: `${hour}:00`, to: `${hour}:45`, role: null, note: null };
    const { id } = await write<PlannedShift>("POST", "/shifts", { branch_id, shift });
    log.expected.push(`shift ${id}`);
    const { version, week_start } = await write<ShiftWeek>("GET", `/shifts?week_start=${date}`);
    await write("POST", "/shift-weeks/publications", { branch_id, week_start, seen_version: version });
    log.expected.push(`event shift.published ${branch_id}:${week_start}`);
    return turn + 1 < WEEKS * 24;
  };

const reviewTurn =
  (post: (path: string) => Promise<unknown>, { reviewLinks }: TradeGround, log: TradeLog): Turn =>
  async (turn) => {
    const link = reviewLinks[turn];
    if (!link) return false;
    await post(link.path);
    log.expected.push(`event review.created ${link.orderId}`, `review ${link.orderId}`);
    return true;
  };

export const startTradeWriters = (ground: TradeGround): TradeWriters => {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const log: TradeLog = { expected: [], acknowledged: 0, open: 0, repeated: 0, strange: [] };
  let [isOver, isClosed] = [false, false];
  const send = untilAnswered(log, () => !isClosed);
  const base = { port: ground.port, agent, token: null };
  const write: WriteCall = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const text = await send(
      (key) =>
        sendCall({
          ...base,
          prefix: CONSOLE_PREFIX,
          method,
          path: `/venues/${ground.slug}${path}`,
          headers: { cookie: `__Host-comanda=${ground.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": key },
          ...(body === undefined ? {} : { body }),
        }),
      (status) => status < 300,
    );
    if (method !== "GET") log.acknowledged += 1;
    return (JSON.parse(text) as { data: T }).data;
  };
  let posts = 0;
  /** Each post comes from another address, as the proxy in front says. 409: the attempt whose answer was lost had stored it. */
  const post = async (path: string): Promise<void> => {
    const body = new URLSearchParams({ rating: "5", comment: "good" });
    await send(
      async () => {
        const headers = { "x-forwarded-for": `10.1.${(posts >> 8) & 255}.${posts++ & 255}` };
        const answer = await fetch(`http://127.0.0.1:${ground.port}${path}`, { method: "POST", headers, body, redirect: "manual" });
        return { status: answer.status, text: await answer.text() };
      },
      (status) => status === 303 || status === 409,
    );
    log.acknowledged += 1;
  };
  const turns = [
    giftCardTurn(write, ground, log),
    ticketTurn(write, ground, log),
    stockTurn(write, ground, log),
    shiftTurn(write, ground, log),
    reviewTurn(post, ground, log),
  ];
  const all = turns.map(async (takeTurn) => {
    for (let turn = 0; !isOver && (await takeTurn(turn)); turn++);
  });
  // finish() notes a failure; without it, a failure must not end the process.
  for (const writer of all) writer.catch(() => undefined);
  return {
    log,
    async finish() {
      isOver = true;
      for (const ended of await Promise.allSettled(all)) if (ended.status === "rejected") log.strange.push(String(ended.reason));
    },
    close() {
      [isOver, isClosed] = [true, true];
      agent.destroy();
    },
  };
};

/** The client of the SDK with the stored login, and what the commands read of the event feed. */
import { type Comanda, createClient, type FeedEvent, type WebhookEvent } from "@comanda/sdk";
import { CommandError, EXIT } from "./errors.ts";
import { type Login, readLogin } from "./stored-login.ts";
import { VERSION } from "./version.ts";

export const openService = (login: Login = readLogin()): Comanda =>
  createClient({ ...login, headers: { "user-agent": `comanda-cli/${VERSION} node/${process.versions.node}` } });

/** Does not compile while a type is missing. */
const TYPES: Record<WebhookEvent["type"], true> = {
  ping: true,
  "order.created": true,
  "order.status_changed": true,
  "order.paid": true,
  "reservation.created": true,
  "reservation.updated": true,
  "reservation.cancelled": true,
  "menu.item_updated": true,
  "payment.refunded": true,
  "guest.created": true,
  "guest.updated": true,
  "giftcard.issued": true,
  "giftcard.redeemed": true,
  "review.created": true,
  "stock.below_par": true,
  "shift.published": true,
  "experience.booked": true,
};

export type KnownType = keyof typeof TYPES;
export type FollowedType = FeedEvent["type"];

export const EVENT_TYPES = Object.keys(TYPES) as KnownType[];

export const isEventType = (text: string): text is KnownType => Object.hasOwn(TYPES, text);

/** `order.created,order.paid`; undefined stands for all that the token may see. Which those are the service says. */
export const readTypes = (text: string | undefined): FollowedType[] | undefined => {
  if (text === undefined) return undefined;
  const given = text.split(",").flatMap((type) => type.trim() || []);
  const unknown = given.filter((type) => !isEventType(type));
  if (unknown.length === 0 && given.length > 0) return given as FollowedType[];
  throw new CommandError(EXIT.usage, `There is no type "${unknown[0] ?? text}". There are: ${EVENT_TYPES.join(", ")}.`);
};

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `2h`, `3d`, or a date with time. */
export const readSince = (text: string, now = new Date()): Date => {
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const moment = count === undefined ? new Date(text) : new Date(now.getTime() - Number(count) * (UNIT_MS[unit] ?? 0));
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new CommandError(EXIT.usage, `"${text}" is no moment. Write 30m, 2h, 3d, or 2026-11-18T09:00:00Z.`);
};

export type ReadFeedEvent = { event: FeedEvent; cursor: string };
type ReadOptions = { types?: readonly FollowedType[] | undefined; after?: string | undefined };

/** The events that are there now, the oldest first; it waits for none. */
export async function* readEvents({ events }: Comanda, { types, after }: ReadOptions): AsyncGenerator<ReadFeedEvent, void, undefined> {
  for (let position = after; ; ) {
    const query = { ...(position === undefined ? {} : { after: position }), ...(types ? { types } : {}) };
    const { data, meta } = await events.list(query);
    for (const [index, event] of data.entries()) yield { event, cursor: meta.cursors[index] ?? meta.cursor };
    if (!meta.has_more) return;
    position = meta.cursor;
  }
}

/** What an event is about, for a line of a list: `order 01a1…`. */
export const subjectOf = ({ data }: FeedEvent): string => {
  for (const [name, value] of Object.entries(data)) {
    const id: unknown = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : undefined;
    if (typeof id === "string" || typeof id === "number") return `${name} ${id}`;
  }
  return "";
};

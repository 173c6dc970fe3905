/** The client of the SDK with the stored login, and the types of events. */
import { type Comanda, createClient, type FeedEvent, type WebhookEvent } from "@comanda/sdk";
import { CommandError, EXIT } from "./errors.ts";
import { VERSION } from "./program.ts";
import { type Login, readLogin } from "./stored-login.ts";

/** A person waits for what comes, so shorter than a program's; and still at most half of the rate that a token has by default. */
export const GATHER_MS = 2000;

export const openService = (login: Login = readLogin(), fetchWith: typeof fetch = fetch): Comanda =>
  createClient({ ...login, fetch: fetchWith, headers: { "user-agent": `comanda-cli/${VERSION} node/${process.versions.node}` } });

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

/** What an event is about, for a line of a list: `order 01a1…`. */
export const subjectOf = ({ data }: FeedEvent): string => {
  for (const [name, value] of Object.entries(data)) {
    const id: unknown = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : undefined;
    if (typeof id === "string" || typeof id === "number") return `${name} ${id}`;
  }
  return "";
};

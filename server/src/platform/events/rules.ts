/** Which types of events a token reads in the feed, and until when a position can be continued from. */

import { EVENT_TYPES, type EventType } from "@comanda/contract/events/envelope.ts";
import { EVENTS_KEPT_DAYS, FEED_TYPES } from "@comanda/contract/events/event-feed.ts";
import { EVENT_TABLE } from "@comanda/contract/events/event-table.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
import type { Actor } from "#lib/context.ts";
import { type ApiError, apiError, because, validationError } from "#lib/errors.ts";
import type { FeedStart } from "#lib/feed-position.ts";

/** `isSandbox`: the token of a sandbox, which has every scope and sees sample data only. */
export type FeedReader = Pick<Actor, "scopes" | "features"> & { isSandbox: boolean };

/** The feature without which the operations of this scope are closed. */
const featureOf = (scope: Scope): Feature | undefined => operationEntries.find(([, operation]) => operation.scope === scope)?.[1].feature;

/** Why the reader may not see this type; null when it may. */
const refusalOf = ({ scopes, features = [], isSandbox }: FeedReader, type: EventType): ApiError | null => {
  const { scope } = EVENT_TABLE[type];
  if (scope === "any" || isSandbox) return null;
  if (scope === null) return notReadable({ scopes, features, isSandbox }, `No scope reads ${type}: it is sent to webhooks only.`);
  if (!scopes.includes(scope)) return apiError("insufficient_scope", { required_scope: scope });
  const feature = featureOf(scope);
  return feature && !features.includes(feature) ? apiError("plan_feature_unavailable", { feature }) : null;
};

/** The types that the reader may see. Without this, a token would see data that its scopes do not read. */
export const readableTypes = (reader: FeedReader): EventType[] =>
  FEED_TYPES.filter((type) => isShown(reader, type) && refusalOf(reader, type) === null);

/** Whether any scope could show it. Webhooks carry the others. */
const isShown = ({ isSandbox }: FeedReader, type: EventType): boolean => isSandbox || EVENT_TABLE[type].scope !== null;

const notReadable = (reader: FeedReader, sentence: string): ApiError =>
  validationError({ types: [because(sentence, "not_one_of", { allowed: readableTypes(reader) })] });

const isEventType = (text: string): text is EventType => EVENT_TYPES.some((type) => type === text);

/** The types that were asked for. One that the reader may not see is refused, because the caller would wait for it in vain. */
export const wantedTypes = (reader: FeedReader, types: string | undefined): EventType[] => {
  if (types === undefined) return readableTypes(reader);
  const wanted = [...new Set(types.split(",").map((type) => type.trim()))];
  const known = wanted.filter(isEventType);
  const refusals = known.flatMap((type) => refusalOf(reader, type) ?? []);
  // 403 comes before 422 (open point D27).
  const [refusal] = refusals.toSorted((one, other) => one.status - other.status);
  const unknown = wanted.filter((type) => !isEventType(type));
  if (refusal && (refusal.status === 403 || unknown.length === 0)) throw refusal;
  if (unknown.length > 0) throw notReadable(reader, `Unknown: ${unknown.map((type) => `"${type}"`).join(", ")}.`);
  return known;
};

const HOUR_MS = 60 * 60 * 1000;
/** An hour less than events are kept: a change is dated by the begin of its transaction, so it may be older than a position before it. */
const CONTINUED_MS = EVENTS_KEPT_DAYS * 24 * HOUR_MS - HOUR_MS;

/** Whether events behind the start may be missing: deleted, lost with a restored database, numbered again, or no one knows. */
export const isExpiredStart = (start: FeedStart, present: { epoch: string; number: number }, now: Date): boolean => {
  if (typeof start === "string") return start === "unreadable";
  return start.epoch !== present.epoch || start.number > present.number || start.at.getTime() < now.getTime() - CONTINUED_MS;
};

/** Events are written in the transaction of their change: one never exists without the other. */
import {
  areaOf,
  type EmittedEvent,
  type EventData,
  type EventEnvelope,
  subjectOf,
  type VenueEvent,
} from "@comanda/contract/events/envelope.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { type FeedPosition, type FeedStart, LAST_POSITION, writeFeedPosition } from "#lib/feed-position.ts";
import { newUuid } from "#lib/ids.ts";
import { recordChange } from "#lib/record-change.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { realNow } from "#lib/venue-clock.ts";
import { type FeedReader, isExpiredStart, wantedTypes } from "./rules.ts";
import { insertEvent, insertEvents, listEventsAbout, listEventTypes, listNumberedEvents, setEventBodies, sumEventBytes } from "./store.ts";

export { listEventsAbout, setEventBodies, sumEventBytes };

/** The stored body never changes: every delivery and every retry sends these bytes. */
export const emit = <T extends VenueEvent>(ctx: Ctx, type: T, data: EventData[T]): void => {
  const { id } = insertEnvelope(ctx, type, data);
  recordChange(ctx, subjectOf(type, data), id);
};

/** Emits one event for each of many subjects at once. */
export const emitAll = <T extends VenueEvent>(ctx: Ctx, type: T, all: readonly EventData[T][]): void => {
  if (all.length === 0) return;
  const events = all.map((data) => ({ data, ...envelopeOf(ctx, type, data) }));
  insertEvents(ctx, type, events);
  for (const { id, data } of events) recordChange(ctx, subjectOf(type, data), id);
};

/** Sends to one endpoint only, whatever it is subscribed to (open point D158). */
export const emitTo = <T extends EmittedEvent>(ctx: Ctx, endpointId: number, type: T, data: EventData[T]): { id: string } => {
  const { id } = insertEnvelope(ctx, type, data, endpointId);
  recordChange(ctx, { kind: "webhook", id: endpointId }, id);
  return { id };
};

/** Sends to every address, whatever it is subscribed to. */
export const emitPing = (ctx: Ctx, data: EventData["ping"]): void => {
  const { id } = insertEnvelope(ctx, "ping", data);
  recordChange(ctx, { kind: "webhook", id: "all" }, id);
};

const envelopeOf = <T extends EmittedEvent>(ctx: Ctx, type: T, data: EventData[T]): { id: string; body: string } => {
  const { id, slug, currency, zone } = ctx.tenant;
  const envelope: EventEnvelope = {
    id: newUuid(ctx.now),
    type,
    created_at: formatInstant(zone, ctx.now),
    restaurant: { id, slug, currency },
    data,
  };
  return { id: envelope.id, body: JSON.stringify(envelope) };
};

const insertEnvelope = <T extends EmittedEvent>(
  ctx: Ctx,
  type: T,
  data: EventData[T],
  endpointId: number | null = null,
): { id: string } => {
  const { id, body } = envelopeOf(ctx, type, data);
  insertEvent(ctx, { id, type, body }, endpointId);
  return { id };
};

/** The events were emitted by this transaction; their order is kept. */
export const readEventTypes = async (ctx: Ctx, ids: readonly string[]): Promise<Map<string, EmittedEvent>> => {
  const typeOf = new Map((await listEventTypes(ctx, ids)).map(({ id, type }) => [id, type as EmittedEvent]));
  return new Map(ids.flatMap((id) => (typeOf.has(id) ? [[id, typeOf.get(id) as EmittedEvent]] : [])));
};

/** `cursors` are the positions behind each body; `cursor` is where the next reading goes on. */
export type EventPage = { bodies: string[]; cursors: string[]; cursor: string; hasMore: boolean };

type FeedRequest = { start: FeedStart; types: string | undefined; limit: number };

const readerOf = ({ tenant, actor }: Ctx): FeedReader => ({ ...actor, isSandbox: tenant.kind === "sandbox" && actor.kind === "token" });

/** The next events in the order of their commits, of the types that the actor may see. */
export const readEventFeed = async (ctx: Ctx, { start, types, limit }: FeedRequest): Promise<EventPage> => {
  const wanted = wantedTypes(readerOf(ctx), types);
  const areas = [...new Set(wanted.map((type) => areaOf(type as EmittedEvent)))];
  const { epoch, last_number, end, events } = await listNumberedEvents(ctx, { ...startOf(start), types: wanted, areas, limit });
  const cursorAt = (place: Pick<FeedPosition, "number" | "position" | "at">): string =>
    writeFeedPosition({ key: ctx.cursorKey, tenantId: ctx.tenant.id }, { epoch, ...place });
  const latest = cursorAt({ number: last_number, position: LAST_POSITION, at: realNow(ctx) });
  if (isExpiredStart(start, { epoch, number: last_number }, realNow(ctx))) throw apiError("cursor_expired", { latest });
  const cursors = events.map(cursorAt);
  const page = { bodies: events.map(({ body }) => body), cursors };
  const last = cursors.at(-1);
  if (last !== undefined && events.length === limit) return { ...page, cursor: last, hasMore: true };
  if (end === null) return { ...page, cursor: latest, hasMore: false };
  return { ...page, cursor: cursorAt({ number: end.span_number, position: end.span_position, at: end.span_at }), hasMore: true };
};

const startOf = (start: FeedStart): Pick<FeedPosition, "number" | "position"> => {
  if (start === "oldest") return { number: 0, position: 0 };
  return typeof start === "object" ? start : { number: Number.MAX_SAFE_INTEGER, position: 0 };
};

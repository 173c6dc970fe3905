/** Events are written in the transaction of their change: one never exists without the other. */
import { type EmittedEvent, type EventData, type EventEnvelope, subjectOf, type VenueEvent } from "@comanda/contract/events/events.ts";
import type { Ctx } from "#lib/context.ts";
import { newUuid } from "#lib/ids.ts";
import { recordChange } from "#lib/record-change.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { type EventBytes, type EventsAbout, insertEvent, insertEvents, listEventsAbout, setEventBodies, sumEventBytes } from "./store.ts";

/** The stored body never changes: every delivery and every retry sends these bytes. */
export const emit = <T extends VenueEvent>(ctx: Ctx, type: T, data: EventData[T]): void => {
  const { id } = insertEnvelope(ctx, type, data);
  recordChange(ctx, subjectOf(type, data), id);
};

/** The same for many subjects at once. */
export const emitAll = <T extends VenueEvent>(ctx: Ctx, type: T, all: readonly EventData[T][]): void => {
  if (all.length === 0) return;
  const events = all.map((data) => ({ data, ...envelopeOf(ctx, type, data) }));
  insertEvents(ctx, type, events);
  for (const { id, data } of events) recordChange(ctx, subjectOf(type, data), id);
};

/** To one endpoint only, whatever it is subscribed to (open point D158). */
export const emitTo = <T extends EmittedEvent>(ctx: Ctx, endpointId: number, type: T, data: EventData[T]): { id: string } => {
  const { id } = insertEnvelope(ctx, type, data, endpointId);
  recordChange(ctx, { kind: "webhook", id: endpointId }, id);
  return { id };
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

/** Of orders and reservations with their payments, and of guests. */
export const readEventsAbout = (ctx: Ctx, about: EventsAbout): Promise<EventBytes[]> => listEventsAbout(ctx, about);

export const countEventBytes = (ctx: Ctx, type: VenueEvent, since: Date): Promise<number> => sumEventBytes(ctx, type, since);

/** Only for the erasure of a guest; nothing else changes a stored event. */
export const replaceEventBodies = (ctx: Ctx, events: readonly EventBytes[]): void => setEventBodies(ctx, events);

/** Events are rows of the change's own transaction: no change without its event, no event without its change. */
import type { EmittedEvent, EventData, EventEnvelope } from "@comanda/contract/events.ts";
import type { Ctx } from "#lib/context.ts";
import { newUuid } from "#lib/ids.ts";
import { formatInstant } from "#lib/zone.ts";
import { insertEvent, listEventsAbout, type StoredEvent, setEventBody } from "./store.ts";

/** The body is frozen here and handed back: every delivery and every retry sends these bytes. */
export const emit = <T extends EmittedEvent>(ctx: Ctx, type: T, data: EventData[T]): string => freeze(ctx, type, data).body;

/** To one address alone, whatever it asked for (open point D158). */
export const emitTo = <T extends EmittedEvent>(ctx: Ctx, endpointId: number, type: T, data: EventData[T]): { id: string } =>
  freeze(ctx, type, data, endpointId);

const freeze = <T extends EmittedEvent>(
  ctx: Ctx,
  type: T,
  data: EventData[T],
  endpointId: number | null = null,
): { id: string; body: string } => {
  const { id, slug, currency, zone } = ctx.tenant;
  const envelope: EventEnvelope = {
    id: newUuid(ctx.now),
    type,
    created_at: formatInstant(zone, ctx.now),
    restaurant: { id, slug, currency },
    data,
  };
  const body = JSON.stringify(envelope);
  insertEvent(ctx, { id: envelope.id, type, body }, endpointId);
  return { id: envelope.id, body };
};

export const readEventsAbout = (ctx: Ctx, subjects: string[], guestId: number): Promise<StoredEvent[]> =>
  listEventsAbout(ctx, subjects, guestId);

/** Only for a guest who asked to be forgotten; nothing else ever changes a stored event. */
export const replaceEventBody = (ctx: Ctx, id: string, body: string): void => setEventBody(ctx, id, body);

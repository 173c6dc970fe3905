import { sql } from "kysely";
import { q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export const insertEvent = (ctx: Ctx, event: { id: string; type: string; body: string }): void =>
  ctx.db.later(q.insertInto("events").values({ restaurant_id: ctx.tenant.id, created_at: ctx.now, ...event }));

export type StoredEvent = { id: string; body: string };

/** Every stored event that names one of these orders or bookings, or is about this guest. */
export const listEventsAbout = (ctx: Ctx, subjects: string[], guestId: number): Promise<StoredEvent[]> =>
  ctx.db.query(sql<StoredEvent>`
    select id, body from events where restaurant_id = ${ctx.tenant.id}
      and (body like any(select '%' || subject || '%' from unnest(${subjects}::text[]) as named (subject))
        or (type in ('guest.created', 'guest.updated') and body::jsonb -> 'data' -> 'guest' -> 'id' = to_jsonb(${guestId}::bigint)))`);

export const setEventBody = (ctx: Ctx, id: string, body: string): void =>
  ctx.db.later(sql`select replace_event_body(${id}::uuid, ${body})`);

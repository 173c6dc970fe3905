/** The history of consent. */
import type { ConsentSource } from "@comanda/contract/console/guest-kinds.ts";
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";

export type ConsentHistoryRow = { id: number; at: Date; is_given: boolean; source: ConsentSource; recorded_by: string };

export const insertConsent = (ctx: Ctx, { guestId, isGiven, source }: { guestId: number; isGiven: boolean; source: ConsentSource }): void =>
  ctx.db.defer(sql`
    insert into guest_consents (restaurant_id, guest_id, is_given, source, recorded_by, at)
    values (${ctx.tenant.id}, ${guestId}, ${isGiven}, ${source}, ${ctx.actor.name}, ${ctx.now})`);

/**
 * Follows a change of many guests at once: one entry for each whose consent differs from its last entry, with the moment that the guest
 * has.
 */
export const insertChangedConsents = (ctx: Ctx, source: ConsentSource): void =>
  ctx.db.defer(sql`
    insert into guest_consents (restaurant_id, guest_id, is_given, source, recorded_by, at)
    select g.restaurant_id, g.id, g.marketing_opted_in, ${source}, ${ctx.actor.name}, coalesce(g.marketing_opted_in_at, ${ctx.now}::timestamptz)
    from guests g
    where g.restaurant_id = ${ctx.tenant.id} and g.erased_at is null and g.merged_into is null
      and g.marketing_opted_in <> coalesce((
        select c.is_given from guest_consents c where c.restaurant_id = g.restaurant_id and c.guest_id = g.id order by c.id desc limit 1), false)`);

/** The newest first. */
export const listConsents = (ctx: Ctx, guestId: number, rowCount: number): Promise<ConsentHistoryRow[]> =>
  ctx.db.query(sql<ConsentHistoryRow>`
    select id, at, is_given, source, recorded_by from guest_consents
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by id desc limit ${rowCount}`);

export const moveConsents = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update guest_consents set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);

export const deleteConsents = async (ctx: Ctx, guestIds: number[]): Promise<number> =>
  (
    await ctx.db.query(
      sql<{
        id: number;
      }>`delete from guest_consents where restaurant_id = ${ctx.tenant.id} and guest_id = any(${guestIds}::bigint[]) returning id`,
    )
  ).length;

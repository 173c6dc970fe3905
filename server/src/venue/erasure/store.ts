import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";

/** Stored answers that show one of these orders or bookings; a retry of such a request is then a new one. */
export const forgetAnswers = (ctx: Ctx, subjects: string[]): void =>
  ctx.db.later(sql`
    delete from idempotency_keys
    where restaurant_id = ${ctx.tenant.id} and body like any(select '%' || subject || '%' from unnest(${subjects}::text[]) as named (subject))`);

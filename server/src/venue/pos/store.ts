import { sql } from "kysely";
import { first, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** With the id of the push that an order will make, so that asking and numbering are one trip; no row, no number. */
export const findOpenConnection = (ctx: Ctx): Promise<{ push_id: number } | undefined> =>
  first(
    ctx.db.query(sql<{ push_id: number }>`
      select nextval('pos_push_ids') as push_id from pos_connections where restaurant_id = ${ctx.tenant.id} and is_active`),
  );

export const upsertConnection = (ctx: Ctx, { url, sealedSecret }: { url: string; sealedSecret: string }): void => {
  const row = { url, sealed_secret: sealedSecret, is_active: true, updated_at: ctx.now };
  ctx.db.later(
    q
      .insertInto("pos_connections")
      .values({ restaurant_id: ctx.tenant.id, created_at: ctx.now, ...row })
      .onConflict((conflict) => conflict.column("restaurant_id").doUpdateSet(row)),
  );
};

/** Undefined when none was connected. */
export const endConnection = (ctx: Ctx): Promise<{ url: string } | undefined> =>
  first(
    ctx.db.query(
      q
        .updateTable("pos_connections")
        .set({ is_active: false, updated_at: ctx.now })
        .where("restaurant_id", "=", ctx.tenant.id)
        .where("is_active", "=", true)
        .returning("url"),
    ),
  );

export const insertPush = (ctx: Ctx, push: { id: number; order_id: string; body: string }): void =>
  ctx.db.later(
    q.insertInto("pos_pushes").values({
      restaurant_id: ctx.tenant.id,
      ...push,
      state: "queued",
      next_attempt_at: ctx.now,
      created_at: ctx.now,
      updated_at: ctx.now,
    }),
  );

export type DuePush = { id: number; attempts: number; body: string; url: string | null; sealed_secret: string | null };

/** Only if it is still waiting for exactly this attempt: a job that runs twice finds nothing the second time. */
export const findDuePush = (ctx: Ctx, id: number, attempts: number): Promise<DuePush | undefined> =>
  first(
    ctx.db.query(
      q
        .selectFrom("pos_pushes as p")
        .leftJoin("pos_connections as c", (join) => join.onRef("c.restaurant_id", "=", "p.restaurant_id").on("c.is_active", "=", true))
        .select(["p.id", "p.attempts", "p.body", "c.url", "c.sealed_secret"])
        .where("p.restaurant_id", "=", ctx.tenant.id)
        .where("p.id", "=", id)
        .where("p.state", "=", "queued")
        .where("p.attempts", "=", attempts),
    ),
  );

export type PushChange = {
  state: "queued" | "done" | "failed";
  last_status: number | null;
  last_failure: string | null;
  last_duration_ms: number;
  next_attempt_at: Date | null;
};

/** Compare and set on the number of attempts; false when somebody else has recorded this one. */
export const updatePush = async (ctx: Ctx, { id, attempts }: { id: number; attempts: number }, change: PushChange): Promise<boolean> => {
  const rows = await ctx.db.query(
    q
      .updateTable("pos_pushes")
      .set({ ...change, attempts: attempts + 1, updated_at: ctx.now })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("state", "=", "queued")
      .where("attempts", "=", attempts)
      .returning("id"),
  );
  return rows.length === 1;
};

/** False when this attempt was made, or delayed a moment ago, by somebody else: two jobs would otherwise become two chains of them. */
export const delayPush = async (ctx: Ctx, { id, attempts }: DuePush, next: Date, plannedUntil: Date): Promise<boolean> =>
  (
    await ctx.db.query(sql`
      update pos_pushes set last_failure = 'secret', next_attempt_at = ${next}, updated_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} and state = 'queued' and attempts = ${attempts} and next_attempt_at <= ${plannedUntil}
      returning id`)
  ).length === 1;

export const listPushBodies = (ctx: Ctx, orderIds: string[]): Promise<{ id: number; body: string }[]> =>
  ctx.db.query(
    sql<{ id: number; body: string }>`
      select id, body from pos_pushes where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[])`,
  );

export const setPushBody = (ctx: Ctx, id: number, body: string): void =>
  ctx.db.later(q.updateTable("pos_pushes").set({ body }).where("restaurant_id", "=", ctx.tenant.id).where("id", "=", id));

export const latestPushes = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    q
      .selectFrom("pos_pushes")
      .select([
        "id",
        "order_id",
        "state",
        "attempts",
        "last_status",
        "last_failure",
        "last_duration_ms",
        "next_attempt_at",
        "created_at",
        "updated_at",
      ])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("id", "desc")
      .limit(rowCount),
  );

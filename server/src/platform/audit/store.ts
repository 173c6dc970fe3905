import { sql } from "kysely";
import { q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { AuditEntry } from "./service.ts";

export const insertAuditEntry = (ctx: Ctx, { action, subject, before, after, reason }: AuditEntry): void =>
  ctx.db.later(
    q.insertInto("audit_entries").values({
      restaurant_id: ctx.tenant.id,
      at: ctx.now,
      actor_kind: ctx.actor.kind,
      actor_id: ctx.actor.id,
      actor_name: ctx.actor.name,
      via: ctx.actor.via ?? null,
      action,
      subject_kind: subject.kind,
      subject_id: String(subject.id),
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      reason: reason ?? null,
      address: ctx.origin.address,
      request_id: ctx.origin.requestId,
    }),
  );

export const latestAuditEntries = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    q
      .selectFrom("audit_entries")
      .select([
        "id",
        "at",
        "actor_kind",
        "actor_id",
        "actor_name",
        "via",
        "action",
        "subject_kind",
        "subject_id",
        "before",
        "after",
        "reason",
        "address",
        "request_id",
      ])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(rowCount),
  );

export type ActivityFilter = { area?: string; actor?: string; subject?: string; before?: number };

type ActivityRow = {
  id: number;
  at: Date;
  actor_kind: "token" | "app" | "staff" | "operator" | "system";
  actor_name: string;
  via: "mcp" | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  address: string | null;
  request_id: string | null;
};

/** The newest first, by id: ids grow with time. An area is the part of an action before its dot. */
export const listActivity = (ctx: Ctx, { area, actor, subject, before }: ActivityFilter, rowCount: number): Promise<ActivityRow[]> =>
  ctx.db.query(sql<ActivityRow>`
    select id, at, actor_kind, actor_name, via, action, subject_kind, subject_id, before, after, reason, address, request_id from audit_entries
    where ${sql.join(
      [
        sql`restaurant_id = ${ctx.tenant.id}`,
        ...(area === undefined ? [] : [sql`split_part(action, '.', 1) = ${area}`]),
        ...(actor === undefined ? [] : [sql`actor_kind = ${actor}`]),
        ...(subject === undefined ? [] : [sql`subject_id = ${subject}`]),
        ...(before === undefined ? [] : [sql`id < ${before}`]),
      ],
      sql` and `,
    )}
    order by id desc limit ${rowCount}::integer`);

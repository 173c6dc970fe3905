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

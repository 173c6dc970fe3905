/** The activity log (contract §1.2): one entry per effective change, in the change's own transaction. */
import type { Ctx } from "#lib/context.ts";
import { type ActivityFilter, blankReasons, insertAuditEntry, latestAuditEntries, listActivity } from "./store.ts";

export type AuditEntry = {
  action: string;
  subject: { kind: string; id: number | string };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | null;
};

export const recordAudit = (ctx: Ctx, entry: AuditEntry): void => insertAuditEntry(ctx, entry);

export const readAudit = (ctx: Ctx, rowCount: number) => latestAuditEntries(ctx, rowCount);

export const readActivity = (ctx: Ctx, filter: ActivityFilter, rowCount: number) => listActivity(ctx, filter, rowCount);

/** The one change that is made to the log: a guest asked to be erased. */
export const eraseReasons = (ctx: Ctx, subjects: AuditEntry["subject"][]): void => blankReasons(ctx, subjects);

/** The activity log (contract §1.2): one entry per effective change, in the change's own transaction. */

import type { OrderStep } from "@comanda/contract/console/orders.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import {
  type ActivityFilter,
  type AuditEntry,
  eraseReasons,
  insertAuditEntries,
  insertAuditEntry,
  latestAuditEntries,
  listActivity,
  listAuditEntries,
  listEntriesOfActions,
  listReasonsAbout,
  listStaffEntries,
} from "./store.ts";

export { eraseReasons, latestAuditEntries, listActivity, listAuditEntries, listEntriesOfActions, listReasonsAbout, listStaffEntries };

/** The subject of the entry is a numbered change of the venue. */
export const recordAudit = (ctx: Ctx, entry: AuditEntry): void => {
  insertAuditEntry(ctx, entry);
  recordChange(ctx, entry.subject);
};

/** Writes entries for many subjects at once. */
export const recordAudits = (ctx: Ctx, entries: readonly Omit<AuditEntry, "reason">[]): void => {
  insertAuditEntries(ctx, entries);
  for (const { subject } of entries) recordChange(ctx, subject);
};

/** The newest first, as the details of an order or a booking show them. */
export const readSteps = async (ctx: Ctx, filter: ActivityFilter, rowCount: number): Promise<OrderStep[]> =>
  (await listActivity(ctx, filter, rowCount)).map(presentStep);

/** The present state, and who made it so. */
export const changedBy = (present: object, last: { who: string | null; at: Date } | null): ApiError =>
  apiError("state_changed", { ...present, changed_by: last?.who ?? null, changed_at: last?.at.toISOString() ?? null });

type ChangedArea = { area?: string; subject?: string | number };

/** The subject is not as the page showed it: refuses the write with the present state, and names the person who changed it last. */
export const stateChanged = async (ctx: Ctx, { subject, ...of }: ChangedArea, present: object): Promise<ApiError> => {
  const [entry] = await listActivity(ctx, { ...of, ...(subject === undefined ? {} : { subject: String(subject) }) }, 1);
  return changedBy(present, entry ? { who: entry.actor_name, at: entry.at } : null);
};

const presentStep = ({ at, ...step }: Omit<OrderStep, "at"> & { at: Date }): OrderStep => ({
  id: step.id,
  at: at.toISOString(),
  actor_kind: step.actor_kind,
  actor_name: step.actor_name,
  action: step.action,
  before: step.before,
  after: step.after,
  reason: step.reason,
});

/** The activity log (contract §1.2): one entry per effective change, in the change's own transaction. */

import type { OrderStep } from "@comanda/contract/console/orders.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { presentStep } from "./present.ts";
import {
  type ActivityFilter,
  type AuditEntry,
  type CountedEntry,
  clearReasons,
  insertAuditEntries,
  insertAuditEntry,
  latestAuditEntries,
  listActivity,
  listEntries,
  listEntriesOfActions,
  listReasons,
  listStaffEntries,
  type ReasonRow,
} from "./store.ts";

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

export const readAudit = (ctx: Ctx, rowCount: number) => latestAuditEntries(ctx, rowCount);

/** The newest first, as the details of an order or a booking show them. */
export const readSteps = async (ctx: Ctx, filter: ActivityFilter, rowCount: number): Promise<OrderStep[]> =>
  (await listActivity(ctx, filter, rowCount)).map(presentStep);

export const readActivity = (ctx: Ctx, filter: ActivityFilter, rowCount: number) => listActivity(ctx, filter, rowCount);

/** The newest first, of these actions only. */
export const readActions = (ctx: Ctx, actions: readonly string[], filter: Pick<ActivityFilter, "before" | "from">, rowCount: number) =>
  listEntriesOfActions(ctx, actions, filter, rowCount);

/** The newest first. */
export const readEntries = (ctx: Ctx, ids: readonly number[]) => listEntries(ctx, ids);

/** The only change to existing entries: a guest asked to be erased. */
export const eraseReasons = (ctx: Ctx, subjects: AuditEntry["subject"][]): void => clearReasons(ctx, subjects);

export const readReasonsAbout = (ctx: Ctx, subjects: AuditEntry["subject"][]): Promise<ReasonRow[]> => listReasons(ctx, subjects);

/** Limits read when people did this in the console, and to what. */
export const readStaffActions = (ctx: Ctx, actions: readonly string[], since: Date): Promise<CountedEntry[]> =>
  listStaffEntries(ctx, actions, since);

/** The present state, and who made it so. */
export const changedBy = (present: object, last: { who: string | null; at: Date } | null): ApiError =>
  apiError("state_changed", { ...present, changed_by: last?.who ?? null, changed_at: last?.at.toISOString() ?? null });

type ChangedArea = { area?: string; subject?: string | number };

/** The subject is not as the page showed it: refuses the write with the present state, and names the person who changed it last. */
export const stateChanged = async (ctx: Ctx, { subject, ...of }: ChangedArea, present: object): Promise<ApiError> => {
  const [entry] = await readActivity(ctx, { ...of, ...(subject === undefined ? {} : { subject: String(subject) }) }, 1);
  return changedBy(present, entry ? { who: entry.actor_name, at: entry.at } : null);
};

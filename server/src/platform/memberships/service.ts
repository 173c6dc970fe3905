/** The staff of a venue. A member is identified by e-mail address: access to the mailbox gives access to the account. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/audit/service.ts";
import {
  deleteStaff,
  insertStaff,
  listMembers,
  listStaffRows,
  listTeamRows,
  lockInvitations,
  type StaffRow,
  type TeamRow,
  touchStaff,
  updateRole,
  upsertStaff,
} from "./store.ts";

export type { TeamRow };
export { lockInvitations };

export const readOwners = (ctx: Ctx) => listMembers(ctx, ["owner"]);

/** Owners included: they can do all that managers can. */
export const readManagers = (ctx: Ctx) => listMembers(ctx, ["owner", "manager"]);

export const listStaff = (ctx: Ctx) => listStaffRows(ctx);

/** With their accounts. */
export const listTeam = (ctx: Ctx): Promise<TeamRow[]> => listTeamRows(ctx);

const recordInvited = (ctx: Ctx, { email, name, role }: StaffRow): void =>
  recordAudit(ctx, { action: "staff.invited", subject: { kind: "staff", id: email }, after: { name, role } });

/** A member who is there already gets the name and the role. */
export const addStaff = async (ctx: Ctx, wanted: StaffRow): Promise<void> => {
  await upsertStaff(ctx, wanted);
  recordInvited(ctx, wanted);
};

/** False when the address is in the team: nothing is changed. */
export const addNewStaff = async (ctx: Ctx, wanted: StaffRow): Promise<boolean> => {
  const isAdded = await insertStaff(ctx, wanted);
  if (isAdded) recordInvited(ctx, wanted);
  return isAdded;
};

/** Runs in a transaction that holds the venue's lock exclusively, because the role may be lower than before. */
export const changeStaffRole = (ctx: Ctx, { id, email, role: before }: TeamRow, role: StaffRow["role"]): void => {
  updateRole(ctx, id, role);
  recordAudit(ctx, { action: "staff.role_changed", subject: { kind: "staff", id: email }, before: { role: before }, after: { role } });
};

export const noteStaffSeen = (ctx: Ctx, id: number): void => touchStaff(ctx, id);

/** False when no member has that address. */
export const removeStaff = async (ctx: Ctx, email: string): Promise<boolean> => {
  const removed = await deleteStaff(ctx, email);
  if (removed)
    recordAudit(ctx, {
      action: "staff.removed",
      subject: { kind: "staff", id: email },
      before: { name: removed.name, role: removed.role },
    });
  return removed !== undefined;
};

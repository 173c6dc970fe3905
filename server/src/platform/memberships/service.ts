/** The staff of a venue. A member is identified by e-mail address: access to the mailbox gives access to the account. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/audit/service.ts";
import {
  deleteStaff,
  findStaff,
  insertStaff,
  listMembers,
  listStaffRows,
  listTeamRows,
  lockInvitations,
  type MailedMember,
  type StaffRow,
  type TeamRow,
  touchStaff,
  updateRole,
  upsertStaff,
} from "./store.ts";

export type { TeamRow };
export { lockInvitations };

/** Any address can be invited. Where no one has opened the venue in the console, those of its file are mailed. */
const confirmedOrAll = (members: MailedMember[]): MailedMember[] => {
  const confirmed = members.filter(({ is_confirmed }) => is_confirmed);
  return confirmed.length > 0 ? confirmed : members;
};

export const readOwners = async (ctx: Ctx): Promise<MailedMember[]> => confirmedOrAll(await listMembers(ctx, ["owner"]));

/** Owners who have opened the venue. */
export const readConfirmedOwners = async (ctx: Ctx): Promise<MailedMember[]> =>
  (await listMembers(ctx, ["owner"])).filter(({ is_confirmed }) => is_confirmed);

/** Owners included: they can do all that managers can. */
export const readManagers = async (ctx: Ctx): Promise<MailedMember[]> => confirmedOrAll(await listMembers(ctx, ["owner", "manager"]));

export const listStaff = (ctx: Ctx) => listStaffRows(ctx);

/** With their accounts. */
export const listTeam = (ctx: Ctx): Promise<TeamRow[]> => listTeamRows(ctx);

/** Null when no member has that address. */
export const findStaffId = async (ctx: Ctx, email: string): Promise<number | null> => (await findStaff(ctx, email))?.id ?? null;

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

/** The staff of a venue. A member is identified by e-mail address: access to the mailbox gives access to the account. */
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { invitationEnd } from "./rules.ts";
import {
  acceptAny,
  acceptOpen,
  declineOpen,
  deleteInvitation,
  deleteStaff,
  endSessionsUntilNow,
  findStaff,
  insertStaff,
  listMembers,
  listStaff,
  listTeam,
  lockInvitations,
  type MailedMember,
  renewInvitation,
  type StaffRow,
  type TeamRow,
  touchStaff,
  updateRole,
  upsertStaff,
} from "./store.ts";

export type { TeamRow };
export { endSessionsUntilNow, listStaff, listTeam, lockInvitations, touchStaff };

/** Any address can be invited. Where no one has accepted, those of the venue's file are mailed. */
const confirmedOrAll = (members: MailedMember[]): MailedMember[] => {
  const confirmed = members.filter(({ is_confirmed }) => is_confirmed);
  return confirmed.length > 0 ? confirmed : members;
};

export const readOwners = async (ctx: Ctx): Promise<MailedMember[]> => confirmedOrAll(await listMembers(ctx, ["owner"]));

/** Owners who have accepted. */
export const readConfirmedOwners = async (ctx: Ctx): Promise<MailedMember[]> =>
  (await listMembers(ctx, ["owner"])).filter(({ is_confirmed }) => is_confirmed);

/** Owners included: they can do all that managers can. */
export const readManagers = async (ctx: Ctx): Promise<MailedMember[]> => confirmedOrAll(await listMembers(ctx, ["owner", "manager"]));

/** Null when no member has that address. */
export const findStaffId = async (ctx: Ctx, email: string): Promise<number | null> => (await findStaff(ctx, email))?.id ?? null;

const recordInvited = (ctx: Ctx, { email, name, role }: StaffRow): void =>
  recordAudit(ctx, { action: "staff.invited", subject: { kind: "staff", id: email }, after: { name, role } });

/** An invitation. A member who is there already gets the name and the role. */
export const addStaff = async (ctx: Ctx, wanted: StaffRow): Promise<void> => {
  await upsertStaff(ctx, wanted, invitationEnd(realNow(ctx)));
  recordInvited(ctx, wanted);
};

/** False when the address is in the team: nothing is changed. */
export const addNewStaff = async (ctx: Ctx, wanted: StaffRow): Promise<boolean> => {
  const isAdded = await insertStaff(ctx, wanted, invitationEnd(realNow(ctx)));
  if (isAdded) recordInvited(ctx, wanted);
  return isAdded;
};

/** Runs in a transaction that holds the venue's lock exclusively, because the role may be lower than before. */
export const changeStaffRole = (ctx: Ctx, { id, email, role: before }: TeamRow, role: StaffRow["role"]): void => {
  updateRole(ctx, id, role);
  recordAudit(ctx, { action: "staff.role_changed", subject: { kind: "staff", id: email }, before: { role: before }, after: { role } });
};

/** Begins again, also after it was declined. False: it was accepted or withdrawn meanwhile. */
export const inviteAgain = async (ctx: Ctx, { id, email, name, role }: TeamRow): Promise<boolean> => {
  if (!(await renewInvitation(ctx, id, invitationEnd(realNow(ctx))))) return false;
  recordAudit(ctx, { action: "staff.invitation_resent", subject: { kind: "staff", id: email }, after: { name, role } });
  return true;
};

/** False: there is no open invitation to this role. */
export const acceptInvitation = async (ctx: Ctx, wanted: Pick<StaffRow, "email" | "role">): Promise<boolean> => {
  const isAccepted = await acceptOpen(ctx, wanted);
  if (isAccepted) recordAccepted(ctx, wanted);
  return isAccepted;
};

/** The person proved the address otherwise: by the link of the invitation, or by opening the venue. */
export const acceptByProof = async (ctx: Ctx, email: string): Promise<void> => {
  const accepted = await acceptAny(ctx, email);
  if (accepted) recordAccepted(ctx, accepted);
};

const recordAccepted = (ctx: Ctx, { email, role }: Pick<StaffRow, "email" | "role">): void =>
  recordAudit(ctx, { action: "staff.invitation_accepted", subject: { kind: "staff", id: email }, after: { role } });

/** False: there is no open invitation. */
export const declineInvitation = async (ctx: Ctx, email: string): Promise<boolean> => {
  const isDeclined = await declineOpen(ctx, email);
  if (isDeclined) recordAudit(ctx, { action: "staff.invitation_declined", subject: { kind: "staff", id: email } });
  return isDeclined;
};

const recordWithdrawn = (ctx: Ctx, { email, name, role }: StaffRow): void =>
  recordAudit(ctx, { action: "staff.invitation_withdrawn", subject: { kind: "staff", id: email }, before: { name, role } });

/** False: it was accepted meanwhile, or withdrawn. */
export const withdrawInvitation = async (ctx: Ctx, id: number): Promise<boolean> => {
  const withdrawn = await deleteInvitation(ctx, id);
  if (withdrawn) recordWithdrawn(ctx, withdrawn);
  return withdrawn !== undefined;
};

/** `left`: by the person's own will. False when no member has that address. */
export const removeStaff = async (ctx: Ctx, email: string, how: "removed" | "left" = "removed"): Promise<boolean> => {
  const removed = await deleteStaff(ctx, email);
  if (!removed) return false;
  const { name, role, accepted_at } = removed;
  if (accepted_at === null) recordWithdrawn(ctx, removed);
  else recordAudit(ctx, { action: `staff.${how}`, subject: { kind: "staff", id: email }, before: { name, role } });
  return true;
};

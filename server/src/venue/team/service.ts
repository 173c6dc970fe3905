/**
 * The team of a venue: invitations, roles, removal, sessions, and whether a second factor is asked for. Role changes and removals hold the
 * venue's lock exclusively, so of two owners who remove each other one is left.
 */
import type { Role } from "@comanda/contract/console/operation.ts";
import type {
  FactorRule,
  FactorRuleChange,
  Invitation,
  InvitationLimit,
  MemberRemovalOrder,
  MemberSession,
  RoleChange,
  Team,
  TeamMember,
} from "@comanda/contract/console/team.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { changedBy, listStaffEntries, recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import {
  acceptInvitation,
  addNewStaff,
  changeStaffRole,
  declineInvitation,
  inviteAgain,
  listTeam,
  lockInvitations,
  type TeamRow,
  withdrawInvitation,
} from "#platform/people/memberships/service.ts";
import { countTokensOfUsers } from "#platform/programs/tokens/service.ts";
import { countMemberSessions, endMemberSessions, listMemberships, readMemberSessions } from "#platform/sign-in/accounts/service.ts";
import { countInvitationMail, sendInvitation, sendInvitationAgain } from "#platform/sign-in/one-time-links/service.ts";
import { changeFactorRule, FACTOR_RULE, readFactorRule, readFactorRuleForChange } from "#platform/tenants/service.ts";
import { countScreensPairedBy } from "#venue/kitchen/screens/service.ts";
import { type AccessChoice, decideAccess, removeMember } from "#venue/team/offboarding/service.ts";
import { readShiftsToCome, removeShiftsOf } from "../shifts/service/team.ts";
import { presentMember } from "./present.ts";
import {
  countedSince,
  INVITED_MAX,
  invitationState,
  invitationWait,
  isLastOwner,
  isLower,
  mayInvite,
  raisesSelf,
  TEAM_MAX,
} from "./rules.ts";

const presentRows = async (ctx: Ctx, rows: readonly TeamRow[]): Promise<TeamMember[]> => {
  const users = rows.map(({ user_id, email }) => ({ id: user_id, email }));
  const [sessions, screens, tokens, shifts] = await Promise.all([
    countMemberSessions(
      ctx,
      rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])),
    ),
    countScreensPairedBy(ctx, users),
    countTokensOfUsers(ctx, users),
    readShiftsToCome(
      ctx,
      rows.map(({ id }) => id),
    ),
  ]);
  const seen = { callerEmail: ctx.actor.email, now: realNow(ctx) };
  return rows.map((row) => presentMember(row, { sessions, screens, tokens, shifts }, seen));
};

export const readTeam = async (ctx: Ctx): Promise<Team> => {
  const [rows, is_second_factor_required] = await Promise.all([listTeam(ctx), readFactorRule(ctx)]);
  return { members: await presentRows(ctx, rows), is_second_factor_required };
};

type FoundMember = { team: TeamRow[]; member: TeamRow };

const findMember = async (ctx: Ctx, id: number): Promise<FoundMember> => {
  const team = await listTeam(ctx);
  const member = team.find((one) => one.id === id);
  if (!member) throw apiError("not_found");
  return { team, member };
};

const readMember = async (ctx: Ctx, isWanted: (row: TeamRow) => boolean): Promise<TeamMember> => {
  const [member] = await presentRows(ctx, (await listTeam(ctx)).filter(isWanted));
  if (!member) throw apiError("not_found");
  return member;
};

const memberChanged = async (ctx: Ctx, { id, email }: TeamRow): Promise<ApiError> =>
  stateChanged(ctx, { area: "staff", subject: email }, { member: await readMember(ctx, (row) => row.id === id) });

const assertMayInvite = (ctx: Ctx, team: readonly TeamRow[], role: Role): void => {
  const inviter = team.find(({ email }) => email === ctx.actor.email);
  if (!inviter || !mayInvite(inviter.role, role)) throw apiError("role_required", { required_role: "owner" });
};

const INVITING = ["staff.invited", "staff.invitation_resent"];

const tooManyInvitations = ({ now }: Ctx, limit: InvitationLimit["limit"], seconds: number): ApiError => {
  const details: InvitationLimit = { limit, until: new Date(now.getTime() + seconds * 1000).toISOString() };
  return apiError("rate_limited", details, { "Retry-After": String(seconds) });
};

/** Waits for other invitations of the venue, so that the count holds when several are sent at once. */
const countInvitation = async (ctx: Ctx, email: string): Promise<void> => {
  lockInvitations(ctx);
  const refusal = invitationWait(await listStaffEntries(ctx, INVITING, countedSince(ctx.now)), email, ctx.now);
  if (refusal) throw tooManyInvitations(ctx, refusal.limit, refusal.seconds);
  const seconds = await countInvitationMail(ctx, email);
  if (seconds > 0) throw tooManyInvitations(ctx, "address", seconds);
};

const MANY_INVITED = `${INVITED_MAX} people were invited and have not accepted. Withdraw an invitation first.`;

export const inviteMember = async (ctx: Ctx, { name, role, language = null, ...wanted }: Invitation): Promise<TeamMember> => {
  const email = wanted.email.toLowerCase();
  const team = await listTeam(ctx);
  assertMayInvite(ctx, team, role);
  if (team.filter(({ accepted_at }) => accepted_at === null).length >= INVITED_MAX) throw validationError({ email: [MANY_INVITED] });
  if (team.length >= TEAM_MAX) throw validationError({ email: [`A team has at most ${TEAM_MAX} people.`] });
  await countInvitation(ctx, email);
  if (!(await addNewStaff(ctx, { email, name, role, locale: language })))
    throw validationError({ email: ["This person is in the team or invited already."] });
  await sendInvitation(ctx, email);
  return readMember(ctx, (row) => row.email === email);
};

const HAS_ACCEPTED = "This person has accepted the invitation.";

export const resendInvitation = async (ctx: Ctx, id: number): Promise<void> => {
  const { team, member } = await findMember(ctx, id);
  assertMayInvite(ctx, team, member.role);
  if (member.accepted_at !== null) throw validationError({ id: [HAS_ACCEPTED] });
  await countInvitation(ctx, member.email);
  if (!(await inviteAgain(ctx, member))) throw validationError({ id: [HAS_ACCEPTED] });
  await sendInvitationAgain(ctx, member.email);
};

/** Its link ends with it, and so do the shifts to come. */
export const withdrawOpenInvitation = async (ctx: Ctx, id: number): Promise<void> => {
  const { team, member } = await findMember(ctx, id);
  assertMayInvite(ctx, team, member.role);
  if (member.accepted_at !== null) throw await memberChanged(ctx, member);
  await removeShiftsOf(ctx, member);
  if (!(await withdrawInvitation(ctx, id))) throw apiError("not_found");
};

const LAST_OWNER = "A venue keeps one owner who has accepted the invitation. Make another person an owner first.";

export const changeRole = async (
  ctx: Ctx,
  id: number,
  { seen_role, role, tokens = "keep", screens = "keep" }: RoleChange,
): Promise<TeamMember> => {
  const { team, member } = await findMember(ctx, id);
  if (member.role !== seen_role) throw await memberChanged(ctx, member);
  if (raisesSelf(ctx.actor.email, member, role)) throw apiError("role_required", { required_role: role });
  if (isLastOwner(team, member, role)) throw validationError({ role: [LAST_OWNER] });
  if (member.role === role) return readMember(ctx, (row) => row.id === id);
  changeStaffRole(ctx, member, role);
  if (isLower(role, member.role)) await decideAccess(ctx, member.email, { tokens, screens });
  return readMember(ctx, (row) => row.id === id);
};

/** What a member made, which ends with a lower role or with the membership. */
export type AccessToEnd = { member: TeamRow; choice: AccessChoice };

/** Null when the change will be refused, or the role is not lower. The body is read after the member was found. */
export const findAccessToEnd = async (ctx: Ctx, id: number, read: () => RoleChange): Promise<AccessToEnd | null> => {
  const { team, member } = await findMember(ctx, id);
  const { seen_role, role, tokens = "keep", screens = "keep" } = read();
  if (member.role !== seen_role || !isLower(role, member.role) || isLastOwner(team, member, role)) return null;
  return { member, choice: { tokens, screens } };
};

/** Throws when the member cannot be removed as the caller saw them. */
export const checkRemoval = async (ctx: Ctx, id: number, read: () => MemberRemovalOrder): Promise<AccessToEnd> => {
  const { team, member } = await findMember(ctx, id);
  const { seen_role, ...choice } = read();
  if (member.role !== seen_role) throw await memberChanged(ctx, member);
  if (isLastOwner(team, member, null)) throw validationError({ role: [LAST_OWNER] });
  return { member, choice };
};

/** Runs in a transaction of another venue. An invitation gives no access, so it is not searched. */
export const isStillMember = async (ctx: Ctx, { id, email, role, accepted_at }: TeamRow): Promise<boolean> =>
  accepted_at === null || (await listMemberships(ctx, email)).some((one) => one.staff_id === id && one.role === role);

const ownAddress = ({ actor }: Ctx): string => actor.email ?? "";

/** The caller was invited, and sees the role of the invitation. Who is a member has accepted before. */
export const acceptOwnInvitation = async (ctx: Ctx, seenRole: Role): Promise<void> => {
  const email = ownAddress(ctx);
  if (await acceptInvitation(ctx, { email, role: seenRole })) return;
  const invited = (await listTeam(ctx)).find((one) => one.email === email);
  const state = invited && invitationState(invited, realNow(ctx));
  if (state === null) return;
  // The answer does not name who changed it: that is the venue's matter.
  if (invited && state === "open") throw changedBy({ role: invited.role }, null);
  throw apiError("not_found");
};

export const declineOwnInvitation = async (ctx: Ctx): Promise<void> => {
  if (!(await declineInvitation(ctx, ownAddress(ctx)))) throw apiError("not_found");
};

/** What the person set up stays with the venue, and the activity log says so. */
export const leaveTeam = async (ctx: Ctx): Promise<void> => {
  const team = await listTeam(ctx);
  const member = team.find(({ email, accepted_at }) => email === ctx.actor.email && accepted_at !== null);
  if (!member) throw apiError("not_found");
  if (isLastOwner(team, member, null)) throw validationError({ role: [LAST_OWNER] });
  await removeMember(ctx, member.email, { tokens: "keep", screens: "keep" }, "left");
};

/** Checked again, because the sandbox had its own transaction since. */
export const removeFromTeam = async (ctx: Ctx, id: number, order: MemberRemovalOrder): Promise<void> => {
  const { member, choice } = await checkRemoval(ctx, id, () => order);
  await removeMember(ctx, member.email, choice);
};

export const listMemberSessions = async (ctx: Ctx, id: number): Promise<MemberSession[]> => {
  const { user_id } = (await findMember(ctx, id)).member;
  return user_id === null ? [] : readMemberSessions(ctx, user_id);
};

export const endSessionsOfMember = async (ctx: Ctx, id: number): Promise<{ ended: number }> => {
  const { email, user_id } = (await findMember(ctx, id)).member;
  if (email === ctx.actor.email) throw validationError({ id: ["End your own sessions on your account page."] });
  const ended = user_id === null ? 0 : await endMemberSessions(ctx, { id: user_id, email });
  if (ended > 0)
    recordAudit(ctx, {
      action: "staff.sessions_ended",
      subject: { kind: "staff", id: email },
      before: { sessions: ended },
      after: { sessions: 0 },
    });
  return { ended };
};

const presentRule = (isRequired: boolean): FactorRule => ({ is_second_factor_required: isRequired });

/** An owner who requires a second factor of others must have one: else the owner's own next call would be refused. */
export const requireSecondFactor = async (ctx: Ctx, { seen_is_required, is_required }: FactorRuleChange): Promise<FactorRule> => {
  const [before, team] = await Promise.all([readFactorRuleForChange(ctx), listTeam(ctx)]);
  if (before !== seen_is_required) throw await stateChanged(ctx, { area: "staff", subject: FACTOR_RULE }, presentRule(before));
  if (is_required && !team.some(({ email, has_second_factor }) => email === ctx.actor.email && has_second_factor))
    throw validationError({ is_required: ["Set up your own second factor first."] });
  if (is_required !== before) changeFactorRule(ctx, is_required);
  return presentRule(is_required);
};

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
import { countMemberSessions, endMemberSessions, readMemberSessions } from "#platform/accounts/service.ts";
import { readStaffActions, recordAudit, stateChanged } from "#platform/audit/service.ts";
import { addNewStaff, changeStaffRole, listTeam, lockInvitations, type TeamRow } from "#platform/memberships/service.ts";
import { countInvitationMail, sendInvitation, sendInvitationAgain } from "#platform/one-time-links/service.ts";
import { changeFactorRule, FACTOR_RULE, readFactorRule, readFactorRuleForChange } from "#platform/tenants/service.ts";
import { countTokensOfUsers } from "#platform/tokens/service.ts";
import { type AccessChoice, decideAccess, removeMember } from "#venue/offboarding/service.ts";
import { countScreensPairedBy } from "#venue/screens/service.ts";
import { readShiftsToCome } from "#venue/shifts/service/leaving.ts";
import { presentMember } from "./present.ts";
import { countedSince, invitationWait, isLastOwner, isLower, mayInvite, raisesSelf, TEAM_MAX } from "./rules.ts";

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
  return rows.map((row) => presentMember(row, { sessions, screens, tokens, shifts }, ctx.actor.email));
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

const roleChanged = async (ctx: Ctx, { id, email }: TeamRow): Promise<ApiError> =>
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
  const refusal = invitationWait(await readStaffActions(ctx, INVITING, countedSince(ctx.now)), email, ctx.now);
  if (refusal) throw tooManyInvitations(ctx, refusal.limit, refusal.seconds);
  const seconds = await countInvitationMail(ctx, email);
  if (seconds > 0) throw tooManyInvitations(ctx, "address", seconds);
};

export const inviteMember = async (ctx: Ctx, { name, role, language = null, ...wanted }: Invitation): Promise<TeamMember> => {
  const email = wanted.email.toLowerCase();
  const team = await listTeam(ctx);
  assertMayInvite(ctx, team, role);
  if (team.length >= TEAM_MAX) throw validationError({ email: [`A team has at most ${TEAM_MAX} people.`] });
  await countInvitation(ctx, email);
  if (!(await addNewStaff(ctx, { email, name, role, locale: language })))
    throw validationError({ email: ["This person is in the team already."] });
  await sendInvitation(ctx, email);
  return readMember(ctx, (row) => row.email === email);
};

export const resendInvitation = async (ctx: Ctx, id: number): Promise<void> => {
  const { team, member } = await findMember(ctx, id);
  assertMayInvite(ctx, team, member.role);
  if (member.seen_at !== null) throw validationError({ id: ["This person has accepted the invitation."] });
  await countInvitation(ctx, member.email);
  await sendInvitationAgain(ctx, member.email);
  recordAudit(ctx, {
    action: "staff.invitation_resent",
    subject: { kind: "staff", id: member.email },
    after: { name: member.name, role: member.role },
  });
};

const LAST_OWNER = "A venue keeps one owner who has accepted the invitation. Make another person an owner first.";

/** The body is read after the member was found. */
export const changeRole = async (ctx: Ctx, id: number, read: () => RoleChange): Promise<TeamMember> => {
  const { team, member } = await findMember(ctx, id);
  const { seen_role, role, tokens = "keep", screens = "keep" } = read();
  if (member.role !== seen_role) throw await roleChanged(ctx, member);
  if (raisesSelf(ctx.actor.email, member, role)) throw apiError("role_required", { required_role: role });
  if (isLastOwner(team, member, role)) throw validationError({ role: [LAST_OWNER] });
  if (member.role === role) return readMember(ctx, (row) => row.id === id);
  changeStaffRole(ctx, member, role);
  if (isLower(role, member.role)) await decideAccess(ctx, member.email, { tokens, screens });
  return readMember(ctx, (row) => row.id === id);
};

export type AccessToEnd = { email: string; choice: AccessChoice };

/** Null when the change will be refused, or leaves what the person made as it is. */
export const findAccessToEnd = async (ctx: Ctx, id: number, read: () => RoleChange): Promise<AccessToEnd | null> => {
  const { team, member } = await findMember(ctx, id);
  const { seen_role, role, tokens = "keep", screens = "keep" } = read();
  if (member.role !== seen_role || !isLower(role, member.role) || isLastOwner(team, member, role)) return null;
  return tokens === "end" || screens === "end" ? { email: member.email, choice: { tokens, screens } } : null;
};

/** The address, when the member can be removed as the caller saw them. */
export const checkRemoval = async (ctx: Ctx, id: number, read: () => MemberRemovalOrder): Promise<{ email: string }> => {
  const { team, member } = await findMember(ctx, id);
  if (member.role !== read().seen_role) throw await roleChanged(ctx, member);
  if (isLastOwner(team, member, null)) throw validationError({ role: [LAST_OWNER] });
  return { email: member.email };
};

/** Checked again, because the sandbox had its own transaction since. */
export const removeFromTeam = async (ctx: Ctx, id: number, order: MemberRemovalOrder): Promise<void> => {
  const { email } = await checkRemoval(ctx, id, () => order);
  await removeMember(ctx, email, { tokens: order.tokens, screens: order.screens });
};

/** Sessions are shown and ended once the person accepted, as everything else of the account. */
const accountOf = ({ user_id, seen_at }: TeamRow): number | null => (seen_at === null ? null : user_id);

export const listMemberSessions = async (ctx: Ctx, id: number): Promise<MemberSession[]> => {
  const user_id = accountOf((await findMember(ctx, id)).member);
  return user_id === null ? [] : readMemberSessions(ctx, user_id);
};

export const endSessionsOfMember = async (ctx: Ctx, id: number): Promise<{ ended: number }> => {
  const { member } = await findMember(ctx, id);
  const { email } = member;
  const user_id = accountOf(member);
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

/** Who asks it of others has it: else the owner's own next call would be refused. */
export const requireSecondFactor = async (ctx: Ctx, { seen_is_required, is_required }: FactorRuleChange): Promise<FactorRule> => {
  const [before, team] = await Promise.all([readFactorRuleForChange(ctx), listTeam(ctx)]);
  if (before !== seen_is_required) throw await stateChanged(ctx, { area: "staff", subject: FACTOR_RULE }, presentRule(before));
  if (is_required && !team.some(({ email, has_second_factor }) => email === ctx.actor.email && has_second_factor))
    throw validationError({ is_required: ["Set up your own second factor first."] });
  if (is_required !== before) changeFactorRule(ctx, is_required);
  return presentRule(is_required);
};

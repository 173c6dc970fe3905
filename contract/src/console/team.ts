/** The people who work in a venue, as owners and managers see and change them in the console. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Done, Instant, Role } from "./operation.ts";

/** The languages of the mail. */
export const TEAM_LANGUAGES = ["en", "it", "ar"] as const;

export const TeamMember = Type.Object({
  id: Id,
  /** Until the person accepted, the name in the invitation; then the one that the person chose. */
  name: Type.String(),
  email: Type.String(),
  role: Role,
  /** The language of the invitation. */
  language: Nullable(Type.String()),
  is_self: Type.Boolean(),
  invited_at: Instant,
  /** The person said yes. Until then the address gives no access, and nothing is shown of an account that it may have. */
  is_accepted: Type.Boolean(),
  /** Null once it is accepted. */
  invitation: Nullable(Type.Object({ state: Literals(["open", "declined", "expired"]), expires_at: Instant })),
  /** The last use of this venue, to five minutes. */
  last_seen_at: Nullable(Instant),
  /** Null until the invitation is accepted: an address alone does not reveal whether it has an account. */
  has_second_factor: Nullable(Type.Boolean()),
  /** Sessions that were used in this venue. */
  sessions: Count,
  /** Screens of this venue that the person paired and that still work. */
  screens: Count,
  tokens: Count,
  /** Shifts that have not begun. They are removed with the person. */
  shifts: Count,
});
export type TeamMember = Static<typeof TeamMember>;

export const Team = Type.Object({ members: Type.Array(TeamMember), is_second_factor_required: Type.Boolean() });
export type Team = Static<typeof Team>;

export const MemberSession = Type.Object({
  id: Id,
  created_at: Instant,
  last_seen_at: Instant,
  address: Nullable(Type.String()),
  browser: Nullable(Type.String()),
  system: Nullable(Type.String()),
});
export type MemberSession = Static<typeof MemberSession>;

const Invitation = Type.Object({
  email: Type.String({ format: "email", maxLength: 254 }),
  name: Type.String({ minLength: 1, maxLength: 120, pattern: "\\S" }),
  role: Role,
  language: Type.Optional(Nullable(Literals(TEAM_LANGUAGES))),
});
export type Invitation = Static<typeof Invitation>;

/** Which limit refused an invitation, that of the venue or that of the address, and when it ends. In the details of 429. */
export type InvitationLimit = { limit: "venue" | "address"; until: string };

const KeepOrEnd = Literals(["keep", "end"]);

/**
 * `screens` and `tokens` count for a lower role, and say what happens to the access that the person made, in the venue and its sandbox:
 * kept where nothing is said. Kept access to the venue is recorded.
 */
const RoleChange = Type.Object({
  seen_role: Role,
  role: Role,
  screens: Type.Optional(KeepOrEnd),
  tokens: Type.Optional(KeepOrEnd),
});
export type RoleChange = Static<typeof RoleChange>;

/** `tokens`: with the apps that the person allowed, the webhook addresses that the person added and the till that the person connected; of the sandbox too. */
const MemberRemovalOrder = Type.Object({ seen_role: Role, screens: KeepOrEnd, tokens: KeepOrEnd });
export type MemberRemovalOrder = Static<typeof MemberRemovalOrder>;

const FactorRule = Type.Object({ is_second_factor_required: Type.Boolean() });
export type FactorRule = Static<typeof FactorRule>;

const FactorRuleChange = Type.Object({ seen_is_required: Type.Boolean(), is_required: Type.Boolean() });
export type FactorRuleChange = Static<typeof FactorRuleChange>;

/** The role that the page showed: a person gets no other one than they saw. */
const InvitationAnswer = Type.Object({ seen_role: Role });

const TEAM_PATH = "/venues/{venue}/team" as const;
const MEMBER_PATH = `${TEAM_PATH}/{id}` as const;
const OWN_INVITATION_PATH = "/venues/{venue}/invitation" as const;

/** No plan is needed, so that an owner can end access at any time. */
export const teamOperations = {
  listTeam: { method: "GET", path: TEAM_PATH, who: "manager", success: { status: 200, body: Data(Team) } },
  /**
   * Managers invite staff, owners invite any role. The answer is the same whether the address has an account or not. 422 `email` when the
   * person is in the team or invited, or when 100 people who did not accept are in it. 429 after 30 invitations of the venue in a
   * day, five to one address, or ten to one address from all venues: the details say which and until when.
   */
  inviteMember: {
    method: "POST",
    path: TEAM_PATH,
    who: "manager",
    isIdempotent: true,
    needsRecentPassword: true,
    perMinute: 10,
    body: Invitation,
    success: { status: 201, body: Data(TeamMember) },
  },
  /** The invitation is open for another week, also after it was declined; the link of the earlier mail ends. 422 `id` when it was accepted. Limited as `inviteMember` is. */
  resendInvitation: {
    method: "POST",
    path: `${MEMBER_PATH}/invitation`,
    who: "manager",
    isIdempotent: true,
    perMinute: 10,
    body: Type.Object({}),
    success: { status: 202, body: Done },
  },
  /**
   * A member who may invite to that role may withdraw the invitation. 409 `state_changed` when it was accepted. A repetition finds none:
   * 404.
   */
  withdrawInvitation: {
    method: "DELETE",
    path: `${MEMBER_PATH}/invitation`,
    who: "manager",
    isIdempotent: true,
    revokes: "venue",
    body: Type.Object({}),
    success: { status: 200, body: Done },
  },
  /** 409 `state_changed` when the person no longer has that role. 422 `role` for the last owner. */
  changeRole: {
    method: "PUT",
    path: `${MEMBER_PATH}/role`,
    who: "owner",
    isMultiTransaction: true,
    isIdempotent: true,
    revokes: "venue",
    needsRecentPassword: true,
    body: RoleChange,
    success: { status: 200, body: Data(TeamMember) },
  },
  /**
   * The person's next call in this venue is refused, and open pages end. 409 `state_changed` when the person no longer has that role. 422
   * `role` for the last owner. A repetition finds no such person: 404.
   */
  removeMember: {
    method: "DELETE",
    path: MEMBER_PATH,
    who: "owner",
    isMultiTransaction: true,
    isIdempotent: true,
    revokes: "venue",
    needsRecentPassword: true,
    body: MemberRemovalOrder,
    success: { status: 200, body: Done },
  },
  /** Sessions that were used in this venue. One that was only used in other venues is theirs. */
  listMemberSessions: {
    method: "GET",
    path: `${MEMBER_PATH}/sessions`,
    who: "owner",
    success: { status: 200, body: Data(Type.Array(MemberSession)) },
  },
  /**
   * No session that was opened until now gives access to this venue: the person signs in again. They stay signed in to their other venues,
   * and their devices stay known. A person without another venue is signed out, and their devices are no longer known. The answer counts
   * what `listMemberSessions` shows. 422 `id` for oneself: the account page does that.
   */
  endMemberSessions: {
    method: "DELETE",
    path: `${MEMBER_PATH}/sessions`,
    who: "owner",
    isIdempotent: true,
    revokes: "venue",
    body: Type.Object({}),
    success: { status: 200, body: Data(Type.Object({ ended: Count })) },
  },
  /**
   * Whether owners and managers must have a second factor. One without gets 403 `second_factor_setup_required` from every call of the
   * venue, and `is_second_factor_missing` in the session. 422 `is_required` when the caller has none. 409 `state_changed` when it is not
   * as the page saw it.
   */
  requireSecondFactor: {
    method: "PUT",
    path: `${TEAM_PATH}/second-factor`,
    who: "owner",
    isIdempotent: true,
    revokes: "venue",
    needsRecentPassword: true,
    body: FactorRuleChange,
    success: { status: 200, body: Data(FactorRule) },
  },
  /** The person becomes a member. 409 `state_changed` when the role is another one by now. 404 when the invitation was withdrawn, declined or is over. */
  acceptInvitation: {
    method: "POST",
    path: OWN_INVITATION_PATH,
    who: "invited",
    isIdempotent: true,
    body: InvitationAnswer,
    success: { status: 200, body: Done },
  },
  /** The venue sees that it was declined, and nothing else. 404 when it is not open any more. */
  declineInvitation: {
    method: "DELETE",
    path: OWN_INVITATION_PATH,
    who: "invited",
    isIdempotent: true,
    body: Type.Object({}),
    success: { status: 200, body: Done },
  },
  /**
   * The person is no member any more, and stays signed in. A venue that asks for a second factor can be left without one. What they set up stays with the venue; their shifts to come are removed. 422 `role` for the last
   * owner. A repetition finds no membership: 404.
   */
  leaveVenue: {
    method: "DELETE",
    path: "/venues/{venue}/membership",
    who: "invited",
    isIdempotent: true,
    revokes: "venue",
    body: Type.Object({}),
    success: { status: 200, body: Done },
  },
} as const satisfies Record<string, ConsoleOperation>;

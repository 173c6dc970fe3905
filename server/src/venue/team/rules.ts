/** Which member may change which other member, and how many invitations are sent. */
import { ROLES, type Role } from "@comanda/contract/console/operation.ts";
import type { InvitationLimit } from "@comanda/contract/console/team.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** In a day, by all people of a venue. */
export const INVITATIONS_A_DAY_MAX = 30;
/** In a day, from one venue, so that no mailbox is filled. */
export const INVITATIONS_TO_ONE_MAX = 5;
export const TEAM_MAX = 500;
/** People of a team who did not accept. */
export const INVITED_MAX = 100;

/** Only entries after this are counted. */
export const countedSince = (now: Date): Date => new Date(now.getTime() - DAY_MS);

const secondsUntilFree = (times: readonly Date[], max: number, now: Date): number => {
  const oldest = times[max - 1];
  return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - now.getTime()) / 1000));
};

type SentInvitation = { at: Date; subject_id: string };

/** Null: it may be sent. `sent` are the venue's of the last day, the newest first. */
export const invitationWait = (
  sent: readonly SentInvitation[],
  email: string,
  now: Date,
): { limit: InvitationLimit["limit"]; seconds: number } | null => {
  const ofVenue = secondsUntilFree(
    sent.map(({ at }) => at),
    INVITATIONS_A_DAY_MAX,
    now,
  );
  const toAddress = secondsUntilFree(
    sent.filter(({ subject_id }) => subject_id === email).map(({ at }) => at),
    INVITATIONS_TO_ONE_MAX,
    now,
  );
  if (ofVenue + toAddress === 0) return null;
  return ofVenue > toAddress ? { limit: "venue", seconds: ofVenue } : { limit: "address", seconds: toAddress };
};

/** Managers add staff; owners add anyone. */
export const mayInvite = (inviter: Role, role: Role): boolean => inviter === "owner" || (inviter === "manager" && role === "staff");

/** ROLES is ordered from the highest role to the lowest. */
const isHigher = (role: Role, than: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(than);

export const isLower = (role: Role, than: Role): boolean => isHigher(than, role);

type RankedMember = { id: number; email: string; role: Role; accepted_at: Date | null };

/** `role` null: the member leaves. Who did not accept does not count as an owner: the address may be mistyped. */
export const isLastOwner = (team: readonly RankedMember[], member: RankedMember, role: Role | null): boolean =>
  member.role === "owner" &&
  role !== "owner" &&
  !team.some(({ id, ...one }) => id !== member.id && one.role === "owner" && one.accepted_at !== null);

type AnsweredInvitation = { accepted_at: Date | null; declined_at: Date | null; invited_until: Date };

/** Null: it was accepted. */
export const invitationState = (
  { accepted_at, declined_at, invited_until }: AnsweredInvitation,
  now: Date,
): "open" | "declined" | "expired" | null => {
  if (accepted_at !== null) return null;
  if (declined_at !== null) return "declined";
  return invited_until > now ? "open" : "expired";
};

/** A caller cannot take a higher role. */
export const raisesSelf = (callerEmail: string | undefined, member: RankedMember, role: Role): boolean =>
  member.email === callerEmail && isHigher(role, member.role);

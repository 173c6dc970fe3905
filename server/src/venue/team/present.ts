import type { Role } from "@comanda/contract/console/operation.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { invitationState } from "./rules.ts";

type ShownMember = {
  id: number;
  email: string;
  name: string;
  role: Role;
  locale: string | null;
  created_at: Date;
  seen_at: Date | null;
  accepted_at: Date | null;
  declined_at: Date | null;
  invited_until: Date;
  user_id: number | null;
  own_name: string | null;
  has_second_factor: boolean;
};

export type MemberCounts = {
  sessions: Map<number, number>;
  screens: Map<string, number>;
  tokens: Map<string, number>;
  shifts: Map<number, number>;
};

/** Nothing of an account is shown before its person accepted: anyone's address can be invited. */
export const presentMember = (
  row: ShownMember,
  counts: MemberCounts,
  { callerEmail, now }: { callerEmail: string | undefined; now: Date },
): TeamMember => {
  const isAccepted = row.accepted_at !== null;
  const state = invitationState(row, now);
  return {
    id: row.id,
    name: (isAccepted ? row.own_name : null) ?? row.name,
    email: row.email,
    role: row.role,
    language: row.locale,
    is_self: row.email === callerEmail,
    invited_at: row.created_at.toISOString(),
    is_accepted: isAccepted,
    invitation: state === null ? null : { state, expires_at: row.invited_until.toISOString() },
    last_seen_at: isAccepted ? (row.seen_at?.toISOString() ?? null) : null,
    has_second_factor: isAccepted ? row.has_second_factor : null,
    sessions: isAccepted ? (counts.sessions.get(row.user_id ?? 0) ?? 0) : 0,
    screens: counts.screens.get(row.email) ?? 0,
    tokens: counts.tokens.get(row.email) ?? 0,
    shifts: counts.shifts.get(row.id) ?? 0,
  };
};

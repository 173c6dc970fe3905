/** Fixtures: the team of a venue, with a person who has not accepted yet. */
import type { MemberSession, Team, TeamMember } from "@comanda/contract/console/team.ts";
import { ago, DAY, HOUR, MINUTE } from "./fixture-times.ts";

const owner: TeamMember = {
  id: 401,
  name: "Nina Ferrari",
  email: "nina@trattoria.example",
  role: "owner",
  language: "it",
  is_self: true,
  invited_at: ago(400 * DAY),
  is_accepted: true,
  last_seen_at: ago(MINUTE),
  has_second_factor: true,
  sessions: 2,
  screens: 1,
  tokens: 3,
  shifts: 0,
};

export const team: Team = {
  members: [
    owner,
    {
      ...owner,
      id: 402,
      name: "سامي الحداد",
      email: "sami@trattoria.example",
      role: "manager",
      is_self: false,
      has_second_factor: false,
      last_seen_at: ago(3 * HOUR),
      sessions: 1,
      screens: 2,
      tokens: 1,
      shifts: 4,
    },
    {
      ...owner,
      id: 403,
      name: "Maximiliane Charlotte von und zu Hohenstein-Waldburg",
      email: "maximiliane.charlotte.hohenstein-waldburg@trattoria-da-nino.example",
      role: "staff",
      is_self: false,
      has_second_factor: false,
      last_seen_at: ago(19 * DAY),
      sessions: 0,
      screens: 0,
      tokens: 0,
    },
    {
      ...owner,
      id: 404,
      name: "Ada",
      email: "ada@example.com",
      role: "staff",
      is_self: false,
      invited_at: ago(2 * DAY),
      is_accepted: false,
      last_seen_at: null,
      has_second_factor: null,
      sessions: 0,
      screens: 0,
      tokens: 0,
    },
  ],
  is_second_factor_required: false,
};

export const memberSessions: MemberSession[] = [
  { id: 501, created_at: ago(3 * DAY), last_seen_at: ago(MINUTE), address: "203.0.113.9", browser: "Firefox", system: "macOS" },
  {
    id: 502,
    created_at: ago(20 * DAY),
    last_seen_at: ago(2 * DAY),
    address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
    browser: null,
    system: null,
  },
];

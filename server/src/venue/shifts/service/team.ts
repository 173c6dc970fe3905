/** Lists the people of a week: those of the team, and those who left and have shifts in it. */
import type { ShiftMember } from "@comanda/contract/console/shifts.ts";
import type { Ctx } from "#lib/context.ts";
import { listTeam, type TeamRow } from "#platform/people/memberships/service.ts";
import { type StoredShift, shownNameOf } from "../rules.ts";

export type ShiftTeam = ReadonlyMap<number, TeamRow>;

export const readShiftTeam = async (ctx: Ctx): Promise<ShiftTeam> => new Map((await listTeam(ctx)).map((row) => [row.id, row]));

/** A person who left is named as in the last change of the shift. */
export const nameInTeam =
  (team: ShiftTeam) =>
  ({ staff_id, staff_name }: Pick<StoredShift, "staff_id" | "staff_name">): string => {
    const member = team.get(staff_id);
    return member ? shownNameOf(member) : staff_name;
  };

/** The people are in the order of their names. */
export const peopleOf = (team: ShiftTeam, rows: readonly StoredShift[]): ShiftMember[] => {
  const members = [...team.values()].map((row) => ({
    id: row.id,
    name: shownNameOf(row),
    has_accepted: row.accepted_at !== null,
    has_left: false,
  }));
  const former = new Map(
    rows
      .filter(({ staff_id }) => !team.has(staff_id))
      .map(({ staff_id, staff_name }) => [staff_id, { id: staff_id, name: staff_name, has_accepted: false, has_left: true }]),
  );
  return [...members, ...former.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
};

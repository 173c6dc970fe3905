/** Reads a person's own shifts: those that are published, and no others. */
import type { OwnShifts } from "@comanda/contract/console/shifts.ts";
import type { Ctx } from "#lib/context.ts";
import { findStaffId } from "#platform/people/memberships/service.ts";
import { listBranchNames } from "#venue/settings/service.ts";
import { presentOwnShift } from "../present.ts";
import { ownShiftsUntil } from "../rules.ts";
import { listOwnShifts } from "../store.ts";

/** A person cannot have more shifts than this in four weeks. */
const ROWS_MAX = 500;

export const readOwnShifts = async (ctx: Ctx): Promise<OwnShifts> => {
  const { zone } = ctx.tenant;
  const [id, branches] = await Promise.all([findStaffId(ctx, ctx.actor.email ?? ""), listBranchNames(ctx)]);
  const rows = id === null ? [] : await listOwnShifts(ctx, id, ownShiftsUntil(ctx.now), ROWS_MAX);
  return { shifts: rows.map((row) => presentOwnShift(zone, row)), has_branches: branches.length > 1, zone };
};

/** Branches, their hours and closing days. Bookings are decided by them: every write holds the lock of all bookings. */
import type {
  BranchDay,
  DateToClose,
  DateToOpen,
  VenueBranch,
  VenueSettingParts,
  WantedBranch,
} from "@comanda/contract/console/venue-settings.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { newKey } from "#lib/ids.ts";
import { recordChange } from "#lib/record-change.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { lockBookedExperiences } from "#venue/bookings/experiences/service/experiences.ts";
import { countBookingsOfBranches, countBookingsOn, lockTables } from "#venue/bookings/reservations/service/bookings.ts";
import {
  deleteClosingDay,
  insertClosingDay,
  listBranches,
  readTables,
  takeBranchIds,
  writeBranches,
  writeTables,
} from "#venue/settings/service.ts";
import { presentPart } from "../present.ts";
import {
  type BookedCounts,
  branchesAfter,
  branchesChange,
  closingErrors,
  newBranchCount,
  removedBranches,
  versionOf,
  wantedBranchErrors,
} from "../rules.ts";
import { refuseFaults, settingsChanged } from "./stale.ts";

type BranchesAnswer = VenueSettingParts["branches"];
type SeenBranches = { seen_version: string; branches: readonly WantedBranch[] };

/** Saves all branches or none. */
export const saveBranches = async (ctx: Ctx, { seen_version, branches: wanted }: SeenBranches): Promise<BranchesAnswer> => {
  lockTables(ctx);
  const before = await listBranches(ctx);
  if (versionOf(before) !== seen_version) throw await settingsChanged(ctx, "branches", presentPart(before));
  const ids = await takeBranchIds(ctx, newBranchCount(before, wanted));
  const branches = branchesAfter(
    before,
    wanted,
    ids.map((id) => ({ id, key: newKey("branch") })),
  );
  const removed = removedBranches(before, wanted);
  refuseFaults(wantedBranchErrors(branches, removed, await readBookedCounts(ctx, removed)));
  await writeBranches(ctx, branches);
  if (removed.length > 0) await removeTablesOf(ctx, removed);
  const after = await listBranches(ctx);
  const change = branchesChange(before, after);
  if (change !== null) record(ctx, { action: "branches.changed", ...change });
  return presentPart(after);
};

/** Sessions of the removed branches are locked, so that no ticket is sold meanwhile. */
const readBookedCounts = async (ctx: Ctx, branches: readonly VenueBranch[]): Promise<ReadonlyMap<number, BookedCounts>> => {
  const ids = branches.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { ofBranches } = await lockBookedExperiences(ctx, ({ branch_id }) => ids.includes(branch_id));
  const booked = await countBookingsOfBranches(ctx, ids);
  return new Map(ids.map((id) => [id, { bookings: booked.get(id) ?? 0, tickets: ofBranches.get(id) ?? 0 }]));
};

/** A table stands in a branch, so it is removed with it. */
const removeTablesOf = async (ctx: Ctx, removed: readonly VenueBranch[]): Promise<void> => {
  const gone = new Set(removed.map(({ id }) => id));
  const { tables, combinations } = await readTables(ctx);
  const kept = tables.filter(({ branch_id }) => !gone.has(branch_id));
  const keys = new Map(kept.map(({ id, key }) => [id, key]));
  const joined = combinations.filter(({ table_ids }) => table_ids.every((id) => keys.has(id)));
  await writeTables(
    ctx,
    kept,
    joined.map(({ table_ids, seats }) => ({ tables: table_ids.flatMap((id) => keys.get(id) ?? []), seats })),
  );
};

type BranchEntry = { action: string; before?: Record<string, unknown>; after?: Record<string, unknown> };

/** Pages of bookings show branches and hours, and listen to another area than pages of settings. */
const record = (ctx: Ctx, entry: BranchEntry): void => {
  recordAudit(ctx, { ...entry, subject: { kind: "branches", id: ctx.tenant.id } });
  recordChange(ctx, { kind: "floor", id: ctx.tenant.id });
};

const findBranch = (branches: readonly VenueBranch[], id: number): VenueBranch => {
  const branch = branches.find((one) => one.id === id);
  if (!branch) throw validationError({ branch_id: ["There is no such branch."] });
  return branch;
};

const isClosedOn = ({ closing_days }: VenueBranch, date: string): boolean => closing_days.some((day) => day.date === date);

const presentDay = async (ctx: Ctx, { branch_id, date }: DateToOpen): Promise<BranchDay> => {
  const [branches, bookings] = await Promise.all([listBranches(ctx), countBookingsOn(ctx, branch_id, date)]);
  return { branches: presentPart(branches), bookings };
};

/** Compare and set: when two people close a day at once, one closes it, and the other gets the name of the first. */
export const closeBranchOn = async (ctx: Ctx, { branch_id, date, reason }: DateToClose): Promise<BranchDay> => {
  lockTables(ctx);
  const before = await listBranches(ctx);
  const branch = findBranch(before, branch_id);
  if (isClosedOn(branch, date)) throw await settingsChanged(ctx, "branches", presentPart(before));
  refuseFaults(closingErrors(branch, date, { zone: ctx.tenant.zone, now: ctx.now }));
  insertClosingDay(ctx, branch_id, { date, reason });
  record(ctx, { action: "branches.closed_on", after: { branch: branch.key, date, reason } });
  return presentDay(ctx, { branch_id, date });
};

/** Takes a closing day back, also one of a venue file. */
export const openBranchOn = async (ctx: Ctx, { branch_id, date }: DateToOpen): Promise<BranchDay> => {
  lockTables(ctx);
  const before = await listBranches(ctx);
  const branch = findBranch(before, branch_id);
  const day = branch.closing_days.find((one) => one.date === date);
  if (!day) throw await settingsChanged(ctx, "branches", presentPart(before));
  deleteClosingDay(ctx, branch_id, date);
  record(ctx, { action: "branches.opened_on", before: { branch: branch.key, ...day } });
  return presentDay(ctx, { branch_id, date });
};

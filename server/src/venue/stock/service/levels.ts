/** What is there of each ingredient: read, counted, delivered, wasted. */
import type { CountResult, StockLedger, StockLevel, StockSheet } from "@comanda/contract/console/stock.ts";
import { INGREDIENTS_MAX } from "@comanda/contract/venue-file/stock.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { changedBy, recordAudits } from "#platform/activity/audit/service.ts";
import { listBranches } from "#venue/settings/service.ts";
import { presentLevel, presentStockEntry } from "../present.ts";
import { milliOf, quantityOf, summedLines } from "../rules.ts";
import { type BookedEntry, findLastEntry, type LevelRow, listLevels, listLevelsOf, listStockEntries, lockLevel } from "../store/levels.ts";
import { bookEntries } from "./booking.ts";

const ENTRIES_SHOWN_MAX = 100;

type StockBranch = Awaited<ReturnType<typeof listBranches>>[number];

const chosenBranch = (branches: readonly StockBranch[], id: number | undefined): StockBranch => {
  const branch = branches.find((one) => (id === undefined ? one.is_default : one.id === id));
  if (!branch) throw apiError("not_found");
  return branch;
};

const readBranch = async (ctx: Ctx, id: number | undefined): Promise<StockBranch> => chosenBranch(await listBranches(ctx), id);

/** Without a branch, of the default one. */
export const readSheet = async (ctx: Ctx, branchId: number | undefined): Promise<StockSheet> => {
  const branches = await listBranches(ctx);
  const branch = chosenBranch(branches, branchId);
  return {
    branch_id: branch.id,
    branches: branches.map(({ id, key, name }) => ({ id, key, name })),
    ingredients: (await listLevels(ctx, branch.id, INGREDIENTS_MAX)).map(presentLevel),
    default_language: ctx.tenant.default_language,
    zone: ctx.tenant.zone,
  };
};

const findLevel = async (ctx: Ctx, branchId: number, ingredientId: number): Promise<LevelRow> => {
  const [level] = await listLevelsOf(ctx, branchId, [ingredientId]);
  if (!level) throw apiError("not_found");
  return level;
};

/** The newest entries first. */
export const readLedger = async (ctx: Ctx, ingredientId: number, branchId: number | undefined): Promise<StockLedger> => {
  const branch = await readBranch(ctx, branchId);
  const level = await findLevel(ctx, branch.id, ingredientId);
  const entries = await listStockEntries(ctx, branch.id, ingredientId, ENTRIES_SHOWN_MAX + 1);
  return {
    level: presentLevel(level),
    entries: entries.slice(0, ENTRIES_SHOWN_MAX).map(presentStockEntry),
    is_cut: entries.length > ENTRIES_SHOWN_MAX,
    zone: ctx.tenant.zone,
  };
};

type SeenCount = { branch_id: number; counted: number; seen_on_hand: number };

/**
 * What is counted is there from now on. A person who saw another level gets the present one: what an order took in between may be missing
 * in the count or not.
 */
export const countSeen = async (ctx: Ctx, ingredientId: number, read: () => SeenCount): Promise<CountResult> => {
  const branches = await listBranches(ctx);
  // 404 comes before the faults of the body: the ingredient is looked up in any branch.
  await findLevel(ctx, chosenBranch(branches, undefined).id, ingredientId);
  const { branch_id, counted, seen_on_hand } = read();
  if (!branches.some(({ id }) => id === branch_id)) throw validationError({ branch_id: ["There is no such branch."] });
  await lockLevel(ctx, branch_id, ingredientId);
  const before = await findLevel(ctx, branch_id, ingredientId);
  if (before.on_hand_milli !== milliOf(seen_on_hand)) throw await levelChanged(ctx, branch_id, before);
  const [entry] = await bookEntries(ctx, {
    branchId: branch_id,
    kind: "count",
    amounts: [{ ingredient_id: ingredientId, milli: milliOf(counted) }],
  });
  if (!entry) throw new Error("A count has one entry");
  recordEntries(ctx, "counted", branch_id, [entry]);
  return { level: presentLevel(await findLevel(ctx, branch_id, ingredientId)), variance: quantityOf(entry.amount_milli) };
};

const levelChanged = async (ctx: Ctx, branchId: number, level: LevelRow): Promise<ApiError> => {
  const last = await findLastEntry(ctx, branchId, level.id);
  return changedBy({ level: presentLevel(level) }, last ? { who: last.recorded_by, at: last.recorded_at } : null);
};

const recordEntries = (ctx: Ctx, what: "counted" | "delivered" | "wasted", branchId: number, entries: readonly BookedEntry[]): void =>
  recordAudits(
    ctx,
    entries.map(({ ingredient_id, amount_milli, on_hand_milli }) => ({
      action: `ingredient.${what}`,
      subject: { kind: "ingredient", id: ingredient_id },
      before: { on_hand: quantityOf(on_hand_milli - amount_milli) },
      after: { on_hand: quantityOf(on_hand_milli), branch_id: branchId },
    })),
  );

export type StockMove = { branch_id: number; lines: readonly { ingredient_id: number; quantity: number }[]; reason?: string | null };

/** All lines or none. Several lines of one ingredient are added up. */
export const recordMove = async (ctx: Ctx, kind: "delivery" | "waste", { branch_id, lines, reason }: StockMove): Promise<StockLevel[]> => {
  if (!(await listBranches(ctx)).some(({ id }) => id === branch_id)) throw validationError({ branch_id: ["There is no such branch."] });
  const sums = summedLines(lines);
  const ids = sums.map(({ ingredient_id }) => ingredient_id);
  const known = new Set((await listLevelsOf(ctx, branch_id, ids)).map(({ id }) => id));
  const errors = lines.flatMap(({ ingredient_id }, index): [string, string[]][] =>
    known.has(ingredient_id) ? [] : [[`lines.${index}.ingredient_id`, ["There is no such ingredient."]]],
  );
  if (errors.length > 0) throw validationError(Object.fromEntries(errors));
  const sign = kind === "delivery" ? 1 : -1;
  const amounts = sums.map(({ ingredient_id, milli }) => ({ ingredient_id, milli: sign * milli }));
  const entries = await bookEntries(ctx, { branchId: branch_id, kind, amounts, reason: reason || null });
  recordEntries(ctx, kind === "delivery" ? "delivered" : "wasted", branch_id, entries);
  return (await listLevelsOf(ctx, branch_id, ids)).map(presentLevel);
};

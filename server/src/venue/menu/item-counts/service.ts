/** How many portions of a dish are left. What follows when none is left is decided in `menu-today`. */
import type { Ctx } from "#lib/context.ts";
import {
  addPortions,
  deleteCount,
  deleteEndedCounts,
  findCountForChange,
  type ItemCount,
  type Portions,
  subtractPortions,
  upsertCount,
} from "./store.ts";

export { deleteEndedCounts };

/** Null for a dish that is not counted. A count is locked before its dish, as an order does that takes the last portion. */
export const lockCount = async (ctx: Ctx, itemId: number): Promise<number | null> =>
  (await findCountForChange(ctx, itemId))?.remaining ?? null;

/** Null ends the count. */
export const setCount = (ctx: Ctx, itemId: number, remaining: number | null): void =>
  remaining === null ? deleteCount(ctx, itemId) : upsertCount(ctx, itemId, remaining);

const byId = (counts: ItemCount[]): ItemCount[] => counts.toSorted((a, b) => a.item_id - b.item_id);

/** What is left afterwards, in id order. An order that finds too few left lost a race, and runs again. */
export const takePortions = async (ctx: Ctx, portions: readonly Portions[]): Promise<ItemCount[]> =>
  byId(await subtractPortions(ctx, portions));

export const returnPortions = async (ctx: Ctx, portions: readonly Portions[], placedAt: Date): Promise<ItemCount[]> =>
  byId(await addPortions(ctx, portions, placedAt));

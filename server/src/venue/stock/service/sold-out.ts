/** Dishes and options that are sold out while an ingredient is missing, and come back with it. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { changeOption, findOptionForChange, flipItem, lockedItem } from "#venue/menu/service/items.ts";
import { listDishesToFlip, listOptionsToFlip } from "../store/recipes.ts";

const BATCH_ROWS = 50;

/**
 * One dish or option at a time is locked and judged again, so that of two jobs the later one decides by the levels of its moment. True when
 * there may be more.
 */
export const followStock = async (ctx: Ctx): Promise<boolean> => {
  const options = await listOptionsToFlip(ctx, null, BATCH_ROWS);
  for (const { id } of options) await followOption(ctx, id);
  const dishes = await listDishesToFlip(ctx, null, BATCH_ROWS);
  for (const { id } of dishes) await followDish(ctx, id);
  return options.length === BATCH_ROWS || dishes.length === BATCH_ROWS;
};

const followDish = async (ctx: Ctx, id: number): Promise<void> => {
  const row = await lockedItem(ctx, id);
  const [change] = await listDishesToFlip(ctx, [id], 1);
  if (!row || !change || row.is_available === change.is_available) return;
  const { is_available } = change;
  flipItem(ctx, row, { is_available, sold_out_until: null, sold_out_by_stock: !is_available }, { after: { by_stock: true } });
};

const followOption = async (ctx: Ctx, id: number): Promise<void> => {
  const row = await findOptionForChange(ctx, id);
  const [change] = await listOptionsToFlip(ctx, [id], 1);
  if (!change || row.is_available === change.is_available) return;
  const { is_available } = change;
  await changeOption(ctx, row, { is_available, sold_out_until: null, sold_out_by_stock: !is_available });
  recordAudit(ctx, {
    action: "option.availability_changed",
    subject: { kind: "option", id },
    before: { is_available: row.is_available },
    after: { is_available, by_stock: true },
  });
};

/** What staff sell out during service, the end of it, and the portions that orders take. */
import type { DishChange, DishToday, MenuToday, OptionChange, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { type KeptJson, withMembers } from "#lib/kept-json.ts";
import { recordChange } from "#lib/record-change.ts";
import { endOfServiceDay } from "#lib/service-day.ts";
import { changedBy, listActivity, recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { enqueue, type JobData } from "#platform/jobs/service.ts";
import { returnPortions, setCount, takePortions } from "#venue/menu/item-counts/service.ts";
import {
  changeOption,
  findItemForChange,
  findOptionForChange,
  flipItem,
  type LockedItem,
  lockedItem,
  setItemEnd,
} from "#venue/menu/service/items.ts";
import { dishAfter, dishState, isSameDish, isSameOption, optionAfter, optionState, type Selling } from "./rules.ts";
import { type DishRow, findMenuToday, findOption, type OptionTodayRow } from "./store.ts";

export const readMenuToday = async (ctx: Ctx): Promise<KeptJson<MenuToday>> => {
  const { data } = await keepAnswer(ctx, "menu today", async () => ({ data: await makeMenuToday(ctx), beside: null }));
  return withMembers(data, { today_ends_at: endOfServiceDay(ctx.tenant.zone, ctx.now).toISOString(), now: ctx.now.toISOString() });
};

const makeMenuToday = async (ctx: Ctx): Promise<Omit<MenuToday, "today_ends_at" | "now">> => {
  const { categories, dishes, options } = await findMenuToday(ctx);
  return {
    categories,
    dishes: dishes.map(presentDish),
    options: options.map(presentOption),
    zone: ctx.tenant.zone,
  };
};

const presentLocked = ({ id, category_id, name }: LockedItem, selling: Selling): DishToday => ({
  id,
  category_id,
  name,
  state: dishState(selling),
});

/** Compare and set: a person who saw another state gets the present one, and who made it. */
export const setDish = async (ctx: Ctx, id: number, read: () => DishChange): Promise<DishToday> => {
  const row = await findItemForChange(ctx, id);
  const { seen, ...wanted } = read();
  const present = presentLocked(row, row);
  if (!isSameDish(seen, present.state)) throw await dishChanged(ctx, present);
  const after = dishAfter(wanted, { zone: ctx.tenant.zone, now: ctx.now });
  if ("errors" in after) throw validationError(after.errors);
  const next = presentLocked(row, after);
  if (isSameDish(next.state, present.state)) return next;
  writeDish(ctx, row, after);
  if (after.sold_out_until) await planEnd(ctx, { kind: "item", id, until: after.sold_out_until });
  return next;
};

/** A dish that is sold out already stays as it is. */
export const sellOutToday = async (ctx: Ctx, id: number): Promise<DishToday> => {
  const row = await findItemForChange(ctx, id);
  const after = dishAfter({ to: "today" }, { zone: ctx.tenant.zone, now: ctx.now });
  if (!row.is_available || "errors" in after) return presentLocked(row, row);
  writeDish(ctx, row, after);
  if (after.sold_out_until) await planEnd(ctx, { kind: "item", id, until: after.sold_out_until });
  return presentLocked(row, after);
};

const detailsOf = ({ sold_out_until, remaining }: Omit<Selling, "is_available">): Record<string, unknown> => ({
  ...(sold_out_until ? { sold_out_until: sold_out_until.toISOString() } : {}),
  ...(remaining === null ? {} : { remaining }),
});

const remainingOf = (before: Selling, after: Selling) => ({
  before: { remaining: before.remaining },
  after: { remaining: after.remaining },
});

const writeDish = (ctx: Ctx, row: LockedItem, after: Selling): void => {
  if (after.remaining !== row.remaining) setCount(ctx, row.id, after.remaining);
  const details = { before: detailsOf(row), after: detailsOf(after) };
  const subject = { kind: "item", id: row.id } as const;
  if (after.is_available !== row.is_available) flipItem(ctx, row, after, details);
  else if (after.is_available) recordAudit(ctx, { action: "item.count_changed", subject, ...remainingOf(row, after) });
  else {
    setItemEnd(ctx, row.id, after.sold_out_until);
    recordAudit(ctx, { action: "item.end_changed", subject, ...details });
  }
};

type SoldOutEnd = Omit<JobData["end-sold-out"], "until"> & { until: Date };

const planEnd = (ctx: Ctx, { kind, id, until }: SoldOutEnd): Promise<void> =>
  enqueue(ctx, "end-sold-out", { kind, id, until: until.toISOString() }, { startAfter: until });

/** When the last entry of the activity log has another count, an order made the present one, and there is no person to name. */
const dishChanged = async (ctx: Ctx, dish: DishToday): Promise<ApiError> => {
  const [entry] = await listActivity(ctx, { subject: String(dish.id), area: "item" }, 1);
  const { remaining } = dish.state;
  const isByOrder = remaining !== null && entry?.after?.remaining !== remaining;
  return changedBy({ dish }, entry && !isByOrder ? { who: entry.actor_name, at: entry.at } : null);
};

/** The job of a timed end. It does nothing when the end was replaced or the dish is available already. */
export const endSoldOut = async (ctx: Ctx, { kind, id, until }: JobData["end-sold-out"]): Promise<void> => {
  const isEnding = (stored: Date | null): boolean => stored?.toISOString() === until;
  if (kind === "option") return endOption(ctx, id, isEnding);
  const row = await lockedItem(ctx, id);
  if (!row || row.is_available || !isEnding(row.sold_out_until)) return;
  flipItem(ctx, row, { is_available: true, sold_out_until: null }, { before: { sold_out_until: until } });
};

const endOption = async (ctx: Ctx, id: number, isEnding: (stored: Date | null) => boolean): Promise<void> => {
  if (!(await findOption(ctx, id))) return;
  const row = await findOptionForChange(ctx, id);
  if (row.is_available || !isEnding(row.sold_out_until)) return;
  await writeOption(ctx, row, { is_available: true, sold_out_until: null });
};

const writeOption = async (
  ctx: Ctx,
  row: Awaited<ReturnType<typeof findOptionForChange>>,
  after: Omit<Selling, "remaining">,
): Promise<void> => {
  await changeOption(ctx, row, after);
  recordAudit(ctx, {
    action: "option.availability_changed",
    subject: { kind: "option", id: row.id },
    before: { is_available: row.is_available, ...detailsOf({ ...row, remaining: null }) },
    after: { is_available: after.is_available, ...detailsOf({ ...after, remaining: null }) },
  });
};

const readOption = async (ctx: Ctx, id: number): Promise<OptionToday> => {
  const option = await findOption(ctx, id);
  if (!option) throw apiError("not_found");
  return presentOption(option);
};

export const setOption = async (ctx: Ctx, id: number, read: () => OptionChange): Promise<OptionToday> => {
  const [row, present] = await Promise.all([findOptionForChange(ctx, id), findOption(ctx, id)]);
  if (!present) throw apiError("not_found");
  const { seen, to } = read();
  if (!isSameOption(seen, optionState(row))) throw await optionChanged(ctx, await readOption(ctx, id));
  const after = optionAfter(to, { zone: ctx.tenant.zone, now: ctx.now });
  if (isSameOption(seen, optionState(after))) return presentOption(present);
  await writeOption(ctx, row, after);
  if (after.sold_out_until) await planEnd(ctx, { kind: "option", id, until: after.sold_out_until });
  return { ...presentOption(present), state: optionState(after) };
};

const optionChanged = (ctx: Ctx, option: OptionToday): Promise<ApiError> =>
  stateChanged(ctx, { area: "option", subject: option.id }, { option });

type OrderPortions = Parameters<typeof takePortions>[1];

/**
 * An order takes portions of counted dishes in its own commit. The last portion sells the dish out. A count that a concurrent order
 * used up fails here, and the order runs again.
 */
export const countDown = async (ctx: Ctx, portions: OrderPortions): Promise<void> => {
  if (portions.length === 0) return;
  for (const { item_id, remaining } of await takePortions(ctx, portions)) {
    recordChange(ctx, { kind: "item", id: item_id });
    if (remaining === 0) await flipCounted(ctx, item_id, remaining);
  }
};

/** An order that the kitchen did not begin gives its portions back. */
export const giveBack = async (ctx: Ctx, portions: OrderPortions, placedAt: Date): Promise<void> => {
  if (portions.length === 0) return;
  const quantities = new Map(portions.map(({ item_id, quantity }) => [item_id, quantity]));
  for (const { item_id, remaining } of await returnPortions(ctx, portions, placedAt)) {
    recordChange(ctx, { kind: "item", id: item_id });
    if (remaining === quantities.get(item_id)) await flipCounted(ctx, item_id, remaining);
  }
};

const flipCounted = async (ctx: Ctx, itemId: number, remaining: number): Promise<void> => {
  const row = await lockedItem(ctx, itemId);
  const is_available = remaining > 0;
  if (row && row.is_available !== is_available) flipItem(ctx, row, { is_available, sold_out_until: null }, { after: { remaining } });
};

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const presentDish = ({ id, category_id, name, is_available, sold_out_until, remaining }: DishRow): DishToday => ({
  id,
  category_id,
  name,
  state: dishState({ is_available, sold_out_until: instantOf(sold_out_until), remaining }),
});

const presentOption = ({ id, name, group_name, dishes, is_available, sold_out_until }: OptionTodayRow): OptionToday => ({
  id,
  name,
  group_name,
  state: optionState({ is_available, sold_out_until: instantOf(sold_out_until) }),
  dishes,
});

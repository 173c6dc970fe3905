/** Leads from the new venue to the live one: one test order, then orders are accepted. */
import type { VenueOpening } from "@comanda/contract/console/sign-up.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { changedBy } from "#platform/activity/audit/service.ts";
import { changePlanState, readRestaurant } from "#platform/tenants/service.ts";
import { readItems } from "#venue/menu/service/items.ts";
import { readOrder } from "#venue/orders/service/reads.ts";
import { findOrderForChange, moveOrder, placeOrder } from "#venue/orders/service.ts";
import { testOrderName } from "../rules/first-venue.ts";
import { findOpening, lockOpening, type OpeningRow, setLive, setTestOrder } from "../store.ts";

/** A venue that was made by its file has no opening: it is live. */
export const readOpening = async (ctx: Ctx): Promise<VenueOpening> => present(ctx, await findOpening(ctx));

const present = async (ctx: Ctx, opening: OpeningRow | undefined): Promise<VenueOpening> => {
  const [{ suspended_at }, order] = await Promise.all([
    readRestaurant(ctx.db, ctx.tenant.id),
    opening?.test_order_id ? readOrder(ctx, opening.test_order_id) : null,
  ]);
  return {
    is_live: !opening || opening.live_at !== null,
    is_suspended: suspended_at !== null && !isNotYetLive(opening, suspended_at),
    test_order: order && { id: order.id, status: order.status },
  };
};

/** The suspension that the venue began with. A later one is the operator's. */
const isNotYetLive = (opening: OpeningRow | undefined, suspendedAt: Date | null): boolean =>
  opening !== undefined && opening.live_at === null && suspendedAt?.getTime() === opening.opened_at.getTime();

const DISHES_READ = 100;

/** A dish that can be ordered as it is. */
const findPlainDish = async (ctx: Ctx): Promise<number> => {
  const dishes = await readItems(ctx, { isAvailable: true }, {}, DISHES_READ);
  const dish = dishes.find(({ price_minor, modifier_groups }) => price_minor !== null && modifier_groups.length === 0);
  if (!dish) throw validationError({ menu: ["There is no dish without sizes and extras. Add one first."] });
  return dish.id;
};

/** The operator may have resumed the venue before its owner. */
const assertNotSuspended = async (ctx: Ctx, opening: OpeningRow): Promise<void> => {
  const { suspended_at } = await readRestaurant(ctx.db, ctx.tenant.id);
  if (suspended_at !== null && !isNotYetLive(opening, suspended_at)) throw apiError("restaurant_suspended");
};

/** What the operator's resumption leaves: a venue that its owner has not taken live is as it was opened. */
export const suspensionLeft = async (ctx: Ctx): Promise<Date | null> => {
  const opening = await lockOpening(ctx);
  return opening && opening.live_at === null ? opening.opened_at : null;
};

export const placeTestOrder = async (ctx: Ctx): Promise<VenueOpening> => {
  const opening = await lockOpening(ctx);
  if (!opening || opening.live_at !== null) throw changedBy({ opening: await present(ctx, opening) }, null);
  if (opening.test_order_id !== null) return present(ctx, opening);
  await assertNotSuspended(ctx, opening);
  const lines = [{ item_id: await findPlainDish(ctx), quantity: 1 }];
  const customer_name = testOrderName(ctx.tenant.default_language);
  const { id, status } = await placeOrder(ctx, { type: "pickup", customer_name, customer_phone: null, lines }, { isTest: true });
  setTestOrder(ctx, id);
  return { is_live: false, is_suspended: false, test_order: { id, status } };
};

const OPEN_STATUSES = ["placed", "accepted", "ready"];

/** The operator's suspension stays. */
export const goLive = async (ctx: Ctx): Promise<VenueOpening> => {
  const opening = await lockOpening(ctx);
  if (!opening || opening.live_at !== null) return present(ctx, opening);
  await assertNotSuspended(ctx, opening);
  if (opening.test_order_id !== null) await cancelTestOrder(ctx, opening.test_order_id);
  await changePlanState(ctx, { suspended_at: null });
  setLive(ctx);
  return present(ctx, { ...opening, live_at: ctx.now });
};

const cancelTestOrder = async (ctx: Ctx, id: string): Promise<void> => {
  const order = await findOrderForChange(ctx, id);
  if (OPEN_STATUSES.includes(order.status)) await moveOrder(ctx, order, { status: "cancelled", reason: null });
};

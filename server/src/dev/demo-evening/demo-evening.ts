/** An evening under way in a sample venue: tables are booked, orders come in, are cooked and paid, until the process ends. Only `npm run dev` runs it. */

import { openDb } from "#db/pool.ts";
import { withTenant } from "#db/with-tenant.ts";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError } from "#lib/errors.ts";
import { restaurantIdOf, tenantById } from "#platform/tenants/service.ts";
import { readItems } from "#venue/menu/service/items.ts";
import { listPaymentsOf, recordPayment } from "#venue/orders/payments/service.ts";
import { readOpenOrders } from "#venue/orders/service/reads.ts";
import { findOrderForChange, moveOrder, placeOrder } from "#venue/orders/service.ts";
import { readTableCodes } from "#venue/settings/service.ts";
import { type InDemoVenue, startBookings } from "./demo-bookings.ts";
import { DEMO_PHONE, makeDemoOrder } from "./demo-orders.ts";
import { type DemoMove, decideStep, STARTING_ORDERS } from "./plan.ts";

const STEP_MS = 15_000;
const MINUTE_MS = 60_000;
/** Open orders of an earlier run that are older than this are finished at the start. */
const LEFT_OVER_MS = 60 * MINUTE_MS;
const OPEN_ORDERS_MAX = 500;
/** When an earlier run left so many open orders, no others are placed at the start. */
const LEFT_ORDERS_MIN = 6;
const STAFF = ["Giulia", "Marco"];
const LATER_MINUTES = [75, 26 * 60];

/** A number from 0 up to, not including, 1. */
export type DemoChance = () => number;

/** The demo acts as a staff member of the venue, so that the activity log reads like one of a real evening. */
export const inDemoVenue =
  (deps: Deps, restaurantId: number, chance: DemoChance): InDemoVenue =>
  (work) => {
    const name = STAFF[Math.floor(chance() * STAFF.length)] ?? "Giulia";
    const actor = { kind: "staff", id: null, name, scopes: [], caller: "demo" } as const;
    const from = { log: deps.log, origin: { requestId: null, address: null } };
    return withTenant(deps, { tenant: tenantById(restaurantId), actor, from, sandboxLock: "shared" }, work);
  };

const place = async (ctx: Ctx, chance: DemoChance, scheduledFor: string | null = null): Promise<string | null> => {
  const [items, tableCodes] = await Promise.all([readItems(ctx, { isAvailable: true }, {}, 100), readTableCodes(ctx)]);
  const wanted = makeDemoOrder(items, tableCodes, chance);
  if (!wanted) return null;
  return (await placeOrder(ctx, { ...wanted, scheduled_for: scheduledFor })).id;
};

/** A dish may not be served at this hour, and a person may have moved the order in the meantime. The demo then does nothing. */
const unlessRefused = async <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });

const move = async (ctx: Ctx, { id, to }: DemoMove, chance: DemoChance): Promise<void> => {
  const order = await findOrderForChange(ctx, id);
  if (to === "completed" && order.paid_at === null && (await listPaymentsOf(ctx, id)).length === 0 && order.total_minor > 0)
    await recordPayment(ctx, id, { method: chance() < 0.4 ? "cash" : "card_terminal", amount_minor: order.total_minor });
  await moveOrder(ctx, await findOrderForChange(ctx, id), { status: to });
};

const WAY: Record<string, DemoMove["to"][]> = {
  placed: ["accepted", "ready", "completed"],
  accepted: ["ready", "completed"],
  ready: ["completed"],
};

const openDemoOrders = async (ctx: Ctx) => {
  const open = await readOpenOrders(ctx, OPEN_ORDERS_MAX);
  return open.filter(({ order }) => order.customer.phone?.startsWith(DEMO_PHONE));
};

const finishLeftOvers = (inVenue: InDemoVenue, chance: DemoChance): Promise<void> =>
  inVenue(async (ctx) => {
    for (const { order, held_until } of await openDemoOrders(ctx)) {
      const isOld = ctx.now.getTime() - new Date(order.placed_at).getTime() > LEFT_OVER_MS;
      if (isOld && held_until === null) for (const to of WAY[order.status] ?? []) await move(ctx, { id: order.id, to }, chance);
    }
  });

export type PastOrder = { minutesAgo: number; moves: readonly DemoMove["to"][]; overMinutes?: number };

/** An order that is placed and moved as if at its own time. `overMinutes`: how long its moves took. */
export const placePastOrder = async (
  inVenue: InDemoVenue,
  { minutesAgo, moves, overMinutes = minutesAgo }: PastOrder,
  chance: DemoChance,
): Promise<void> => {
  await unlessRefused(
    inVenue(async (ctx) => {
      const at = (share: number): Ctx => {
        const ago = minutesAgo - overMinutes * (1 - share);
        return { ...ctx, now: new Date(ctx.now.getTime() - ago * MINUTE_MS) };
      };
      const id = await place(at(1), chance);
      for (const [index, to] of moves.entries()) if (id !== null) await move(at(0.8 - 0.3 * index), { id, to }, chance);
    }),
  );
};

const placeStartingOrders = async (inVenue: InDemoVenue, chance: DemoChance): Promise<void> => {
  for (const order of STARTING_ORDERS) await placePastOrder(inVenue, order, chance);
  for (const minutes of LATER_MINUTES)
    await unlessRefused(inVenue((ctx) => place(ctx, chance, new Date(ctx.now.getTime() + minutes * MINUTE_MS).toISOString())));
};

const step = (inVenue: InDemoVenue, chance: DemoChance): Promise<unknown> =>
  inVenue(async (ctx) => {
    const open = (await openDemoOrders(ctx)).map(({ order, held_until }) => ({
      id: order.id,
      status: order.status,
      changedAt: new Date(order.updated_at),
      isHeld: held_until !== null && new Date(held_until) > ctx.now,
    }));
    const decided = decideStep(open, ctx.now, chance);
    if (decided.move) await move(ctx, decided.move, chance);
    if (decided.isOrderArriving) await place(ctx, chance);
  });

/** The evening as it stands now: bookings, parties at their tables, orders. `chance` decides who ordered what. */
export const layDemoEvening = async (inVenue: InDemoVenue, chance: DemoChance): Promise<void> => {
  await startBookings(inVenue);
  await finishLeftOvers(inVenue, chance);
  const left = await inVenue(async (ctx) => (await openDemoOrders(ctx)).length);
  if (left < LEFT_ORDERS_MIN) await placeStartingOrders(inVenue, chance);
};

/** Returns a function that ends it. */
export const startDemoEvening = async (deps: Deps, slug: string): Promise<() => Promise<void>> => {
  const chance = Math.random;
  const inVenue = inDemoVenue(deps, await restaurantIdOf(openDb(deps.pool), slug), chance);
  await layDemoEvening(inVenue, chance);
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => unlessRefused(step(inVenue, chance)))
      .catch((error: unknown) => deps.log.debug({ err: error }, "the demo paused"));
  }, STEP_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** Tables at which guests without a booking have an open order. The API's availability does not know them. */
import type { Ctx } from "#lib/context.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { wallClock } from "#lib/time-zone.ts";
import { readOrdersAtTables } from "#venue/orders/service/reads.ts";
import type { BookingContext } from "../rules/booking.ts";
import { type OrderAtTable, occupanciesOf, ordersStillThere } from "../rules/table-orders.ts";
import { listDepartures } from "../store.ts";
import { readBookingContext } from "./context.ts";

/** An order may be dated by the database's clock, which can be ahead. */
const CLOCK_SKEW_MS = 60_000;

/** Reads this day of service only: an order that was never completed does not keep its table taken for ever. */
export const readTableOrders = async (ctx: Ctx): Promise<OrderAtTable[]> => {
  const { zone } = ctx.tenant;
  const from = serviceDaySpan(zone, serviceDay(zone, ctx.now))?.from ?? ctx.now;
  const [orders, lastLeft] = await Promise.all([
    readOrdersAtTables(ctx, { from, to: new Date(ctx.now.getTime() + CLOCK_SKEW_MS) }),
    listDepartures(ctx, from),
  ]);
  return ordersStillThere(orders, lastLeft);
};

/** Tables for a party that no table was chosen for: those with an open order are left out. */
export const readFreeTablesContext = async (ctx: Ctx): Promise<BookingContext & { orders: OrderAtTable[] }> => {
  const [context, orders] = await Promise.all([readBookingContext(ctx, wallClock(ctx.tenant.zone, ctx.now)), readTableOrders(ctx)]);
  return { ...context, orders, occupancies: [...context.occupancies, ...occupanciesOf(orders, ctx.now)] };
};

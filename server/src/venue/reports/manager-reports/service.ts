/** What managers see of sales, kitchen and bookings. Nothing here changes anything. */
import {
  type ComparedDay,
  REPORT_DISHES_MAX,
  REPORT_WEEKS,
  type ReportKind,
  type ReportOrders,
  type SalesReport,
  type ServiceReport,
  type TodayReport,
} from "@comanda/contract/console/reports.ts";
import type { Ctx } from "#lib/context.ts";
import { type CursorScope, readCursor, writeCursor } from "#lib/cursor.ts";
import { validationError } from "#lib/errors.ts";
import { wallClock } from "#lib/time-zone.ts";
import { listBranchNames } from "#venue/settings/service.ts";
import { type ChosenPeriod, choosePeriod, comparedSpans, daysSpan, filterOf, serviceDaysSpan } from "./rules.ts";
import { type HourSum, listSoldDays, sumBookings, sumHours, sumKitchenTimes, sumSales } from "./store/figures.ts";
import { type ListPosition, listFigureOrders, listPaidOrders } from "./store/orders.ts";

const TICKETS_MAX = 20_000;
const ORDERS_PER_PAGE = 25;

type WantedPeriod = { from: string; to: string; branch?: number };

const periodFrom = (ctx: Ctx, wanted: WantedPeriod): ChosenPeriod => {
  const period = choosePeriod(wanted, wallClock(ctx.tenant.zone, ctx.now));
  if ("errors" in period) throw validationError(period.errors);
  return period;
};

export const readSales = async (ctx: Ctx, { by, ...wanted }: WantedPeriod & { by: ReportKind }): Promise<SalesReport> => {
  const period = periodFrom(ctx, wanted);
  const rows = await sumSales(ctx, by, period, REPORT_DISHES_MAX);
  return { from: period.from, to: period.to, by, currency: ctx.tenant.currency, zone: ctx.tenant.zone, rows };
};

const comparedDay = (date: string, sums: readonly HourSum[], isClosed: boolean): ComparedDay => {
  const hours = sums.filter((sum) => sum.date === date).map(({ date: _, ...sum }) => sum);
  return {
    date,
    is_closed: isClosed,
    orders: hours.reduce((sum, { orders }) => sum + orders, 0),
    revenue_minor: hours.reduce((sum, { revenue_minor }) => sum + revenue_minor, 0),
    hours,
  };
};

export const readToday = async (ctx: Ctx, branchId: number | null): Promise<TodayReport> => {
  const spans = comparedSpans(ctx.tenant.zone, ctx.now, REPORT_WEEKS);
  const dates = spans.map(({ date }) => date);
  const [sums, soldDays, branches] = await Promise.all([
    sumHours(ctx, spans, branchId),
    listSoldDays(ctx, dates, branchId),
    listBranchNames(ctx),
  ]);
  const [today, ...weeks] = dates.map((date) => comparedDay(date, sums, !soldDays.has(date)));
  return {
    at: ctx.now.toISOString(),
    currency: ctx.tenant.currency,
    zone: ctx.tenant.zone,
    today: today as ComparedDay,
    weeks,
    branches: branches.map(({ id, name }) => ({ id, name })),
  };
};

export const readService = async (ctx: Ctx, wanted: WantedPeriod): Promise<ServiceReport> => {
  const period = periodFrom(ctx, wanted);
  const [kitchen, bookings] = await Promise.all([
    sumKitchenTimes(ctx, daysSpan(ctx.tenant.zone, period), period.branchId, TICKETS_MAX),
    sumBookings(ctx, period),
  ]);
  const isCut = (kitchen[0]?.tickets ?? 0) === TICKETS_MAX;
  return { from: period.from, to: period.to, zone: ctx.tenant.zone, kitchen: { rows: kitchen, is_cut: isCut }, bookings };
};

type WantedFigure = WantedPeriod & { by: ReportKind; key?: string; before?: string };

const cursorScope = (ctx: Ctx, by: ReportKind): CursorScope => ({
  key: ctx.cursorKey,
  list: by === "method" ? "report payments" : "report orders",
  tenantId: ctx.tenant.id,
});

const positionOf = (ctx: Ctx, { by, before }: WantedFigure): ListPosition | null => {
  if (before === undefined) return null;
  const [at, id] = readCursor(cursorScope(ctx, by), before)?.keys ?? [];
  if (at === undefined || id === undefined) throw validationError({ before: ["Is not a position in this list."] });
  return { at: new Date(at), id: String(id) };
};

/** A key that no figure has, such as that of all other dishes, has no orders. */
export const readFigureOrders = async (ctx: Ctx, wanted: WantedFigure): Promise<ReportOrders> => {
  const whole = periodFrom(ctx, wanted);
  const filter = filterOf(wanted.by, wanted.key);
  const { currency, zone } = ctx.tenant;
  if (!filter || (filter.day !== null && (filter.day < whole.from || filter.day > whole.to)))
    return { currency, zone, rows: [], next: null };
  const period = filter.day === null ? whole : { ...whole, from: filter.day, to: filter.day };
  const isPaid = wanted.by === "method";
  const span = isPaid ? serviceDaysSpan(zone, period) : daysSpan(zone, period);
  const search = { period, span, filter, position: positionOf(ctx, wanted) };
  const { rows, next } = await (isPaid ? listPaidOrders : listFigureOrders)(ctx, search, ORDERS_PER_PAGE);
  return {
    currency,
    zone,
    rows: rows.map((row) => ({ ...row, placed_at: row.placed_at.toISOString() })),
    next: next && writeCursor(cursorScope(ctx, wanted.by), { direction: "next", keys: [next.at.toISOString(), next.id] }),
  };
};

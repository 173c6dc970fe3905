/** What managers see of sales, kitchen and bookings. Amounts and counts follow the sales summary of the API. */
import { type Static, Type } from "typebox";
import { CalendarDate, Currency, Id, Literals, MinorWithin, Nullable, Translations, UUID_PATTERN } from "../shared.ts";
import { OrderStatus, OrderType } from "../venue/orders.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";

/**
 * What a key is: `day` a date, `hour` weekday and hour such as `0-13` (Monday is 0), `channel` type and channel such as `pickup:web`, `dish`
 * and `branch` an id (0 is no branch), `method` a payment method.
 */
export const REPORT_KINDS = ["day", "hour", "channel", "dish", "branch", "method"] as const;
export const ReportKind = Literals(REPORT_KINDS);
export type ReportKind = Static<typeof ReportKind>;

/** The dishes that sold best; the others are one row with the key `others`. */
export const REPORT_DISHES_MAX = 200;
export const REPORT_WEEKS = 4;

const Amount = MinorWithin({});

/** `count` are orders; of a dish portions, of a method payments. Only methods have refunds. */
const ReportRow = Type.Object({
  key: Type.String(),
  name: Nullable(Translations),
  count: Type.Integer(),
  amount_minor: Amount,
  refunded_minor: Amount,
});
export type ReportRow = Static<typeof ReportRow>;

const SalesReport = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  by: ReportKind,
  currency: Currency,
  zone: Type.String(),
  rows: Type.Array(ReportRow),
});
export type SalesReport = Static<typeof SalesReport>;

const Sales = { orders: Count, revenue_minor: Amount };
const HourSales = Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), ...Sales });

/** A day until the time on the venue's clock that `at` has. `is_closed`: nothing was sold on the whole day, so it is not compared. */
const ComparedDay = Type.Object({ date: CalendarDate, is_closed: Type.Boolean(), ...Sales, hours: Type.Array(HourSales) });
export type ComparedDay = Static<typeof ComparedDay>;

const TodayReport = Type.Object({
  at: Instant,
  currency: Currency,
  zone: Type.String(),
  today: ComparedDay,
  /** This weekday in the last weeks, the latest first. */
  weeks: Type.Array(ComparedDay),
  branches: Type.Array(Type.Object({ id: Id, name: Translations })),
});
export type TodayReport = Static<typeof TodayReport>;

/** Minutes from the moment the kitchen got a ticket until it was done. */
const KitchenTimes = Type.Object({
  station: Nullable(Type.String()),
  tickets: Count,
  p50_minutes: Type.Number(),
  p90_minutes: Type.Number(),
});
export type KitchenTimes = Static<typeof KitchenTimes>;

const CountedDay = Type.Object({ date: CalendarDate, bookings: Count, covers: Count, walk_in_covers: Count, no_shows: Count });
export type CountedDay = Static<typeof CountedDay>;

const ServiceReport = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  zone: Type.String(),
  /** All stations together first, with the station null; nothing without tickets. `is_cut`: only the latest tickets were read. */
  kitchen: Type.Object({ rows: Type.Array(KitchenTimes), is_cut: Type.Boolean() }),
  /** Days with bookings or walk-ins. */
  bookings: Type.Array(CountedDay),
});
export type ServiceReport = Static<typeof ServiceReport>;

/** `part_minor`: what this order adds to the figure; of a dish with `portions`, of a method what was paid. */
const ReportOrder = Type.Object({
  id: Type.String({ pattern: UUID_PATTERN }),
  number: Nullable(Type.Integer()),
  placed_at: Instant,
  status: OrderStatus,
  type: OrderType,
  channel: Type.String(),
  total_minor: Amount,
  portions: Nullable(Count),
  part_minor: Amount,
});
export type ReportOrder = Static<typeof ReportOrder>;

/** `next` continues the list. A page may be empty and continue, because a rare dish is searched for step by step. */
const ReportOrders = Type.Object({ currency: Currency, zone: Type.String(), rows: Type.Array(ReportOrder), next: Nullable(Type.String()) });
export type ReportOrders = Static<typeof ReportOrders>;

const period = {
  from: Type.String({ format: "date", maxLength: 10 }),
  to: Type.String({ format: "date", maxLength: 10 }),
  branch: Type.Optional(Type.Integer({ minimum: 0 })),
};

const Read = { method: "GET", who: "manager", isService: true, needsFeature: "reporting", perMinute: 240 } as const;

export const managerReportOperations = {
  readTodayReport: {
    ...Read,
    path: "/venues/{venue}/reports/today",
    query: Type.Object({ branch: period.branch }),
    success: { status: 200, body: Data(TodayReport) },
  },
  /** Covers at most 366 days. 422 on `to` for more, or for a reversed period. */
  readSalesReport: {
    ...Read,
    path: "/venues/{venue}/reports/sales",
    query: Type.Object({ ...period, by: ReportKind }),
    success: { status: 200, body: Data(SalesReport) },
  },
  readServiceReport: {
    ...Read,
    path: "/venues/{venue}/reports/service",
    query: Type.Object(period),
    success: { status: 200, body: Data(ServiceReport) },
  },
  /** The orders behind one figure of a sales report, the latest first. Without a key those of the whole period. */
  listReportOrders: {
    ...Read,
    path: "/venues/{venue}/reports/orders",
    query: Type.Object({
      ...period,
      by: ReportKind,
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      before: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    success: { status: 200, body: Data(ReportOrders) },
  },
} as const satisfies Record<string, ConsoleOperation>;

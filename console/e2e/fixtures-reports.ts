/** Fixtures: four weeks of a venue with two branches. */
import type { ReportKind, ReportOrders, ReportRow, SalesReport, ServiceReport, TodayReport } from "@comanda/contract/console/reports.ts";
import { ago, DAY } from "./fixture-times.ts";

const dayAgo = (days: number): string => ago(days * DAY).slice(0, 10);
const row = (key: string, count: number, amount_minor: number, name: ReportRow["name"] = null): ReportRow => ({
  key,
  name,
  count,
  amount_minor,
  refunded_minor: 0,
});
const hours = (factor: number) =>
  [12, 13, 19, 20, 21].map((hour, place) => ({ hour, orders: 2 + place, revenue_minor: (2 + place) * factor }));
const compared = (days: number, factor: number) => ({
  date: dayAgo(days),
  is_closed: false,
  orders: 20,
  revenue_minor: 20 * factor,
  hours: hours(factor),
});

export const todayReport: TodayReport = {
  at: ago(0),
  currency: "EUR",
  zone: "Europe/Rome",
  today: compared(0, 2400),
  weeks: [compared(7, 2100), compared(14, 2600), { ...compared(21, 0), is_closed: true, orders: 0, hours: [] }, compared(28, 1900)],
  branches: [
    { id: 1024, name: { en: "Old town", ar: "المدينة القديمة" } },
    { id: 2048, name: { en: "Harbour", ar: "الميناء" } },
  ],
};

const ROWS: Record<ReportKind, ReportRow[]> = {
  day: Array.from({ length: 28 }, (_, place) => row(dayAgo(27 - place), 10 + ((place * 7) % 23), 24_000 + ((place * 7919) % 61_000))),
  hour: [0, 1, 2, 3, 4, 5, 6].flatMap((day) =>
    [12, 13, 18, 19, 20, 21].map((hour) => row(`${day}-${hour}`, 1 + ((day * 5 + hour * 3) % 17), 9000)),
  ),
  channel: [row("dine_in:qr", 210, 812_000), row("pickup:web", 120, 301_000), row("delivery:phone", 40, 122_500)],
  dish: [
    row("1024", 320, 384_000, { en: "Margherita", ar: "مارغريتا" }),
    row("2048", 150, 271_500, { en: "Bartholomew’s very long name of a pasta with everything that grows in the garden", ar: "باستا" }),
    row("3072", 44, 41_800),
    row("others", 12, 9000),
  ],
  branch: [
    row("1024", 300, 900_000, { en: "Old town", ar: "المدينة القديمة" }),
    row("2048", 70, 335_500, { en: "Harbour", ar: "الميناء" }),
  ],
  method: [{ ...row("card_terminal", 240, 902_000), refunded_minor: 4200 }, row("cash", 88, 210_000)],
};

export const salesReport = (by: ReportKind): SalesReport => ({
  from: dayAgo(27),
  to: dayAgo(0),
  by,
  currency: "EUR",
  zone: "Europe/Rome",
  rows: ROWS[by],
});

export const serviceReport: ServiceReport = {
  from: dayAgo(27),
  to: dayAgo(0),
  zone: "Europe/Rome",
  kitchen: {
    rows: [
      { station: null, tickets: 812, p50_minutes: 11.5, p90_minutes: 24 },
      { station: "bar", tickets: 300, p50_minutes: 4.2, p90_minutes: 9.1 },
      { station: "grill", tickets: 512, p50_minutes: 14.8, p90_minutes: 27.3 },
    ],
    is_cut: false,
  },
  bookings: Array.from({ length: 20 }, (_, place) => ({
    date: dayAgo(27 - place),
    bookings: 8 + (place % 5),
    covers: 24 + ((place * 5) % 17),
    walk_in_covers: place % 6,
    no_shows: place % 3,
  })),
};

export const reportOrders: ReportOrders = {
  currency: "EUR",
  zone: "Europe/Rome",
  rows: [
    {
      id: "01930000-0000-7000-8000-000000000001",
      number: 42,
      placed_at: ago(DAY),
      status: "completed",
      type: "pickup",
      channel: "web",
      total_minor: 4200,
      portions: 2,
      part_minor: 2400,
    },
  ],
  next: null,
};

import { REPORT_KINDS, type ReportKind, type ReportRow, type SalesReport } from "@comanda/contract/console/reports.ts";
import type { TFunction } from "i18next";
import { expect, test } from "vitest";
import { formatMoney } from "#kit/number-format.ts";
import { barsOf, sheetOf } from "./sales-sheet.ts";

const named = { t: ((key: string) => key) as unknown as TFunction, pick: ({ en }: { en?: string | null }) => en ?? "" };
/** The column of the table and the file that holds the amount of the chart. */
const AMOUNT = 1;

const KEYS: Record<ReportKind, string[]> = {
  day: ["2026-03-29", "2026-03-31"],
  hour: ["0-13", "6-20"],
  channel: ["pickup:web", "dine_in:qr"],
  dish: ["1024", "others"],
  branch: ["0", "1024"],
  method: ["cash", "card_terminal"],
};
const reportOf = (by: ReportKind, currency: string): SalesReport => {
  const rows: ReportRow[] = KEYS[by].map((key, place) => ({ key, name: null, count: 3, amount_minor: 123_456 + place, refunded_minor: 7 }));
  return { from: "2026-03-29", to: "2026-03-31", by, currency, zone: "Europe/Rome", rows };
};

/** What a bar says, its cell of the table, and the cell of the file times the currency's smallest units. */
const differences = (report: SalesReport, digits: number, bars: typeof barsOf = barsOf): string[] => {
  const { lines } = sheetOf(report, named);
  return bars(report, named).flatMap(({ key, values: [value = Number.NaN] }) => {
    const cell = lines.find((line) => line.key === key)?.cells[AMOUNT];
    const amount = report.rows.find((row) => row.key === key)?.amount_minor ?? 0;
    const isEqual = formatMoney(value, report.currency) === cell?.shown && Math.round(Number(cell.value) * 10 ** digits) === amount;
    return isEqual && value === amount ? [] : [`${report.by} ${key}: ${formatMoney(value, report.currency)}, not ${cell?.shown}`];
  });
};

const CURRENCIES = [
  ["JPY", 0, "\u00a5123,456"],
  ["EUR", 2, "\u20ac1,234.56"],
  ["KWD", 3, "KWD\u00a0123.456"],
] as const;

test.each(CURRENCIES)("JF-02 in %s, with %i decimals, chart, table, file and report say the same amount", (currency, digits, shown) => {
  for (const by of REPORT_KINDS) expect(differences(reportOf(by, currency), digits)).toEqual([]);
  expect(sheetOf(reportOf("day", currency), named).lines[0]?.cells[AMOUNT]?.shown).toBe(shown);
});

test("planted fault: bars drawn from the numbers of the file say a hundredth", () => {
  const report = reportOf("dish", "EUR");
  const fromFile: typeof barsOf = (...args) =>
    sheetOf(...args).lines.map(({ key, label, cells }) => ({ key, label, name: label, values: [Number(cells[AMOUNT]?.value)] }));
  expect(differences(report, 2, fromFile)).toEqual([
    "dish 1024: \u20ac12.35, not \u20ac1,234.56",
    "dish others: \u20ac12.35, not \u20ac1,234.57",
  ]);
});

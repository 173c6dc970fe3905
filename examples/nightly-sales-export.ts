/**
 * Run after midnight: writes yesterday's orders, and what they come to, as CSV files for the books.
 * COMANDA_URL, COMANDA_TOKEN (orders:read, reports:read), FOLDER for the files. Another day: add it as 2026-11-14.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Order } from "@comanda/sdk";

const { COMANDA_URL = "http://127.0.0.1:4000", COMANDA_TOKEN = "", FOLDER = "." } = process.env;
const comanda = createClient({ rootUrl: COMANDA_URL, token: COMANDA_TOKEN, retries: 8 });

/** The day before today on the venue's clock; 24 hours ago would be wrong when the clocks change. */
const yesterday = async (): Promise<string> => {
  const { restaurant } = (await comanda.restaurant.get()).data;
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: restaurant.zone, dateStyle: "short" }).format(new Date());
  const noon = new Date(`${today}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() - 1);
  return noon.toISOString().slice(0, 10);
};

type CsvValue = string | number | null;

/** What a spreadsheet takes for a formula, also in wide forms; a program that expects semicolons or tabs begins a cell behind them. */
const FORMULA = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]`;
const UNSEEN = String.raw`[\s\p{Cc}\p{Cf}]*`;
const AT_START = new RegExp(String.raw`^(?=[\t\r\n]|${UNSEEN}${FORMULA})`, "u");
const AFTER_SEPARATOR = new RegExp(String.raw`([;\t\r\n]${UNSEEN}"*)(?=${FORMULA})`, "gu");

/** RFC 4180, every text quoted. An apostrophe makes a text of what would be a formula. */
const cellOf = (value: CsvValue): string => {
  if (typeof value !== "string") return String(value ?? "");
  const text = value.replace(AT_START, "'").replace(AFTER_SEPARATOR, "$1'");
  return `"${text.replaceAll('"', '""')}"`;
};

/** Writes to a temporary name and renames, so that no reader sees half a file. */
const writeCsv = (name: string, rows: CsvValue[][]): void => {
  const path = join(FOLDER, name);
  writeFileSync(`${path}.part`, rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join(""));
  renameSync(`${path}.part`, path);
  process.stdout.write(`${path}: ${rows.length - 1} rows\n`);
};

const AMOUNTS = [
  "subtotal_minor",
  "discount_minor",
  "service_charge_minor",
  "tax_added_minor",
  "delivery_fee_minor",
  "total_minor",
] as const satisfies (keyof Order)[];
const COLUMNS = ["id", "placed_at", "status", "type", "channel", "branch_id", "currency", ...AMOUNTS, "paid_at"] as const;

const [, , day = await yesterday()] = process.argv;

const orders: CsvValue[][] = [[...COLUMNS]];
let sold = { orders: 0, revenue_minor: 0 };
for await (const order of comanda.orders.list({ placed_from: day, placed_to: day, per_page: 100 })) {
  orders.push(COLUMNS.map((column) => order[column]));
  if (order.status !== "cancelled" && order.status !== "rejected")
    sold = { orders: sold.orders + 1, revenue_minor: sold.revenue_minor + order.total_minor };
}
const { data: summary } = await comanda.reports.salesSummary({ from: day, to: day });

writeCsv(`orders-${day}.csv`, orders);
writeCsv(`summary-${day}.csv`, [
  ["day", "currency", "orders", "revenue_minor", "average_order_minor", "previous_revenue_minor", "revenue_change_pct"],
  [
    day,
    summary.currency,
    summary.orders,
    summary.revenue_minor,
    summary.average_order_minor,
    summary.previous.revenue_minor,
    summary.change.revenue_pct,
  ],
]);
// The orders must add up to the summary. Exit code 1 reports a difference.
if (sold.orders !== summary.orders || sold.revenue_minor !== summary.revenue_minor) {
  process.stderr.write(`The orders come to ${JSON.stringify(sold)}, the summary says otherwise.\n`);
  process.exitCode = 1;
}

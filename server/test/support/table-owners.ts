/** A table has one owner: the module with the most statements that write it, and of several with as many, the one with the most statements. */
import { placeOf } from "../../../scripts/groups.ts";
import type { SourceFile } from "./import-rules.ts";

type TableUse = { path: string; module: string; table: string; isWrite: boolean };

/**
 * Statements on another module's table that stay, with their reason. All others go through a function of the owner. They
 * save a round trip, and only read, except with `writes`.
 */
const EXCEPTIONS: readonly { module: string; tables: readonly string[]; writes?: boolean; reason: string }[] = [
  {
    module: "platform/activity/audit",
    tables: ["users", "items", "modifier_options", "tokens", "webhook_endpoints", "apps"],
    reason: "names on a page of the activity log",
  },
  { module: "platform/events", tables: ["restaurants", "webhook_endpoints"], reason: "which endpoints an event is due to" },
  { module: "platform/events", tables: ["deliveries"], writes: true, reason: "an event and its deliveries are one statement" },
  { module: "platform/events", tables: ["changes"], reason: "the events of the feed by their numbers, from one snapshot" },
  { module: "platform/people/memberships", tables: ["users"], reason: "the language, name and second factor of a member" },
  { module: "platform/activity/request-log", tables: ["tokens"], reason: "names of tokens on a page of the request log" },
  { module: "platform/programs/tokens", tables: ["installations"], reason: "an access token takes its creator from its installation" },
  { module: "platform/sign-in/accounts", tables: ["users"], reason: "session and user are one read" },
  { module: "platform/programs/installations", tables: ["apps", "tokens"], reason: "app, tokens and last use on a page of installations" },
  {
    module: "platform/events/webhooks",
    tables: ["deliveries", "delivery_attempts"],
    reason: "health of each endpoint on the page of addresses",
  },
  {
    module: "platform/events/webhooks",
    tables: ["webhook_endpoint_state"],
    writes: true,
    reason: "an endpoint is stored with its first state",
  },
  {
    module: "platform/events/webhook-deliveries",
    tables: ["events", "restaurants", "webhook_endpoints"],
    reason: "what is sent, and to which address",
  },
  { module: "venue/orders", tables: ["payments"], reason: "what is paid of each order on the board, in the statement of the orders" },
  { module: "venue/orders", tables: ["bill_tables"], reason: "an order joins the bill of its table in the statement that writes it" },
  { module: "venue/orders/payments", tables: ["bill_payments"], reason: "tips of a day, in the statement of the takings" },
  {
    module: "venue/orders/bills",
    tables: ["orders", "payments"],
    reason: "what each bill owes and whether it is settled, in the statements of the bills",
  },
  { module: "venue/kitchen", tables: ["orders"], reason: "tickets of a branch, before the limit of the statement" },
  { module: "venue/orders/review-requests", tables: ["settings"], reason: "whether guests are asked, in the statement that notes one" },
  {
    module: "venue/menu",
    tables: ["item_counts", "recipe_lines"],
    reason: "what is left of each dish of an order, and its recipe, in the statement of the prices",
  },
  {
    module: "venue/stock",
    tables: [
      "menus",
      "categories",
      "items",
      "item_variants",
      "item_modifier_groups",
      "modifier_groups",
      "modifier_options",
      "branches",
      "orders",
    ],
    reason: "recipes with the names of what they are for, and entries with the numbers of their orders",
  },
  { module: "venue/shifts", tables: ["branches"], reason: "names of branches beside shifts, those of removed branches too" },
  {
    module: "venue/bookings/experiences",
    tables: ["branches"],
    reason: "where an experience takes place, in the statement of its sessions",
  },
  { module: "venue/menu/item-counts", tables: ["items"], reason: "counts that disagree with the dishes after an import" },
  {
    module: "venue/menu/menu-today",
    tables: ["menus", "categories", "items", "item_counts", "modifier_groups", "modifier_options", "item_modifier_groups"],
    reason: "everything that can be sold out, from one snapshot",
  },
  { module: "venue/orders/gift-cards", tables: ["restaurants"], reason: "a card has the currency that the venue has in its commit" },
  { module: "venue/reports", tables: ["branches"], reason: "whether the branch exists, in the statement of the report" },
  {
    module: "venue/reports/manager-reports",
    tables: ["daily_sales", "sales_rollups", "orders", "payments", "tickets", "reservations", "branches", "items"],
    reason: "figures and the orders behind them, over tables of several modules",
  },
  {
    module: "venue/sandbox",
    tables: ["items", "item_variants", "item_modifier_groups", "modifier_options", "dining_tables", "guests", "reservations", "orders"],
    reason: "ids of the sample, and counts of all rows in one statement",
  },
  { module: "db", tables: ["restaurants"], reason: "the clock of a sandbox, read under its lock in the round trip of the begin" },
  { module: "db", tables: ["audit_entries"], reason: "who created a row that has no creator, for three modules" },
];

/** The folder that a statement counts for. Only store and venue-file of a module may have statements. */
const moduleOf = (path: string): string => {
  const place = placeOf(path);
  if (place) return place.file === "store" || place.file === "venue-file" ? place.module : `${place.module}/${place.file}`;
  return path.split("/").slice(2, -1).join("/");
};

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");

const usesOf = ({ path, text }: SourceFile, tables: readonly string[]): TableUse[] => {
  const table = `(?<table>${tables.join("|")})\\b`;
  const inSql = `\\b(?<verb>from|join|into|update|using)\\s+(?:[a-z_]+(?: [a-z]+)?, ?)*(?:app\\.)?${table}`;
  const inBuilder = `\\b(?<call>selectFrom|insertInto|updateTable|deleteFrom|mergeInto|innerJoin|leftJoin|bulkUpsert)\\([^"]{0,40}"${table.replace("table", "named")}`;
  const code = withoutComments(text);
  return [...code.matchAll(new RegExp(`${inSql}|${inBuilder}`, "g"))].map(({ groups: found = {}, index }) => ({
    path,
    module: moduleOf(path),
    table: found.table ?? found.named ?? "",
    isWrite:
      /^(into|update|insertInto|updateTable|deleteFrom|mergeInto|bulkUpsert)$/.test(found.verb ?? found.call ?? "") ||
      /delete\s*$/.test(code.slice(0, index)),
  }));
};

const writesOf = (uses: readonly TableUse[]): number => uses.filter(({ isWrite }) => isWrite).length;

export const tableOwners = (uses: readonly TableUse[]): Map<string, string> =>
  new Map(
    [...Map.groupBy(uses, ({ table }) => table)].map(([table, all]) => {
      const [first] = [...Map.groupBy(all, ({ module }) => module)].sort(
        ([, a], [, b]) => writesOf(b) - writesOf(a) || b.length - a.length,
      );
      return [table, first?.[0] ?? ""];
    }),
  );

const isAllowed = ({ module, table, isWrite }: TableUse): boolean =>
  EXCEPTIONS.some((one) => one.module === module && one.tables.includes(table) && (one.writes === true || !isWrite));

export const tableUses = (files: readonly SourceFile[], tables: readonly string[]): TableUse[] =>
  files.filter(({ path }) => !path.endsWith(".test.ts")).flatMap((file) => usesOf(file, tables));

/** Statements on a table of another module. */
export const foreignStatements = (uses: readonly TableUse[]): string[] => {
  const owners = tableOwners(uses);
  return uses
    .filter((use) => use.module !== owners.get(use.table) && !isAllowed(use))
    .map(({ path, table, isWrite }) => `${path} ${isWrite ? "writes" : "reads"} ${table} of ${owners.get(table)}`);
};

/** Exceptions that no statement needs any more. */
export const needlessExceptions = (uses: readonly TableUse[]): string[] => {
  const owners = tableOwners(uses);
  return EXCEPTIONS.flatMap(({ module, tables, writes = false }) =>
    tables
      .filter(
        (table) =>
          owners.get(table) === module || !uses.some((use) => use.module === module && use.table === table && (!writes || use.isWrite)),
      )
      .map((table) => `${module} needs no exception for ${table}`),
  );
};

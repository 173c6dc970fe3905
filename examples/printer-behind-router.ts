/**
 * A printer in the kitchen that the service cannot reach: it asks for events, and prints a ticket for each new order, once.
 * COMANDA_TOKEN with orders:read; the position is kept in CURSOR_FILE, so that a restart goes on where it stopped.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, createClient, type FeedEvent, type Order, type Translations } from "@comanda/sdk";

const { COMANDA_URL = "http://127.0.0.1:4000", COMANDA_TOKEN = "", CURSOR_FILE = "printer.cursor", LANGUAGE = "en" } = process.env;
const WIDTH = 32;
const AGAIN_AFTER_MS = 1000;
const comanda = createClient({ rootUrl: COMANDA_URL, token: COMANDA_TOKEN });

/** A file that is written beside and then renamed is never half a position. */
const store = (cursor: string): void => {
  writeFileSync(`${CURSOR_FILE}.new`, cursor);
  renameSync(`${CURSOR_FILE}.new`, CURSOR_FILE);
};
const stored = (): string => (existsSync(CURSOR_FILE) ? readFileSync(CURSOR_FILE, "utf8") : "latest");

/** What a guest wrote must not command the printer, so nothing but text gets through. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ");
const nameOf = (name: Translations): string => plain(name[LANGUAGE] ?? Object.values(name).find((text) => text !== null) ?? "?");
const print = (lines: string[]): void => void process.stdout.write(`${["=".repeat(WIDTH), ...lines, "=".repeat(WIDTH)].join("\n")}\n`);

const ticketOf = ({ id, type, customer, items, note }: Order): string[] => [
  `${type.replace("_", " ").toUpperCase()} ${plain(customer.name ?? "")} ${id.slice(-8)}`,
  ...items.filter(({ voided }) => !voided).map(({ quantity, name }) => `${quantity} x ${nameOf(name)}`),
  ...(note ? [`! ${plain(note)}`] : []),
];

const handle = (event: FeedEvent): void => {
  if (event.type === "order.created") print(ticketOf(event.data.order));
};

const follow = async (): Promise<void> => {
  // The first position, so that a restart before the first order misses none.
  if (stored() === "latest") store((await comanda.events.list({ after: "latest" })).meta.cursor);
  process.stderr.write("The printer follows the feed\n");
  const onCursor = store;
  for await (const { event, cursor } of comanda.events.follow({ after: stored(), types: ["order.created"], onCursor })) {
    handle(event);
    // The position is stored after the ticket: what was not printed comes again.
    store(cursor);
  }
};

for (;;) {
  const error: unknown = await follow().catch((thrown: unknown) => thrown);
  process.stderr.write(`${String(error)}\n`);
  // Away for longer than events are kept: the orders of that time are looked up on the orders board.
  if (error instanceof ApiError && error.code === "cursor_expired") store(String(error.details.latest));
  else if (error instanceof ApiError && error.status < 500 && error.status !== 429) process.exit(1);
  await sleep(AGAIN_AFTER_MS);
}

/** The money of a card: its sale is refunded only while it is on the card, its currency stays, and codes cannot be guessed by selling. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { consoleOperations } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { comandaAdmin as run } from "../../../../test/support/run-admin.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { importVenue } from "../../../compose/import-venue.ts";
import { parseVenueFile } from "../../setup/venue-file/service.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "1200" } });
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
});
afterAll(() => app.close());

const comandaAdmin = (...args: string[]) => run(args, { DATABASE_URL: app.database.appUrl });
const send = (method: string, path: string, body?: object, who = manager) =>
  who.call(method as "POST", `/venues/${lab.slug}${path}`, { ...(body ? { body } : {}), headers: { "idempotency-key": randomUUID() } });
const newCard = (changes: object = {}) => ({
  code: drawGiftCardCode(),
  amount_minor: 2000,
  expires_on: null,
  guest_id: null,
  message: null,
  ...changes,
});
const sell = async () => {
  const body = { ...newCard(), method: "cash" };
  const { id } = (await send("POST", "/gift-cards", body)).body.data;
  const [row] = await app.database.asOwner<{ payment_id: string }>(
    "select payment_id from gift_card_entries where gift_card_id = $1 and kind = 'issue'",
    [id],
  );
  return { id, code: body.code, sale: row?.payment_id ?? "" };
};
const ledger = async (id: number) => (await send("GET", `/gift-cards/${id}`)).body.data;

test("comanda-admin payment refund of a card's sale takes the amount from the card, and refuses what was spent", async () => {
  const { id, code, sale } = await sell();
  const order = await placeLabOrder(app, lab);
  await send("POST", `/orders/${order}/gift-card-payments`, { code, amount_minor: 500, seen_paid_minor: 0 });
  const refused = await comandaAdmin("payment", "refund", lab.slug, sale, "--amount", "2000");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("At most 1500 can be refunded: no more is on the gift card."),
  ]);
  expect((await ledger(id)).card.balance_minor).toBe(1500);
  expect(await app.database.asOwner("select from refunds where payment_id = $1", [sale])).toHaveLength(0);

  const refunded = await comandaAdmin("payment", "refund", lab.slug, sale, "--amount", "1500", "--reason", "bought by mistake");
  expect([refunded.code, refunded.stderr]).toEqual([0, expect.not.stringContaining("refunded")]);
  const { card, entries, steps } = await ledger(id);
  expect(card.balance_minor).toBe(0);
  expect(entries[0]).toMatchObject({ kind: "adjust", amount_minor: -1500, balance_minor: 0 });
  expect(steps[0]).toMatchObject({ action: "gift_card.adjusted", reason: "bought by mistake" });
  expect(await app.database.asOwner("select reason from refunds where payment_id = $1", [sale])).toEqual([{ reason: null }]);
  const told = await app.database.asOwner<{ body: string }>("select body from events where type = 'payment.refunded'");
  expect(JSON.stringify(told)).not.toContain("by mistake");
  expect((await comandaAdmin("payment", "refund", lab.slug, sale, "--amount", "1")).code).toBe(1);
});

test("an import with another currency is refused while the venue has gift cards", async () => {
  const file = parseVenueFile(readFileSync(new URL("../../../../samples/lab.json", import.meta.url), "utf8"));
  await sell();
  const other = { ...file, restaurant: { ...file.restaurant, currency: "EUR" } };
  await expect(importVenue(app.deps, other)).rejects.toThrow("The venue has gift cards in USD: its currency cannot be changed to EUR.");
  const [row] = await app.database.asOwner<{ currency: string }>("select currency from restaurants where id = $1", [lab.id]);
  expect(row?.currency).toBe("USD");
  await importVenue(app.deps, file);

  const bare = { ...other, restaurant: { ...other.restaurant, slug: "bare-lab" }, staff: [] };
  await importVenue(app.deps, { ...bare, restaurant: { ...bare.restaurant, currency: "USD" } });
  await importVenue(app.deps, bare);
});

test("every call with the code of a card is counted as a try", () => {
  const withCode = Object.entries(consoleOperations).filter(
    ([, operation]) => "body" in operation && operation.path.includes("gift-card") && "code" in operation.body.properties,
  );
  expect(withCode.map(([name]) => name).sort()).toEqual([
    "giveGiftCard",
    "lookUpGiftCard",
    "payTicketsWithGiftCard",
    "payWithGiftCard",
    "replaceGiftCardCode",
    "sellGiftCard",
  ]);
  for (const [name, operation] of withCode) expect("triesCodes" in operation, name).toBe(true);
});

test("codes are tried twenty times a minute, by selling, giving, replacing and looking up together", async () => {
  const { id, code } = await sell();
  const guesser = await createUser(app, lab.slug, "manager", "eve@lab.example");
  const tries = [
    () => send("POST", "/gift-cards", { ...newCard({ code }), method: "cash" }, guesser),
    () => send("POST", "/gift-cards/given", { ...newCard({ code }), reason: "a complaint" }, guesser),
    () => send("PUT", `/gift-cards/${id}/code`, { seen_last4: code.slice(-4), code }, guesser),
    () => send("POST", "/gift-cards/look-up", { code: drawGiftCardCode() }, guesser),
  ];
  const statuses: number[] = [];
  for (let turn = 0; turn < 24; turn++) statuses.push((await tries[turn % tries.length]?.())?.status ?? 0);
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([422]));
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
});

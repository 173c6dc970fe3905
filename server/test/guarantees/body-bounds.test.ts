/** What a body may ask of the process before it is refused: the answer is short, whatever was sent, and no transaction waits for it. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { callMessage, sendMessage } from "../support/mcp-clients.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const REFUSAL_BYTES_MAX = 256 * 1024;
const MIB = 1024 * 1024;

let watch: InjectedFault = () => null;
let app: TestApp;
let lab: TestVenue;
let dishId: number;
let categoryId: number;

beforeAll(async () => {
  app = await startApp({ pool: faultInjectingPool((statement, connection) => watch(statement, connection)) });
  lab = await app.venue("lab");
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  const plain = body.data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  [dishId, categoryId] = [plain.id, plain.category_id];
});
afterAll(() => app.close());

const order = (changes: object = {}) => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: "+1 555 0100",
  lines: [{ item_id: dishId, quantity: 1 }],
  ...changes,
});

const refused = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, string[]>> => {
  const answer = await app.call(lab.token, "POST", path, { body, headers });
  expect([answer.status, answer.body.error.code]).toEqual([422, "validation_failed"]);
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(REFUSAL_BYTES_MAX);
  return answer.body.error.details;
};

const many = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry);

test("D187 more than 50,000 values, 10,000 members or 20 levels are one fault of the body", async () => {
  expect(await refused("/orders", order({ lines: many(500_000, 0) }))).toEqual({ body: ["The body has more than 50,000 values."] });
  const members = (count: number) => Object.fromEntries(many(count, 0).map((value, n) => [`k${n}`, value]));
  expect(await refused("/orders", members(10_001))).toEqual({ body: ["The body has more than 10,000 members."] });
  expect(Object.keys(await refused("/orders", members(10_000)))).toContain("customer_name");
  const nest = (levels: number): object => (levels === 1 ? {} : { note: nest(levels - 1) });
  expect(await refused("/orders", nest(21))).toEqual({ body: ["The body is nested deeper than 20 levels."] });
  expect(Object.keys(await refused("/orders", nest(20)))).toContain("customer_name");
  // Commas and brackets in a text are none.
  expect(Object.keys(await refused("/orders", order({ note: '",[{\\'.repeat(100_000) })))).toEqual(["note"]);
});

test("D187 D22 a list or map that is too long is one fault, and the other fields are still reported", async () => {
  expect(await refused("/orders", order({ type: "x", lines: many(40_000, "\0") }))).toEqual({
    type: ["Must be one of dine_in, pickup, delivery."],
    lines: ["Must have at most 100 entries."],
  });
  const names = Object.fromEntries(many(21, "a").map((text, n) => [`x${String.fromCharCode(97 + n)}`, text]));
  const dish = { category_id: categoryId, name: names, price_minor: -1 };
  expect(await refused("/items", dish)).toEqual({
    name: ["Must have at most 20 entries."],
    price_minor: ["Must be at least 0. Amounts are whole numbers in the currency's minor unit: USD 12.50 is 1250."],
  });
});

test("D187 nothing is looked at that is not declared", async () => {
  expect(await refused("/orders", order({ customer_name: many(1000, "\0"), surprise: many(1000, "\0") }))).toEqual({
    customer_name: ["Must be a text."],
  });
});

test("D187 at most 500 faults are named, however many there are", async () => {
  const lines = many(100, { item_id: dishId, quantity: 1, option_ids: many(400, "x") });
  const faults = await refused("/orders", order({ lines }));
  expect(Object.keys(faults)).toHaveLength(500);
  expect(faults["lines.0.option_ids.0"]).toEqual(["Must be a whole number."]);
  // Faults against the rules of the trade are limited as well: the shape is right, and nothing else is.
  const strange = many(100, { item_id: dishId, quantity: 1, option_ids: many(400, 1) });
  expect(Object.keys(await refused("/orders", order({ lines: strange })))).toHaveLength(500);
});

test("D187 names that the client made up are shortened where they are repeated", async () => {
  const faults = await refused("/items", { category_id: categoryId, name: { ["q".repeat(MIB / 2)]: "a" }, price_minor: 1 });
  expect(faults).toEqual({ [`name.${"q".repeat(64)}…`]: ["Is not a language code."] });
});

test("D45 D187 a refusal that is kept under a key is as short, and one of a body that was not read is not kept", async () => {
  const lines = many(100, { item_id: dishId, quantity: 1, option_ids: many(400, "x") });
  await refused("/orders", order({ lines }), { "Idempotency-Key": "wide" });
  const again = await app.call(lab.token, "POST", "/orders", { body: order({ lines }), headers: { "Idempotency-Key": "wide" } });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([422, "true"]);
  await refused("/orders", order({ lines: many(500_000, 0) }), { "Idempotency-Key": "huge" });
  const kept = await app.database.asOwner(
    "select key, octet_length(body) as bytes from app.idempotency_keys where key in ('wide', 'huge')",
  );
  expect(kept.map(({ key }) => key)).toEqual(["wide"]);
  expect(Number(kept[0]?.bytes)).toBeLessThanOrEqual(REFUSAL_BYTES_MAX);
});

/** What happens, in its order: the body is looked at, a transaction begins. */
const watched = async (path: string, body: object): Promise<string[]> => {
  const seen: string[] = [];
  const { isWellFormed } = String.prototype;
  const spy = vi.spyOn(String.prototype, "isWellFormed").mockImplementation(function (this: string) {
    seen.push("body");
    return isWellFormed.call(this);
  });
  watch = ({ text }) => {
    if (text.startsWith("begin")) seen.push("begin");
    return null;
  };
  await app.call(lab.token, "PATCH", path, { body });
  spy.mockRestore();
  watch = () => null;
  return seen.filter((step, index) => step !== seen[index - 1]);
};

test("D27 the body is looked at before the transaction begins, and is told in its place: after 404", async () => {
  expect(await watched(`/items/${dishId}`, { dietary: "x" })).toEqual(["body", "begin"]);
  const missing = await app.call(lab.token, "PATCH", "/items/999999999999999", { body: { dietary: "x" } });
  expect(missing.status).toBe(404);
  const faulty = await app.call(lab.token, "PATCH", `/items/${dishId}`, { body: { dietary: "x" } });
  expect(faulty.status).toBe(422);
});

const MCP_ODD: [string, object][] = [
  ["wide arguments", callMessage("create_order", { lines: many(300_000, 0) })],
  ["many faults", callMessage("create_order", { lines: many(100, { item_id: 1, quantity: 1, option_ids: many(400, "x") }) })],
  ["a long name of a tool", callMessage("x".repeat(MIB / 2))],
  ["a long id", { ...callMessage("list_menus"), id: "x".repeat(MIB / 2) }],
  ["a long method", { method: "x".repeat(MIB / 2) }],
  [
    "a long version",
    { method: "initialize", params: { protocolVersion: "x".repeat(MIB / 2), capabilities: {}, clientInfo: { name: "a", version: "1" } } },
  ],
  ["long arguments", callMessage("get_menu", { menu: "x".repeat(MIB / 2) })],
  ["a long key", callMessage("create_order", { idempotency_key: "x".repeat(MIB / 2) })],
  ["a long query", callMessage("list_orders", { status: "x".repeat(MIB / 2) })],
  ["many members", { method: "tools/list", params: Object.fromEntries(many(9_000, 0).map((value, n) => [`k${n}`, value])) }],
];

test.each(MCP_ODD)("D187 an agent's message with %s is answered shortly", async (_name, message) => {
  const { status, body } = await sendMessage(app.app, lab.token, message);
  expect([200, 400, 404]).toContain(status);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(REFUSAL_BYTES_MAX);
});

const LANGUAGES = many(40, 0).map((_, n) => `${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`);
const texts = (count: number, text: string) => Object.fromEntries(LANGUAGES.slice(0, count).map((language) => [language, text]));

const addDish = async (changes: object = {}) =>
  app.call(lab.token, "POST", "/items", { body: { category_id: categoryId, name: "Soup", price_minor: 100, ...changes } });

test("D188 20 languages are taken and 21 are not, wherever a text is written; a code has 35 characters", async () => {
  expect((await addDish({ name: texts(20, "Soup") })).status).toBe(201);
  const wide = {
    name: texts(21, "a"),
    description: texts(21, "a"),
    variants: [{ name: texts(21, "a"), price_minor: 1 }],
    price_minor: null,
  };
  const refusal = await addDish(wide);
  expect(Object.keys(refusal.body.error.details).sort()).toEqual(["description", "name", "variants.0.name"]);
  const code = `en-${"abcdefgh-".repeat(4)}`.slice(0, 35);
  expect((await addDish({ name: { [code]: "Soup" } })).status).toBe(201);
  expect(Object.keys((await addDish({ name: { [`${code}-ab`]: "Soup" } })).body.error.details)).toEqual([`name.${code}-ab`]);
});

test("D188 a plain text is no way to a twenty-first language, and what was stored with more is read and changed", async () => {
  const full = (await addDish({ name: texts(20, "Soup") })).body.data;
  const one = await app.call(lab.token, "PATCH", `/items/${full.id}`, { body: { name: "Soup", description: "Hot" } });
  expect([one.status, Object.keys(one.body.error.details)]).toEqual([422, ["name"]]);
  await app.database.asOwner(`update app.items set name = '${JSON.stringify({ ...texts(40, "Soup"), en: "Soup" })}' where id = ${full.id}`);
  const read = await app.call(lab.token, "GET", `/items/${full.id}`);
  expect(Object.keys(read.body.data.name)).toHaveLength(41);
  const changed = await app.call(lab.token, "PATCH", `/items/${full.id}`, { body: { name: "Broth" } });
  expect([changed.status, changed.body.data.name.en, Object.keys(changed.body.data.name).length]).toEqual([200, "Broth", 41]);
  const ordered = await app.call(lab.token, "POST", "/orders", { body: order({ lines: [{ item_id: full.id, quantity: 1 }] }) });
  expect(ordered.status).toBe(201);
});

test("D189 an order whose lines are too large is refused, and none that was taken is larger than it may be", async () => {
  const wordy = (await addDish({ name: texts(20, "😀".repeat(255)) })).body.data;
  const place = (count: number) =>
    app.call(lab.token, "POST", "/orders", { body: order({ lines: many(count, { item_id: wordy.id, quantity: 1 }) }) });
  const largest = await place(12);
  expect(largest.status).toBe(201);
  expect(Buffer.byteLength(JSON.stringify(largest.body.data.items))).toBeLessThanOrEqual(256 * 1024);
  for (const count of [13, 100]) {
    const refusal = await place(count);
    expect([refusal.status, Object.keys(refusal.body.error.details)]).toEqual([422, ["lines"]]);
  }
});

/** Stock: an accepted order takes by its recipes, a level is the sum of its entries, and falling below par has one event. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { type StockTools, stockTools } from "../../../test/support/stock.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../admin/sandbox.ts";
import { purgeExpired } from "../../compose/retention.ts";
import { resetSandbox } from "../sandbox/service.ts";
import { readSheet } from "./service/levels.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let manager: TestUser;
let stock: StockTools;
let items: { id: number; name: { en: string }; variants: { id: number; name: { en: string } }[] }[];

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  stock = await stockTools(app, lab, manager);
  items = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
});
afterAll(() => app.close());

const itemOf = (name: string) => {
  const item = items.find((one) => one.name.en === name);
  if (!item) throw new Error(name);
  return item;
};
const place = async (lines: object[], more: object = {}): Promise<{ id: string; items: { id: number }[] }> => {
  const { status, text, body } = await app.call(lab.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines, ...more },
  });
  if (status !== 201) throw new Error(text);
  return body.data;
};
const move = (id: string, status: string, reason?: string) =>
  app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status, ...(reason ? { reason } : {}) } });
const board = (id: string, body: object) => stock.send("POST", `/orders/${id}/status`, body, staff);
const sumOf = async (id: number): Promise<number> =>
  (await stock.entriesOf(id)).reduce((sum, { amount }) => sum + Math.round(amount * 1000), 0) / 1000;

test("an accepted order takes what dish, size and option take together, once, in its commit", async () => {
  const [flour, oil] = [await stock.add(), await stock.add({ name: { en: "Oil" }, sku: "", unit: "l" })];
  const [flourKey, oilKey] = [await stock.keyOf(flour.id), await stock.keyOf(oil.id)];
  const sized = itemOf("Sized Salad");
  const optional = itemOf("Optional Omelette");
  await stock.recipe(sized.id, [
    { ingredients: [{ ingredient: flourKey, quantity: 0.1 }] },
    {
      variant: "large",
      ingredients: [
        { ingredient: flourKey, quantity: 0.05 },
        { ingredient: oilKey, quantity: 0.02 },
      ],
    },
  ]);
  await stock.recipe(optional.id, [
    { modifier_group: "any", option: "salt", item: null, ingredients: [{ ingredient: oilKey, quantity: 0.003 }] },
  ]);
  await stock.deliver(flour.id, 10);
  await stock.deliver(oil.id, 1);
  const details = (await stock.done("GET", `/stock/recipes/${optional.id}`)) as { recipes: { option: string | null }[] };
  expect(details.recipes.map(({ option }) => option)).toEqual(["salt"]);
  const groups = (await app.call(lab.token, "GET", `/items/${optional.id}`)).body.data.modifier_groups;
  const optionId = (en: string): number =>
    groups
      .flatMap(({ options }: { options: { id: number; name: { en: string } }[] }) => options)
      .find((one: { name: { en: string } }) => one.name.en.toLowerCase() === en).id;
  const order = await place([
    { item_id: sized.id, variant_id: sized.variants[2]?.id, quantity: 3 },
    { item_id: sized.id, variant_id: sized.variants[0]?.id, quantity: 1 },
    { item_id: optional.id, quantity: 2, option_ids: [optionId("red"), optionId("salt")] },
  ]);
  expect([(await stock.levelOf(flour.id)).on_hand, (await stock.levelOf(oil.id)).on_hand]).toEqual([10, 1]);
  expect(JSON.stringify(order)).not.toContain("stock");
  expect((await move(order.id, "accepted")).status).toBe(200);
  expect([(await stock.levelOf(flour.id)).on_hand, (await stock.levelOf(oil.id)).on_hand]).toEqual([9.45, 0.934]);
  expect((await move(order.id, "accepted")).status).toBe(409);
  expect((await stock.entriesOf(flour.id)).map(({ kind }) => kind)).toEqual(["delivery", "order"]);
  // The recipe of the moment of placing counts.
  const later = await place([{ item_id: sized.id, variant_id: sized.variants[0]?.id, quantity: 1 }]);
  await stock.recipe(sized.id, []);
  await move(later.id, "accepted");
  expect((await stock.levelOf(flour.id)).on_hand).toBe(9.35);
  await stock.recipe(optional.id, []);
});

test("R6.2-12 D171 below par is told once for each crossing, with what was there before", async () => {
  const cheese = await stock.add({ name: { en: "Cheese", it: "Formaggio" }, par_levels: [{ branch: "main", level: 5 }] });
  const plain = itemOf("Plain Plate");
  await stock.recipe(plain.id, [{ ingredients: [{ ingredient: await stock.keyOf(cheese.id), quantity: 0.5 }] }]);
  await stock.count(cheese.id, 5.5);
  const accept = async () => move((await place([{ item_id: plain.id, quantity: 1 }])).id, "accepted");
  await accept();
  expect(await stock.eventsOf(cheese.id)).toEqual([]);
  await accept();
  await accept();
  const [event, ...more] = await stock.eventsOf(cheese.id);
  expect(more).toEqual([]);
  expect(event).toEqual({
    ingredient: { id: cheese.id, name: "Cheese", sku: "FL-1", unit: "kg" },
    branch_id: stock.branchId,
    on_hand: 4.5,
    par_level: 5,
    previous_on_hand: 5,
  });
  await stock.deliver(cheese.id, 1);
  expect(await stock.eventsOf(cheese.id)).toHaveLength(1);
  await stock.count(cheese.id, 1);
  expect((await stock.eventsOf(cheese.id)).map(({ previous_on_hand, on_hand }) => [previous_on_hand, on_hand])).toEqual([
    [5, 4.5],
    [5, 1],
  ]);
  // A par level that is set above what is there is no fall.
  const { version, value } = (await stock.done("GET", `/stock/ingredients/${cheese.id}`)) as { version: string; value: object };
  await stock.done("PUT", `/stock/ingredients/${cheese.id}`, {
    seen_version: version,
    ingredient: { ...value, par_levels: [{ branch: "main", level: 50 }] },
  });
  await accept();
  expect(await stock.eventsOf(cheese.id)).toHaveLength(2);
  await stock.recipe(plain.id, []);
  expect(await sumOf(cheese.id)).toBe((await stock.levelOf(cheese.id)).on_hand);
});

test("what the kitchen has not begun goes back; afterwards staff say back or waste, and without a word it is wasted", async () => {
  const rice = await stock.add({ name: { en: "Rice" } });
  const plain = itemOf("Plain Plate");
  await stock.recipe(plain.id, [{ ingredients: [{ ingredient: await stock.keyOf(rice.id), quantity: 1 }] }]);
  await stock.count(rice.id, 100);
  const line = { item_id: plain.id, quantity: 2 };
  const level = async () => (await stock.levelOf(rice.id)).on_hand;
  const [placed, rejected] = [await place([line]), await place([line])];
  await move(placed.id, "cancelled");
  await move(rejected.id, "rejected");
  expect(await level()).toBe(100);
  const back = await place([line]);
  await move(back.id, "accepted");
  expect(await level()).toBe(98);
  expect((await board(back.id, { seen_status: "accepted", status: "cancelled", reason: "no show", stock: "back" })).status).toBe(200);
  expect(await level()).toBe(100);
  const wasted = await place([line]);
  await move(wasted.id, "accepted");
  await move(wasted.id, "ready");
  expect((await board(wasted.id, { seen_status: "ready", status: "cancelled", reason: "no show", stock: "waste" })).status).toBe(200);
  expect(await level()).toBe(98);
  const byApi = await place([line]);
  await move(byApi.id, "accepted");
  await move(byApi.id, "cancelled", "no show");
  expect(await level()).toBe(96);
  const notes = await app.database.asOwner<{ after: { stock?: string } }>(
    "select after from audit_entries where action = 'order.moved' and after ->> 'status' = 'cancelled' and subject_id = any($1)",
    [[back.id, wasted.id, byApi.id]],
  );
  expect(notes.map(({ after }) => after.stock).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(["back", "waste", "waste"]);
});

test("a held order that is cancelled gives back by itself, and a struck line follows the same rule", async () => {
  const beans = await stock.add({ name: { en: "Beans" } });
  const plain = itemOf("Plain Plate");
  await stock.recipe(plain.id, [{ ingredients: [{ ingredient: await stock.keyOf(beans.id), quantity: 1 }] }]);
  await stock.count(beans.id, 50);
  const level = async () => (await stock.levelOf(beans.id)).on_hand;
  const scheduled_for = new Date(app.clock.now().getTime() + 6 * 3_600_000).toISOString();
  const held = await place([{ item_id: plain.id, quantity: 3 }], { scheduled_for });
  await move(held.id, "accepted");
  expect(await level()).toBe(47);
  await move(held.id, "cancelled");
  expect(await level()).toBe(50);
  const two = await place([
    { item_id: plain.id, quantity: 1 },
    { item_id: plain.id, quantity: 2 },
    { item_id: plain.id, quantity: 4 },
  ]);
  const strike = (place: number, body: object) =>
    stock.send("POST", `/orders/${two.id}/lines/${two.items[place]?.id}/strike`, { reason: "ordered twice", ...body }, staff);
  expect((await strike(0, { seen_status: "placed" })).status).toBe(200);
  await move(two.id, "accepted");
  expect(await level()).toBe(44);
  expect((await strike(1, { seen_status: "accepted", stock: "back" })).status).toBe(200);
  expect(await level()).toBe(46);
  const part = { quantity: 3, of: 4 };
  expect((await strike(2, { seen_status: "accepted", stock: "back", part })).status).toBe(200);
  expect(await level()).toBe(49);
  expect((await strike(1, { seen_status: "accepted", stock: "back" })).status).toBe(409);
  expect((await board(two.id, { seen_status: "accepted", status: "cancelled", reason: "left", stock: "back" })).status).toBe(200);
  expect(await level()).toBe(50);
  await stock.recipe(plain.id, []);
  expect(await sumOf(beans.id)).toBe(50);
});

test("staff count and see the variance; a count of another level is told the present one; deliveries and waste are the manager's", async () => {
  const salt = await stock.add({ name: { en: "Salt" }, unit: "g" });
  const count = (counted: number, seen_on_hand: number, key = randomUUID()) =>
    staff.call("POST", `/venues/${lab.slug}/stock/ingredients/${salt.id}/counts`, {
      body: { branch_id: stock.branchId, counted, seen_on_hand },
      headers: { "idempotency-key": key },
    });
  await stock.deliver(salt.id, 750.5);
  const key = randomUUID();
  const counted = await count(700, 750.5, key);
  expect([counted.status, counted.body.data.variance, counted.body.data.level.on_hand]).toEqual([201, -50.5, 700]);
  expect((await count(700, 750.5, key)).body).toEqual(counted.body);
  const stale = await count(650, 750.5);
  expect([stale.status, stale.body.error.details]).toMatchObject([409, { changed_by: "sam", level: { on_hand: 700 } }]);
  for (const path of ["deliveries", "waste"])
    expect(
      (
        await stock.send(
          "POST",
          `/stock/${path}`,
          { branch_id: stock.branchId, lines: [{ ingredient_id: salt.id, quantity: 1 }], reason: "old bag" },
          staff,
        )
      ).status,
    ).toBe(403);
  const lines = [
    { ingredient_id: salt.id, quantity: 100 },
    { ingredient_id: salt.id, quantity: 0.5 },
  ];
  expect((await stock.done("POST", "/stock/waste", { branch_id: stock.branchId, lines, reason: "wet" }))[0].on_hand).toBe(599.5);
  const ledger = (await stock.done("GET", `/stock/ingredients/${salt.id}/entries`)) as {
    entries: { kind: string; amount: number; on_hand: number }[];
  };
  expect(ledger.entries.map(({ kind, amount, on_hand }) => [kind, amount, on_hand])).toEqual([
    ["waste", -100.5, 599.5],
    ["count", -50.5, 700],
    ["delivery", 750.5, 750.5],
  ]);
  for (const body of [
    { branch_id: 1, lines, reason: "wet" },
    { branch_id: stock.branchId, lines: [{ ingredient_id: 1, quantity: 1 }], reason: "wet" },
    { branch_id: stock.branchId, lines: [{ ingredient_id: salt.id, quantity: 0.0005 }], reason: "wet" },
  ])
    expect((await stock.send("POST", "/stock/waste", body)).status).toBe(422);
  const [entry] = await app.database.asOwner(
    "select before, after from audit_entries where action = 'ingredient.counted' and subject_id = $1",
    [String(salt.id)],
  );
  expect(entry).toEqual({ before: { on_hand: 750.5 }, after: { on_hand: 700, branch_id: stock.branchId } });
});

test("an ingredient keeps its unit, is not removed while a recipe needs it, and of two who save, one is told", async () => {
  const { id, version, value } = await stock.add({ name: { en: "Herbs" } });
  const save = (seen_version: string, changes: object) =>
    stock.send("PUT", `/stock/ingredients/${id}`, { seen_version, ingredient: { ...value, ...changes } });
  expect((await save(version, { unit: "g" })).body.error.details).toEqual({
    "ingredient.unit": ["The unit of an ingredient stays. Add another ingredient."],
  });
  expect((await save(version, { par_levels: [{ branch: "moon", level: 1 }] })).status).toBe(422);
  expect((await save(version, { sku: "H-2" })).status).toBe(200);
  const stale = await save(version, { sku: "H-3" });
  expect([stale.status, stale.body.error.details.ingredient.value.sku]).toEqual([409, "H-2"]);
  const plain = itemOf("Plain Plate");
  const key = await stock.keyOf(id);
  await stock.recipe(plain.id, [{ ingredients: [{ ingredient: key, quantity: 1 }] }]);
  expect((await stock.send("DELETE", `/stock/ingredients/${id}`)).body.error.details).toEqual({
    recipes: ["A recipe needs it. Take it out of the recipes first."],
  });
  const { version: recipeVersion, key: item } = (await stock.done("GET", `/stock/recipes/${plain.id}`)) as { version: string; key: string };
  const wrong = [
    { item: "sized", ingredients: [{ ingredient: key, quantity: 1 }] },
    { item, variant: "huge", ingredients: [{ ingredient: key, quantity: 1 }] },
    { item, ingredients: [{ ingredient: "nothing", quantity: 1 }] },
    {
      item,
      ingredients: [
        { ingredient: key, quantity: 1 },
        { ingredient: key, quantity: 2 },
      ],
    },
    { modifier_group: "any", option: "salt", ingredients: [{ ingredient: key, quantity: 1 }] },
  ];
  for (const recipe of wrong)
    expect(
      (await stock.send("PUT", `/stock/recipes/${plain.id}`, { seen_version: recipeVersion, recipes: [recipe] })).status,
      JSON.stringify(recipe),
    ).toBe(422);
  await stock.recipe(plain.id, []);
  expect((await stock.send("DELETE", `/stock/ingredients/${id}`)).status).toBe(200);
  expect((await stock.send("GET", `/stock/ingredients/${id}`)).status).toBe(404);
});

test("the application can write neither a level nor an entry's level, nor change an entry", async () => {
  const oats = await stock.add({ name: { en: "Oats" } });
  await stock.deliver(oats.id, 1);
  const client = new pg.Client({ connectionString: app.database.appUrl });
  await client.connect();
  const attempt = async (statement: string): Promise<string> => {
    await client.query(`begin; select set_config('app.restaurant_id', '${lab.id}', true)`);
    const said = await client.query(`set local search_path = app; ${statement}`).then(
      () => "allowed",
      (error: Error) => error.message,
    );
    await client.query("rollback");
    return said;
  };
  for (const statement of [
    "update stock_levels set on_hand_milli = 9",
    "update stock_levels set carried_milli = 9",
    "delete from stock_levels",
    "update stock_entries set amount_milli = 9",
    "delete from stock_entries",
    `insert into stock_entries (restaurant_id, branch_id, ingredient_id, kind, amount_milli, on_hand_milli, recorded_by, recorded_at)
     values (${lab.id}, ${stock.branchId}, ${oats.id}, 'delivery', 1, 1, 'x', now())`,
  ])
    expect(await attempt(statement), statement).toMatch(/permission denied/);
  await client.end();
});

test("old entries are removed and their sum stays on the level", async () => {
  const yeast = await stock.add({ name: { en: "Yeast" } });
  await stock.deliver(yeast.id, 7);
  await app.database.asOwner("update stock_entries set recorded_at = recorded_at - interval '500 days' where ingredient_id = $1", [
    yeast.id,
  ]);
  await stock.deliver(yeast.id, 2);
  await purgeExpired(app.deps);
  expect(await stock.entriesOf(yeast.id)).toHaveLength(1);
  const [level] = await app.database.asOwner("select on_hand_milli::int, carried_milli::int from stock_levels where ingredient_id = $1", [
    yeast.id,
  ]);
  expect(level).toEqual({ on_hand_milli: 9000, carried_milli: 7000 });
});

test("a sandbox has stock, and a reset restores it", async () => {
  await createSandbox(app.deps, lab.slug, null);
  const levels = () => inSandbox(app.deps, lab.slug, (ctx) => readSheet(ctx, undefined));
  const before = await levels();
  expect(before.ingredients.map(({ on_hand }) => on_hand)).toEqual([2.5, 30, 3]);
  const [first] = before.ingredients;
  await app.database.asOwner("update stock_levels set on_hand_milli = 0 where ingredient_id = $1", [first?.id]);
  await inSandbox(app.deps, lab.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  expect(await levels()).toEqual(before);
});

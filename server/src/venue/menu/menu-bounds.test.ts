/** The size of a menu: what a venue can make others wait for, and what one venue's apps can make its managers wait for. */
import { randomUUID } from "node:crypto";
import type { MenuEdits, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../test/support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { applyEdits } from "./rules/edits.ts";
import { editErrors } from "./rules/errors.ts";
import { type HappyHourRow, menuNow, runningCuts } from "./rules/items.ts";
import type { Plan } from "./rules/plan.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@menu.example");
});
afterAll(() => app.close());

const path = () => `/venues/${lab.slug}/menu-plan`;
const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", path())).body.data;
const save = (edits: MenuEdits) => manager.call("POST", path(), { body: edits, headers: { "idempotency-key": randomUUID() } });
const plainItem = (plan: MenuPlan) => plan.items.find(({ value }) => value.price_minor !== null) ?? expect.fail("no dish with a price");

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const subject = <V>(key: string, value: V) => ({ key, id: null, place: null, value });
const name = { en: "A" };
const dish = (key: string, change: object = {}) => ({
  ...subject(key, {
    category: "c",
    name,
    description: null,
    price_minor: 100,
    variants: [],
    modifier_groups: [] as string[],
    dietary: "none" as const,
    allergens: null,
    show_online: true,
    tax: null as string | null,
    ...change,
  }),
  isAvailable: true,
});
const planWith = (change: Partial<Plan>): Plan => ({
  menus: [subject("m", { name, is_active: true, hours: null })],
  categories: [subject("c", { menu: "m", name, is_active: true, hours: null, station: null })],
  items: [dish("d")],
  modifier_groups: [],
  happy_hours: [],
  ...change,
});
const groupOf = (key: string, options: number, length: number) =>
  subject(key, {
    name,
    min_select: 0,
    max_select: null,
    options: listOf(options, (index) => ({ key: `o-${index}`, name: { en: "x".repeat(length) }, price_minor: 0 })),
  });
const hourOf = (key: string, items: string[]) =>
  subject(key, { name, is_active: true, hours: null, percent_off: 10, price_minor: null, categories: [], items, variants: [] });
const faultsOf = (before: Plan, after: Plan, edits: MenuEdits = {}) => editErrors(before, after, edits, []);

test("prices of 5000 dishes under 100 happy hours of 4500 targets each are found in a moment", () => {
  const ids = (count: number, from: number) => listOf(count, (index) => from + index);
  const hour: HappyHourRow = {
    is_active: true,
    hours: null,
    percent_off: 10,
    price_minor: null,
    category_ids: ids(500, 1_000_000),
    item_ids: ids(2000, 2_000_000),
    variant_ids: ids(2000, 3_000_000),
  };
  const happyHours = listOf(100, () => hour);
  const items = listOf(5000, (index) => ({ id: index, category_id: 1, price_minor: 100, variants: [] }));
  const clock = { year: 2026, month: 11, day: 14, weekday: "sat", minute: 720 } as never;
  const begun = process.cpuUsage();
  const menu = {
    is_active: true,
    hours: null,
    categories: [],
    items: [...items, { ...items[0], id: 2_000_001 } as (typeof items)[number]],
  };
  expect(menuNow(menu, runningCuts(happyHours, clock), clock).prices).toEqual([{ item_id: 2_000_001, variant_id: null, price_minor: 90 }]);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(800);
});

test("a happy hour names a category, dish or size once, and all of them together a bounded number", async () => {
  const { key, value } = plainItem(await readPlan());
  const hour = { ...hourOf("twice", [key, key]).value, categories: [value.category, value.category] };
  const { status, body } = await save({ happy_hours: [{ key: "twice", seen: null, value: hour }] });
  expect([status, body.error?.details]).toEqual([
    422,
    {
      "happy_hours.0.value.categories": [`${value.category} occurs twice.`],
      "happy_hours.0.value.items": [`${key} occurs twice.`],
    },
  ]);
  const items = listOf(2000, (index) => dish(`d-${index}`));
  const hours = (count: number) =>
    listOf(count, (index) =>
      hourOf(
        `h-${index}`,
        items.map((item) => item.key),
      ),
    );
  expect(faultsOf(planWith({ items }), planWith({ items, happy_hours: hours(10) }))).toEqual({});
  expect(Object.keys(faultsOf(planWith({ items }), planWith({ items, happy_hours: hours(11) })))).toEqual(["happy_hours"]);
});

test("extras of a dish, the text of a menu, and the text that all dishes show are bounded; what is above may stay, and get less", () => {
  const groups = (count: number, options: number, length: number) => listOf(count, (index) => groupOf(`g-${index}`, options, length));
  const shown = (count: number, items: number, more: Partial<Plan> = {}): Plan => {
    const modifier_groups = listOf(count, (index) => `g-${index}`);
    return planWith({ items: listOf(items, (index) => dish(`d-${index}`, { modifier_groups })), ...more });
  };
  const before = planWith({});
  const extras = (count: number) => shown(count, 1, { modifier_groups: groups(count, 100, 5) });
  expect(faultsOf(before, extras(5))).toEqual({});
  expect(faultsOf(before, extras(6))).toEqual({ modifier_groups: ["A dish can have at most 500 extras in all of its groups."] });
  expect(faultsOf(extras(7), extras(6))).toEqual({});
  const told = (length: number) =>
    planWith({ items: listOf(2000, (index) => dish(`d-${index}`, { description: { en: "x".repeat(length) } })) });
  expect(faultsOf(before, told(3000))).toEqual({});
  expect(faultsOf(before, told(5000))).toEqual({ menus: ["The menu has too much text."] });
  const large = { modifier_groups: groups(4, 100, 100) };
  expect(faultsOf(before, shown(4, 300, large))).toEqual({});
  expect(faultsOf(before, shown(4, 900, large))).toEqual({ menus: ["The menu has too much text."] });
});

test("all menus together have a bounded number of dishes, categories and extras", () => {
  const [before, many] = [
    planWith({}),
    listOf(200, (index) => subject(`c-${index}`, { menu: "m", name, is_active: true, hours: null, station: null })),
  ];
  const dishes = (count: number) =>
    planWith({ categories: many, items: listOf(count, (index) => dish(`d-${index}`, { category: `c-${index % 200}` })) });
  expect(faultsOf(before, dishes(5000))).toEqual({});
  expect(faultsOf(before, dishes(5001))).toEqual({ items: ["There can be at most 5000."] });
  const categories = planWith({ categories: [...many, ...planWith({}).categories] });
  expect(faultsOf(before, categories)).toEqual({ categories: ["All menus together can have at most 200 categories."] });
  const extras = (count: number) => planWith({ modifier_groups: listOf(count, (index) => groupOf(`g-${index}`, 50, 5)) });
  expect(faultsOf(before, extras(40))).toEqual({});
  expect(faultsOf(before, extras(41))).toEqual({ modifier_groups: ["All groups together can have at most 2000 extras."] });
});

test("a menu above a bound, or with a fault elsewhere, does not keep a manager from changing a price", () => {
  const faulty = dish("faulty", { tax: "gone" });
  const before = planWith({ items: [...listOf(2001, (index) => dish(`d-${index}`)), faulty] });
  const edits = (item: string): MenuEdits => ({ prices: [{ item, variant: null, seen_minor: 100, price_minor: 1000 }] });
  const errorsOf = (change: MenuEdits) => faultsOf(before, applyEdits(before, change).after, change);
  expect(errorsOf(edits("d-1"))).toEqual({});
  expect(errorsOf(edits("faulty"))).toEqual({ "prices.0.tax": ["There is no tax gone."] });
  expect(errorsOf({ items: [{ key: "new", seen: null, value: dish("new").value }] })).toEqual({ items: ["There can be at most 2000."] });
});

test("a category takes 2000 dishes over the API; then the API refuses the next, and managers still change prices", async () => {
  const item = plainItem(await readPlan());
  const category = (await app.call(lab.token, "GET", `/items/${item.id}`)).body.data.category_id;
  await app.database.asOwner(
    `insert into items (restaurant_id, key, category_id, name, price_minor, is_available, show_online, dietary, sort_order)
     select $1, 'many-' || n, $2, '{"en": "Many"}', 100, true, true, 'none', n from generate_series(1, 2000) n`,
    [lab.id, category],
  );
  const refused = await app.call(lab.token, "POST", "/items", { body: { category_id: category, name: "More", price_minor: 1 } });
  expect([refused.status, refused.body.error?.details]).toEqual([422, { category_id: ["A category has at most 2000 dishes."] }]);
  const seen_minor = item.value.price_minor ?? 0;
  const changed = await save({ prices: [{ item: item.key, variant: null, seen_minor, price_minor: seen_minor + 1 }] });
  expect(changed.status, changed.text).toBe(200);
});

test("over the API too the text of a menu, and what its dishes show of their extras, are bounded; a short dish is still added", async () => {
  const { id: venue, token } = await app.venue("lab", (file) => Object.assign(file.restaurant, { slug: "much-text" }));
  const [{ id, category_id }] = (await app.call(token, "GET", "/items?per_page=1")).body.data;
  const add = (change: object) => app.call(token, "POST", "/items", { body: { category_id, name: "New", price_minor: 1, ...change } });
  const change = (body: object) => app.call(token, "PATCH", `/items/${id}`, { body });
  const languages = ["en", "it", "ar", "de", "fr", "es", "pt", "nl", "pl", "tr"];
  const long = (length: number) => Object.fromEntries(languages.map((language) => [language, "x".repeat(length)]));
  const met = ({ status, body }: { status: number; body: { error?: { details: object } } }) => [status, body.error?.details];
  expect((await add({ description: long(5000) })).status).toBe(201);
  expect((await change({ description: long(4000) })).status).toBe(200);
  const [group] = await app.database.asOwner<{ id: string }>(
    `with made as (insert into modifier_groups (restaurant_id, key, name, min_select, sort_order)
       values ($1, 'many', '{"en": "Many"}', 0, 99) returning id)
     insert into modifier_options (restaurant_id, group_id, key, name, price_minor, is_available, sort_order)
     select $1, made.id, 'o-' || n, $2, 0, true, n from made, generate_series(1, 100) n returning group_id as id`,
    [venue, JSON.stringify(long(255))],
  );
  const withGroup = { modifier_group_ids: [Number(group?.id)] };
  expect((await add(withGroup)).status).toBe(201);
  await app.database.asOwner(
    `insert into item_modifier_groups (restaurant_id, item_id, group_id, sort_order)
     select restaurant_id, id, $2, 99 from items i where restaurant_id = $1
       and not exists (select from item_modifier_groups o where o.item_id = i.id and o.group_id = $2)`,
    [venue, group?.id],
  );
  await app.database.asOwner(
    `with added as (insert into items (restaurant_id, key, category_id, name, price_minor, is_available, show_online, dietary, sort_order)
       select $1, 'many-' || n, $2, '{"en": "Many"}', 1, true, true, 'none', n from generate_series(1, 170) n returning id)
     insert into item_modifier_groups (restaurant_id, item_id, group_id, sort_order) select $1, id, $3, 0 from added`,
    [venue, category_id, group?.id],
  );
  expect(met(await add(withGroup))).toEqual([422, { modifier_group_ids: ["The menu has too much text."] }]);
  await app.database.asOwner("delete from item_modifier_groups where restaurant_id = $1", [venue]);
  expect((await add(withGroup)).status).toBe(201);
  await app.database.asOwner("update items set description = $2 where restaurant_id = $1 and key like 'many-%'", [
    venue,
    JSON.stringify(long(5000)),
  ]);
  const tooLong = [422, { description: ["The menu has too much text."] }];
  expect(met(await add({ description: long(5000) }))).toEqual(tooLong);
  expect(met(await change({ description: long(5000) }))).toEqual(tooLong);
  expect(met(await change({ description: long(3000) }))[0]).toBe(200);
  expect((await add({ description: "Tomatoes and basil" })).status).toBe(201);
  // Planted: a process that does not measure the menu takes it.
  const unmeasured: InjectedFault = ({ text }) => (text.includes("octet_length") ? { text: "select 0 as bytes, 0 as shown" } : null);
  const careless = await startApp({ database: app.database, pool: faultInjectingPool(unmeasured) });
  const body = { category_id, name: "New", price_minor: 1, description: long(5000) };
  expect((await careless.call(token, "POST", "/items", { body })).status).toBe(201);
  await careless.close();
  expect((await change({ price_minor: 700 })).status).toBe(200);
});

test("who told 128 megabytes of dishes in ten minutes waits before the next save", async () => {
  const item = plainItem(await readPlan());
  const seen_minor = item.value.price_minor ?? 0;
  await app.database.asOwner(
    `insert into events (restaurant_id, id, type, created_at, body)
     select $1, gen_random_uuid(), 'menu.item_updated', $2, repeat('x', 9 * 1024 * 1024) from generate_series(1, 15)`,
    [lab.id, app.clock.now()],
  );
  const change = { prices: [{ item: item.key, variant: null, seen_minor, price_minor: seen_minor + 1 }] };
  const refused = await save(change);
  expect([refused.status, refused.body.error?.code, refused.headers["retry-after"]]).toEqual([429, "rate_limited", "60"]);
  app.clock.advance(11 * 60 * 1000);
  expect((await save(change)).status).toBe(200);
});

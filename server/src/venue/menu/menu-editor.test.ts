/** The menu as managers change it: one save has all of its effects or none, by the rules of the venue file. */
import { randomUUID } from "node:crypto";
import type { MenuEdits, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { collectVenueFile, parseVenueFile } from "../setup/venue-file/service.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let mia: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@menu.example");
  mia = await createUser(app, lab.slug, "manager", "mia@menu.example");
});
afterAll(() => app.close());

const path = () => `/venues/${lab.slug}/menu-plan`;
const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", path())).body.data;
const save = (edits: MenuEdits, who = manager, key: string = randomUUID()) =>
  who.call("POST", path(), { body: edits, headers: { "idempotency-key": key } });
const saved = async (edits: MenuEdits): Promise<number> => {
  const { status, body, text } = await save(edits);
  expect(status, text).toBe(200);
  return body.data.changed;
};
const exported = (): Promise<VenueFile> => forVenue(app.deps, lab.slug, collectVenueFile);
const itemIn = (plan: MenuPlan, key: string) => plan.items.find((item) => item.key === key) ?? expect.fail(`no dish ${key}`);
/** A dish with a price of its own. */
const plainItem = (plan: MenuPlan) => plan.items.find(({ value }) => value.price_minor !== null) ?? expect.fail("no dish with a price");

type Recorded = { action: string; before: Record<string, unknown> | null; after: Record<string, unknown> | null };
const recordedOf = (kind: string, id: number): Promise<Recorded[]> =>
  app.database.asOwner<Recorded>(
    "select action, before, after from audit_entries where restaurant_id = $1 and subject_kind = $2 and subject_id = $3::text order by id",
    [lab.id, kind, id],
  );
const changedFields = async (itemId: number): Promise<string[][]> =>
  (
    await app.database.asOwner<{ changed: string[] }>(
      `select array(select jsonb_array_elements_text(body::jsonb #> '{data,changed}')) as changed from events
       where restaurant_id = $1 and type = 'menu.item_updated' and body::jsonb #>> '{data,item,id}' = $2::text order by id`,
      [lab.id, itemId],
    )
  ).map(({ changed }) => changed);

test("JM-03 a price is changed once, with the old and the new one in the activity log, and one event", async () => {
  const item = plainItem(await readPlan());
  const seen = item.value.price_minor ?? 0;
  expect(await saved({ prices: [{ item: item.key, variant: null, seen_minor: seen, price_minor: seen + 50 }] })).toBe(1);
  expect((await app.call(lab.token, "GET", `/items/${item.id}`)).body.data.price_minor).toBe(seen + 50);
  expect((await recordedOf("item", item.id)).at(-1)).toEqual({
    action: "item.price_changed",
    before: { price_minor: seen },
    after: { price_minor: seen + 50 },
  });
  expect(await changedFields(item.id)).toEqual([["price_minor"]]);
});

test("who saw another price is told who changed it, and nothing of that save is kept", async () => {
  const plan = await readPlan();
  const [first, second] = plan.items.filter(({ value }) => value.price_minor !== null);
  if (!first || !second) expect.fail("two dishes with a price");
  const priceOf = ({ key, value }: typeof first, by: number) => ({
    item: key,
    variant: null,
    seen_minor: value.price_minor ?? 0,
    price_minor: (value.price_minor ?? 0) + by,
  });
  expect((await save({ prices: [priceOf(first, 10)] }, mia)).status).toBe(200);
  const late = await save({ prices: [priceOf(second, 20), priceOf(first, 20)] });
  expect([late.status, late.body.error.code]).toEqual([409, "state_changed"]);
  expect(late.body.error.details).toMatchObject({ subjects: [{ list: "items", key: first.key }], changed_by: "mia" });
  expect(itemIn(await readPlan(), second.key).value.price_minor).toBe(second.value.price_minor);
});

test("a dish or a category that was changed since the page was read is not overwritten", async () => {
  const plan = await readPlan();
  const item = plainItem(plan);
  const category = plan.categories.find(({ key }) => key === item.value.category) ?? expect.fail("no category");
  const edits = (note: string): MenuEdits => ({
    items: [{ key: item.key, seen: item.version, value: { ...item.value, description: { en: note } } }],
    categories: [{ key: category.key, seen: category.version, value: { ...category.value, station: note } }],
  });
  expect((await save(edits("first"), mia)).status).toBe(200);
  const late = await save(edits("second"));
  expect([late.status, late.body.error.details.subjects.map(({ list }: { list: string }) => list).toSorted()]).toEqual([
    409,
    ["categories", "items"],
  ]);
  expect(itemIn(await readPlan(), item.key).value.description).toEqual({ en: "first" });
  const gone = await save({ items: [{ key: "never-there", seen: item.version, value: null }] });
  expect(gone.status).toBe(409);
});

test("JM-04 a new dish with sizes, groups, allergens and two languages is sold at once", async () => {
  const plan = await readPlan();
  const [category] = plan.categories;
  const [group] = plan.modifier_groups;
  const value = {
    category: category?.key ?? "",
    name: { en: "Lemon Cake", ar: "كعكة الليمون" },
    description: { en: "With thyme", ar: null },
    price_minor: null,
    variants: [
      { key: "small", name: { en: "Small", ar: "صغير" }, price_minor: 400, is_default: true },
      { key: "large", name: { en: "Large", ar: "كبير" }, price_minor: 700, is_default: false },
    ],
    modifier_groups: [group?.key ?? ""],
    dietary: "veg" as const,
    allergens: ["gluten", "eggs"] as ("gluten" | "eggs")[],
    show_online: true,
    tax: null,
  };
  expect(await saved({ items: [{ key: "lemon-cake", seen: null, value }] })).toBe(1);
  const item = itemIn(await readPlan(), "lemon-cake");
  expect(item).toMatchObject({ value, is_available: true });
  const shown = (await app.call(lab.token, "GET", `/items/${item.id}`)).body.data;
  expect(shown).toMatchObject({ name: value.name, allergens: ["gluten", "eggs"], price_minor: null });
  expect(
    shown.variants.map(({ price_minor, is_default }: { price_minor: number; is_default: boolean }) => [price_minor, is_default]),
  ).toEqual([
    [400, true],
    [700, false],
  ]);
  expect(shown.modifier_groups).toHaveLength(1);
  const option_ids = shown.modifier_groups.flatMap(({ options, min_select }: { options: { id: number }[]; min_select: number }) =>
    options.slice(0, min_select).map(({ id }) => id),
  );
  const ordered = await app.call(lab.token, "POST", "/orders", {
    body: {
      type: "pickup",
      customer_name: "Ada",
      customer_phone: "+1 555 0100",
      lines: [{ item_id: item.id, variant_id: shown.variants[1].id, quantity: 1, option_ids }],
    },
    headers: { "idempotency-key": randomUUID() },
  });
  expect([ordered.status, ordered.body.data?.items?.[0]?.unit_price_minor ?? ordered.text]).toEqual([201, 700]);
});

test("faults are named under their edit, by the checks of the venue file, and nothing is saved", async () => {
  const plan = await readPlan();
  const item = plainItem(plan);
  const before = await exported();
  const edit = (change: object) => ({ key: item.key, seen: item.version, value: { ...item.value, ...change } });
  const faults = async (edits: MenuEdits) => {
    const { status, body, text } = await save(edits);
    expect(status, text).toBe(422);
    return body.error.details;
  };
  expect(await faults({ items: [edit({ tax: "nowhere" })] })).toEqual({ "items.0.value.tax": ["There is no tax nowhere."] });
  expect(await faults({ items: [edit({ price_minor: null })] })).toEqual({
    "items.0.value.price_minor": ["A dish has either a price or sizes."],
  });
  expect(await faults({ items: [edit({ modifier_groups: ["none"] })] })).toEqual({
    "items.0.value.modifier_groups": ["There is no modifier group none."],
  });
  expect(await faults({ items: [edit({ category: "none" })] })).toEqual({ "items.0.value.category": ["There is no such category."] });
  expect(await faults({ items: [{ ...edit({}), seen: null }] })).toEqual({ "items.0.key": [`${item.key} occurs twice.`] });
  const category = plan.categories.find(({ key }) => key === item.value.category);
  expect(await faults({ categories: [{ key: category?.key ?? "", seen: category?.version ?? "", value: null }] })).toEqual({
    "categories.0": ["It still has dishes. Move or remove them first."],
  });
  expect(await exported()).toEqual(before);
});

test("JM-05 many prices are changed together or not at all, and put back", async () => {
  const plan = await readPlan();
  const prices = plan.items.flatMap(({ key, value }): { item: string; variant: string | null; seen_minor: number }[] =>
    value.variants.length === 0
      ? [{ item: key, variant: null, seen_minor: value.price_minor ?? 0 }]
      : value.variants.map((size) => ({ item: key, variant: size.key, seen_minor: size.price_minor })),
  );
  const raised = prices.map((price) => ({ ...price, price_minor: Math.round(price.seen_minor * 1.05) }));
  const before = await exported();
  const wrong = [...raised.slice(0, -1), { ...(raised.at(-1) ?? expect.fail("no price")), seen_minor: 1 }];
  expect((await save({ prices: wrong })).status).toBe(409);
  expect(await exported()).toEqual(before);
  await saved({ prices: raised });
  expect(await exported()).not.toEqual(before);
  await saved({
    prices: raised.map(({ seen_minor, price_minor, ...price }) => ({ ...price, seen_minor: price_minor, price_minor: seen_minor })),
  });
  expect(await exported()).toEqual(before);
});

test("JM-07 dishes are put into another order: those that moved are told, and a new one goes to the end", async () => {
  const plan = await readPlan();
  const category =
    [...Map.groupBy(plan.items, ({ value }) => value.category).entries()].find(([, items]) => items.length > 2) ?? expect.fail();
  const [parent, items] = category;
  const keys = items.map(({ key }) => key);
  const order = [...keys.slice(1), keys[0] ?? ""];
  await saved({ orders: [{ list: "items", parent, keys: order }] });
  const after = (await readPlan()).items.filter(({ value }) => value.category === parent).map(({ key }) => key);
  expect(after).toEqual(order);
  await saved({
    items: [{ key: "at-the-end", seen: null, value: { ...(items[0]?.value ?? expect.fail()), variants: [], price_minor: 100 } }],
  });
  const last = (await readPlan()).items.filter(({ value }) => value.category === parent);
  expect(last.map(({ key }) => key)).toEqual([...order, "at-the-end"]);
});

test("JM-07 a new dish is put between two others, and a dish that moves to another category goes to its end", async () => {
  const plan = await readPlan();
  const keysIn = (from: MenuPlan, category: string) => from.items.filter(({ value }) => value.category === category).map(({ key }) => key);
  const [first, last] = [plan.items[0] ?? expect.fail(), plan.items.at(-1) ?? expect.fail()];
  const [from, to] = [first.value.category, last.value.category];
  const [head = "", ...rest] = keysIn(plan, from);
  const value = { ...first.value, variants: [], price_minor: 100 };
  const order = [head, "between", ...rest];
  await saved({ items: [{ key: "between", seen: null, value }], orders: [{ list: "items", parent: from, keys: order }] });
  const after = await readPlan();
  expect(keysIn(after, from)).toEqual(order);
  await saved({ items: [{ key: head, seen: itemIn(after, head).version, value: { ...itemIn(after, head).value, category: to } }] });
  const moved = await readPlan();
  expect(keysIn(moved, to)).toEqual([...keysIn(plan, to), head]);
  const back = { items: [{ key: head, seen: itemIn(moved, head).version, value: { ...itemIn(moved, head).value, category: from } }] };
  await saved({ ...back, orders: [{ list: "items", parent: from, keys: order }] });
  expect(keysIn(await readPlan(), from)).toEqual(order);
});

test("JM-10 a removed dish is gone from the menu and from happy hours; orders keep it", async () => {
  const plan = await readPlan();
  const item = itemIn(plan, "lemon-cake");
  const hour = {
    name: { en: "Cake time" },
    is_active: true,
    hours: null,
    percent_off: 20,
    price_minor: null,
    categories: [],
    items: ["lemon-cake"],
    variants: [{ item: "lemon-cake", variant: "large" }],
  };
  await saved({ happy_hours: [{ key: "cake-time", seen: null, value: hour }] });
  await saved({ items: [{ key: "lemon-cake", seen: item.version, value: null }] });
  const after = await readPlan();
  expect(after.items.some(({ key }) => key === "lemon-cake")).toBe(false);
  expect(after.happy_hours.find(({ key }) => key === "cake-time")?.value).toMatchObject({ items: [], variants: [] });
  expect((await app.call(lab.token, "GET", `/items/${item.id}`)).status).toBe(404);
  expect((await recordedOf("item", item.id)).at(-1)).toMatchObject({ action: "item.removed", before: { name: { en: "Lemon Cake" } } });
  expect((await app.call(lab.token, "GET", "/orders")).body.data[0].items[0].name.en).toBe("Lemon Cake");
});

test("JM-08 menus, categories, groups and happy hours are added, changed and removed; a group is told for each dish that shows it", async () => {
  const plan = await readPlan();
  const evening = [{ days: ["fri" as const], from: "18:00", to: "23:00" }];
  const item = plainItem(plan);
  await saved({
    menus: [{ key: "evening", seen: null, value: { name: { en: "Evening" }, is_active: true, hours: evening } }],
    categories: [
      { key: "cold", seen: null, value: { menu: "evening", name: { en: "Cold" }, is_active: true, hours: null, station: "Bar" } },
    ],
    modifier_groups: [
      {
        key: "ice",
        seen: null,
        value: { name: { en: "Ice" }, min_select: 0, max_select: 1, options: [{ key: "cubes", name: { en: "Cubes" }, price_minor: 0 }] },
      },
    ],
    items: [{ key: item.key, seen: item.version, value: { ...item.value, modifier_groups: ["ice"] } }],
  });
  const group = (await readPlan()).modifier_groups.find(({ key }) => key === "ice") ?? expect.fail("no group");
  await saved({ modifier_groups: [{ key: "ice", seen: group.version, value: { ...group.value, name: { en: "Ice cubes" } } }] });
  expect((await changedFields(item.id)).slice(-2)).toEqual([["modifier_groups"], ["modifier_groups"]]);
  const later = await readPlan();
  expect(later.categories.find(({ key }) => key === "cold")?.value).toMatchObject({ menu: "evening", station: "Bar" });
  const versionOf = (list: "menus" | "categories" | "modifier_groups", key: string) =>
    later[list].find((one) => one.key === key)?.version ?? "";
  await saved({
    menus: [{ key: "evening", seen: versionOf("menus", "evening"), value: null }],
    categories: [{ key: "cold", seen: versionOf("categories", "cold"), value: null }],
    modifier_groups: [{ key: "ice", seen: versionOf("modifier_groups", "ice"), value: null }],
  });
  expect(itemIn(await readPlan(), item.key).value.modifier_groups).toEqual([]);
});

test("a dish that is sold out meanwhile stays sold out, and does not stand in the way of a save", async () => {
  const item = plainItem(await readPlan());
  await app.call(lab.token, "PATCH", `/items/${item.id}`, { body: { is_available: false } });
  await saved({ items: [{ key: item.key, seen: item.version, value: { ...item.value, description: { en: "Fresh" } } }] });
  expect(itemIn(await readPlan(), item.key)).toMatchObject({ is_available: false, value: { description: { en: "Fresh" } } });
});

test("the same save sent twice has one effect, and a save that changes nothing writes nothing", async () => {
  const item = plainItem(await readPlan());
  const count = async () => (await recordedOf("item", item.id)).length;
  const before = await count();
  const key = randomUUID();
  const seen = item.value.price_minor ?? 0;
  const edits = { prices: [{ item: item.key, variant: null, seen_minor: seen, price_minor: seen + 5 }] };
  const answers = [await save(edits, manager, key), await save(edits, manager, key)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await count()).toBe(before + 1);
  const present = itemIn(await readPlan(), item.key);
  expect(await saved({ items: [{ key: item.key, seen: present.version, value: present.value }] })).toBe(0);
  expect(await count()).toBe(before + 1);
});

test("what the console saved is exported, read again and equal", async () => {
  const file = await exported();
  expect(parseVenueFile(JSON.stringify(file))).toEqual(file);
  await importVenue(app.deps, file);
  expect(await exported()).toEqual(file);
});

test("JM-08 a preview shows what a guest sees at that moment: closed menus and reduced prices", async () => {
  const item = plainItem(await readPlan());
  const friday = [{ days: ["fri" as const], from: "18:00", to: "20:00" }];
  const hour = {
    name: { en: "Friday" },
    is_active: true,
    hours: friday,
    percent_off: null,
    price_minor: 1,
    categories: [],
    items: [item.key],
    variants: [],
  };
  await saved({ happy_hours: [{ key: "friday", seen: null, value: hour }] });
  const pricesAt = async (time: string) => {
    const { status, body, text } = await manager.call("GET", `/venues/${lab.slug}/menu-preview?date=2026-12-04&time=${time}`);
    expect(status, text).toBe(200);
    return body.data.prices.flatMap((price: { item: string; price_minor: number }) => (price.item === item.key ? price.price_minor : []));
  };
  expect(await pricesAt("19:00")).toEqual([1]);
  expect(await pricesAt("21:00")).not.toContain(1);
  expect((await manager.call("GET", `/venues/${lab.slug}/menu-preview?date=2026-02-30&time=19:00`)).status).toBe(422);
});

const lastEntry = async (kind: string, id: number): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: string }>(
    "select max(id) as id from audit_entries where restaurant_id = $1 and subject_kind = $2 and subject_id = $3::text",
    [lab.id, kind, id],
  );
  return Number(row?.id);
};
const putBack = (entries: number[]) =>
  manager.call("POST", `${path()}/put-back`, { body: { entries }, headers: { "idempotency-key": randomUUID() } });

test("JM-12 a change is put back by its entry of the activity log, unless the dish was changed again since", async () => {
  const plan = await readPlan();
  const item = plainItem(plan);
  const seen = item.value.price_minor ?? 0;
  await saved({ prices: [{ item: item.key, variant: null, seen_minor: seen, price_minor: seen + 30 }] });
  const raised = await lastEntry("item", item.id);
  await saved({ prices: [{ item: item.key, variant: null, seen_minor: seen + 30, price_minor: seen + 40 }] });
  const again = await lastEntry("item", item.id);
  const refused = await putBack([raised]);
  expect([refused.status, refused.body.error.code]).toEqual([409, "state_changed"]);
  expect((await putBack([raised, again])).body.data).toEqual({ changed: 1 });
  expect(itemIn(await readPlan(), item.key).value.price_minor).toBe(seen);
});

test("JM-12 a dish that was removed comes back under its number, with its sizes and happy hours left alone", async () => {
  const plan = await readPlan();
  const item = plan.items.find(({ value }) => value.variants.length > 1) ?? expect.fail("no dish with sizes");
  await saved({ items: [{ key: item.key, seen: item.version, value: null }] });
  expect((await app.call(lab.token, "GET", `/items/${item.id}`)).status).toBe(404);
  const answer = await putBack([await lastEntry("item", item.id)]);
  expect(answer.status, answer.text).toBe(200);
  expect(itemIn(await readPlan(), item.key)).toMatchObject({ id: item.id, value: item.value });
  expect((await app.call(lab.token, "GET", `/items/${item.id}`)).body.data.variants).toHaveLength(item.value.variants.length);
});

test("a change that was made through the API is put back too; one of what is sold out is not", async () => {
  const plan = await readPlan();
  const item = plainItem(plan);
  const other = plan.categories.find(({ key }) => key !== item.value.category) ?? expect.fail("one category");
  const changed = await app.call(lab.token, "PATCH", `/items/${item.id}`, { body: { category_id: other.id, dietary: "vegan" } });
  expect(changed.status, changed.text).toBe(200);
  expect((await putBack([await lastEntry("item", item.id)])).status).toBe(200);
  expect(itemIn(await readPlan(), item.key).value).toEqual(item.value);
  await app.call(lab.token, "PATCH", `/items/${item.id}`, { body: { is_available: !item.is_available } });
  expect((await putBack([await lastEntry("item", item.id)])).status).toBe(422);
});

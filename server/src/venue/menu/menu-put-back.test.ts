/** What comes back to the menu: removed dishes stay as sold out as they were, and changes of the API are put back too. */
import { randomUUID } from "node:crypto";
import type { MenuEdits, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@menu.example");
});
afterAll(() => app.close());

const path = (rest = "") => `/venues/${lab.slug}/menu-plan${rest}`;
const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", path())).body.data;
const post = (rest: string, body: object) => manager.call("POST", path(rest), { body, headers: { "idempotency-key": randomUUID() } });
const saved = async (edits: MenuEdits): Promise<void> => {
  const { status, text } = await post("", edits);
  expect(status, text).toBe(200);
};
const itemIn = (plan: MenuPlan, key: string) => plan.items.find((item) => item.key === key) ?? expect.fail(`no dish ${key}`);
const plainItem = (plan: MenuPlan) =>
  plan.items.find(({ value, is_available }) => value.price_minor !== null && is_available) ?? expect.fail("no dish with a price");
const lastEntry = async (id: number): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: string }>(
    "select max(id) as id from audit_entries where restaurant_id = $1 and subject_kind = 'item' and subject_id = $2::text",
    [lab.id, id],
  );
  return Number(row?.id);
};
const putBack = (...entries: number[]) => post("/put-back", { entries });
const storedEnd = async (table: "items" | "modifier_options", id: number) =>
  (
    await app.database.asOwner<{ is_available: boolean; sold_out_until: Date | null }>(
      `select is_available, sold_out_until from ${table} where id = $1`,
      [id],
    )
  )[0];
const sellOut = async (table: "items" | "modifier_options", id: number): Promise<void> => {
  await app.database.asOwner(`update ${table} set is_available = false, sold_out_until = $2 where id = $1`, [id, app.clock.now()]);
};

test("a sold-out dish that is removed and put back, or replaced under its key, is still sold out, without an end", async () => {
  const item = plainItem(await readPlan());
  await sellOut("items", item.id);
  await saved({ items: [{ key: item.key, seen: item.version, value: null }] });
  const answer = await putBack(await lastEntry(item.id));
  expect(answer.status, answer.text).toBe(200);
  expect(itemIn(await readPlan(), item.key)).toMatchObject({ id: item.id, is_available: false, value: item.value });
  expect(await storedEnd("items", item.id)).toEqual({ is_available: false, sold_out_until: null });
  await saved({
    items: [
      { key: item.key, seen: item.version, value: null },
      { key: item.key, seen: null, value: { ...item.value, description: { en: "Again" } } },
    ],
  });
  expect(itemIn(await readPlan(), item.key)).toMatchObject({ id: item.id, is_available: false });
  await app.call(lab.token, "PUT", `/items/${item.id}/availability`, { body: { is_available: true } });
});

test("a sold-out extra that is removed and added again is still sold out, without an end", async () => {
  const group = (await readPlan()).modifier_groups.find(({ value }) => value.options.length > 1) ?? expect.fail("no extras");
  const [option, ...others] = group.value.options;
  const [row] = await app.database.asOwner<{ id: string }>("select id from modifier_options where group_id = $1 and key = $2", [
    group.id,
    option?.key,
  ]);
  const id = Number(row?.id);
  await sellOut("modifier_options", id);
  await saved({ modifier_groups: [{ key: group.key, seen: group.version, value: { ...group.value, options: others } }] });
  const { version } = (await readPlan()).modifier_groups.find(({ key }) => key === group.key) ?? expect.fail();
  await saved({ modifier_groups: [{ key: group.key, seen: version, value: group.value }] });
  expect(await storedEnd("modifier_options", id)).toEqual({ is_available: false, sold_out_until: null });
});

test("a price that the API changed together with the availability is put back alone", async () => {
  const item = plainItem(await readPlan());
  await app.call(lab.token, "PATCH", `/items/${item.id}`, { body: { price_minor: 4321, is_available: false } });
  const answer = await putBack(await lastEntry(item.id));
  expect(answer.status, answer.text).toBe(200);
  expect(itemIn(await readPlan(), item.key)).toMatchObject({ is_available: false, value: { price_minor: item.value.price_minor } });
});

test("a dish that the API made is taken back, unless it was changed since", async () => {
  const plan = await readPlan();
  const [category, group] = [plan.categories[0] ?? expect.fail(), plan.modifier_groups[0] ?? expect.fail()];
  const body = {
    category_id: category.id,
    name: "Made",
    variants: [{ name: { en: "Small" }, price_minor: 100 }],
    modifier_group_ids: [group.id],
  };
  const make = async (): Promise<{ id: number }> => {
    const made = await app.call(lab.token, "POST", "/items", { body });
    expect(made.status, made.text).toBe(201);
    return made.body.data;
  };
  const first = await make();
  const answer = await putBack(await lastEntry(first.id));
  expect(answer.status, answer.text).toBe(200);
  expect((await app.call(lab.token, "GET", `/items/${first.id}`)).status).toBe(404);
  const second = await make();
  const entry = await lastEntry(second.id);
  await app.call(lab.token, "PATCH", `/items/${second.id}`, { body: { dietary: "vegan" } });
  expect((await putBack(entry)).status).toBe(409);
});

test("an order alone is no change that can be put back; beside another change it is left as it is", async () => {
  const plan = await readPlan();
  const [parent, items] =
    [...Map.groupBy(plan.items, ({ value }) => value.category).entries()].find(([, list]) => list.length > 1) ?? expect.fail();
  await saved({ orders: [{ list: "items", parent, keys: items.map(({ key }) => key).toReversed() }] });
  const moved = await lastEntry(items[0]?.id ?? 0);
  expect((await putBack(moved)).status).toBe(422);
  const item = plainItem(await readPlan());
  const seen_minor = item.value.price_minor ?? 0;
  await saved({ prices: [{ item: item.key, variant: null, seen_minor, price_minor: seen_minor + 7 }] });
  expect((await putBack(moved, await lastEntry(item.id))).body.data).toEqual({ changed: 1 });
});

/** The history of the menu, and the preview of a moment. */
import { randomUUID } from "node:crypto";
import type { MenuChange, MenuEdits, MenuPlan, MenuPreview } from "@comanda/contract/console/menu-editor.ts";
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

const path = () => `/venues/${lab.slug}/menu-plan`;
const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", path())).body.data;
const post = async (rest: string, body: object): Promise<void> => {
  const { status, text } = await manager.call("POST", `${path()}${rest}`, { body, headers: { "idempotency-key": randomUUID() } });
  expect(status, text).toBe(200);
};
const save = (edits: MenuEdits): Promise<void> => post("", edits);
const readChanges = async (query = ""): Promise<{ data: MenuChange[]; next: number | null }> =>
  (await manager.call("GET", `${path()}/changes${query}`)).body;
const newest = async (): Promise<MenuChange> => (await readChanges("?rows=1")).data[0] ?? expect.fail("no change");

test("JM-12 the history says who changed what, from what to what; the newest change can be put back, an older one of the same field cannot", async () => {
  const item = (await readPlan()).items.find(({ value }) => value.price_minor !== null) ?? expect.fail("no dish with a price");
  const seen = item.value.price_minor ?? 0;
  for (const [from, to] of [
    [seen, seen + 10],
    [seen + 10, seen + 20],
  ] as const)
    await save({ prices: [{ item: item.key, variant: null, seen_minor: from, price_minor: to }] });
  // Selling out belongs to the evening: it is no change of the menu.
  const sold = await app.call(lab.token, "PUT", `/items/${item.id}/availability`, { body: { is_available: !item.is_available } });
  expect(sold.status).toBe(200);
  const { data } = await readChanges("?rows=2");
  expect(data).toMatchObject([
    { actor_name: "max", list: "items", kind: "changed", name: item.value.name, before: { price_minor: seen + 10 }, can_put_back: true },
    { before: { price_minor: seen }, after: { price_minor: seen + 10 }, can_put_back: false },
  ]);
  const [last] = data;
  await post("/put-back", { entries: [last?.id] });
  expect(await newest()).toMatchObject({ before: { price_minor: seen + 20 }, after: { price_minor: seen + 10 } });
});

test("a removed happy hour leaves no row, and comes back from its entry; a place alone is not put back", async () => {
  const hour = (await readPlan()).happy_hours[0] ?? expect.fail("no happy hour");
  await save({ happy_hours: [{ key: hour.key, seen: hour.version, value: null }] });
  const removed = await newest();
  expect(removed).toMatchObject({ list: "happy_hours", kind: "removed", name: hour.value.name, can_put_back: true });
  await post("/put-back", { entries: [removed.id] });
  expect((await readPlan()).happy_hours.map(({ value }) => value)).toContainEqual(hour.value);
  expect((await readChanges("?rows=2")).data.map(({ can_put_back }) => can_put_back)).toEqual([true, false]);
  const menus = (await readPlan()).menus.map(({ key }) => key);
  await save({ orders: [{ list: "menus", parent: null, keys: menus.toReversed() }] });
  expect(await newest()).toMatchObject({ list: "menus", can_put_back: false });
});

test("the history is read in pages, without gaps", async () => {
  const all = (await readChanges("?rows=100")).data.map(({ id }) => id);
  const paged: number[] = [];
  for (let before: number | null = 0; before !== null; ) {
    const { data, next }: Awaited<ReturnType<typeof readChanges>> = await readChanges(`?rows=2${before > 0 ? `&before=${before}` : ""}`);
    paged.push(...data.map(({ id }) => id));
    before = next;
  }
  expect(all.length).toBeGreaterThan(4);
  expect(paged).toEqual(all);
});

type MenuNowAnswer = { available: boolean; closed_category_ids: number[]; prices: { item_id: number; price_minor: number }[] };

test("JM-08 the preview of a moment is what the API says at that moment", async () => {
  const plan = await readPlan();
  const [menu, category] = [plan.menus[0], plan.categories.find(({ value }) => value.menu === plan.menus[0]?.key)];
  if (!menu || !category) expect.fail("no menu");
  const hours = [{ days: ["fri" as const], from: "18:00", to: "20:00" }];
  const value = { name: { en: "Friday" }, is_active: true, hours, percent_off: 50, price_minor: null, items: [], variants: [] };
  await save({
    categories: [{ key: category.key, seen: category.version, value: { ...category.value, hours } }],
    happy_hours: [{ key: "friday", seen: null, value: { ...value, categories: [category.key] } }],
  });
  for (const time of ["19:00", "21:00"]) {
    const preview: MenuPreview = (await manager.call("GET", `/venues/${lab.slug}/menu-preview?date=2026-11-20&time=${time}`)).body.data;
    app.clock.set(preview.at);
    const isFriday = time === "19:00";
    expect([preview.happy_hours.includes("friday"), preview.closed_categories.includes(category.key)]).toEqual([isFriday, !isFriday]);
    const told = await Promise.all(
      plan.menus.map(async ({ id }) => (await app.call(lab.token, "GET", `/menus/${id}`)).body.meta.now as MenuNowAnswer),
    );
    const now = await readPlan();
    expect(now.menus.filter((_menu, at) => told[at]?.available).map(({ key }) => key)).toEqual(preview.offered_menus);
    const idOf = (key: string): number => now.items.find((item) => item.key === key)?.id ?? 0;
    const pairs = (prices: { item_id: number; price_minor: number }[]) =>
      prices.map((one) => `${one.item_id} ${one.price_minor}`).toSorted();
    expect(pairs(preview.prices.map(({ item, price_minor }) => ({ item_id: idOf(item), price_minor })))).toEqual(
      pairs(told.flatMap(({ prices }) => prices)),
    );
    const closed = now.categories.filter(({ id }) => told.some((one) => one.closed_category_ids.includes(id))).map(({ key }) => key);
    expect(preview.closed_categories.toSorted()).toEqual(closed.toSorted());
  }
});

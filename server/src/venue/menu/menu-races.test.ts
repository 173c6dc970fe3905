/** A save of the menu beside another writer. One of the two is in the middle of its transaction while the other one begins. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MenuEdits, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import type { Ctx } from "#lib/context.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { collectVenueFile } from "../setup/venue-file/service.ts";
import { saveMenu } from "./service/editor.ts";
import { addItem, changeItem, changeOption, findItemForChange, findOptionForChange } from "./service/items.ts";
import { planPrices } from "./service/scheduled-prices.ts";
import { lockMenu } from "./store/plan.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@menu.example");
});
afterAll(() => app.close());

const path = (rest: string) => `/venues/${lab.slug}${rest}`;
const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", path("/menu-plan"))).body.data;
const post = (rest: string, body: object) => manager.call("POST", path(rest), { body, headers: { "idempotency-key": randomUUID() } });
const save = (edits: MenuEdits) => post("/menu-plan", edits);
const plainItem = (plan: MenuPlan) => plan.items.find(({ value }) => value.price_minor !== null) ?? expect.fail("no dish with a price");

/** Counts in this database: tests of other files share the server. */
const countWaiting = async (): Promise<number> =>
  (
    await app.database.asOwner(
      "select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()",
    )
  ).length;

/** `second` begins when `first` is done but not committed. The commit waits until `second` waits for it, or has ended without waiting. */
const beside = async <T>(first: (ctx: Ctx) => Promise<unknown>, second: () => Promise<T>, last?: (ctx: Ctx) => Promise<unknown>) => {
  let begun: Promise<T> | undefined;
  let isOver = false;
  let hasWaited = false;
  await forVenue(app.deps, lab.slug, async (ctx) => {
    await first(ctx);
    begun ??= second().finally(() => {
      isOver = true;
    });
    begun.catch(() => undefined);
    while (!isOver && !hasWaited) {
      hasWaited = (await countWaiting()) > 0;
      await sleep(5);
    }
    await last?.(ctx);
  });
  return { answer: await (begun as Promise<T>), hasWaited };
};

/** A category without dishes. */
const newCategory = async (key: string) => {
  const menu = (await readPlan()).menus[0]?.key ?? "";
  const value = { menu, name: { en: key }, is_active: true, hours: null, station: null };
  expect((await save({ categories: [{ key, seen: null, value }] })).status).toBe(200);
  const { id, version } = (await readPlan()).categories.find((category) => category.key === key) ?? expect.fail();
  return { id, removal: { categories: [{ key, seen: version, value: null }] } satisfies MenuEdits };
};
const countOrphans = async (): Promise<number> =>
  (
    await app.database.asOwner(
      `select from items i join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id
       where i.restaurant_id = $1 and i.deleted_at is null and c.deleted_at is not null`,
      [lab.id],
    )
  ).length;

test("a change over the API that waited for a save sees the sizes that the save made", async () => {
  const { key, version, value, id } = plainItem(await readPlan());
  const variants = [{ key: "large", name: { en: "Large" }, price_minor: 700, is_default: true }];
  const { answer } = await beside(
    (ctx) => saveMenu(ctx, { items: [{ key, seen: version, value: { ...value, price_minor: null, variants } }] }),
    () => app.call(lab.token, "PATCH", `/items/${id}`, { body: { price_minor: 123 } }),
  );
  expect([answer.status, answer.body.error?.details]).toEqual([422, { price_minor: ["This dish is priced per size."] }]);
  const told = await app.call(lab.token, "PUT", `/items/${id}/availability`, { body: { is_available: true } });
  expect([told.body.data.price_minor, told.body.data.variants.length]).toEqual([null, 1]);
});

test("another order of the dishes leaves alone what is sold out meanwhile", async () => {
  const plan = await readPlan();
  const [parent, items] =
    [...Map.groupBy(plan.items, ({ value }) => value.category).entries()].find(([, list]) => list.length > 2) ?? expect.fail();
  const sold = items.find(({ is_available }) => is_available) ?? expect.fail();
  const keys = items.filter(({ key }) => key !== sold.key).map(({ key }) => key);
  const { answer } = await beside(
    async (ctx) => changeItem(ctx, await findItemForChange(ctx, sold.id), { is_available: false, dietary: "vegan" }),
    () => save({ orders: [{ list: "items", parent, keys: keys.toReversed() }] }),
  );
  expect(answer.status, answer.text).toBe(200);
  const after = (await readPlan()).items.filter(({ value }) => value.category === parent);
  expect(after.map(({ key }) => key)).toEqual([...keys.toReversed(), sold.key]);
  expect(after.at(-1)).toMatchObject({ is_available: false, value: { dietary: "vegan" } });
});

const firstOption = async (): Promise<{ id: number; group: string; group_id: number }> => {
  const [row] = await app.database.asOwner<{ id: string; group: string; group_id: string }>(
    `select o.id, g.key as group, o.group_id from modifier_options o
       join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id
     where o.restaurant_id = $1 and o.deleted_at is null and g.deleted_at is null and o.is_available
       and exists (select from item_modifier_groups l where l.restaurant_id = g.restaurant_id and l.group_id = g.id)
     order by g.sort_order, o.sort_order limit 1`,
    [lab.id],
  );
  return { id: Number(row?.id), group: row?.group ?? "", group_id: Number(row?.group_id) };
};

test("another order of the groups leaves an extra sold out that is sold out meanwhile", async () => {
  const { id } = await firstOption();
  const keys = (await readPlan()).modifier_groups.map(({ key }) => key).toReversed();
  const { answer } = await beside(
    async (ctx) => changeOption(ctx, await findOptionForChange(ctx, id), { is_available: false, sold_out_until: null }),
    () => save({ orders: [{ list: "modifier_groups", parent: null, keys }] }),
  );
  expect(answer.status, answer.text).toBe(200);
  expect((await readPlan()).modifier_groups.map(({ key }) => key)).toEqual(keys);
  const [row] = await app.database.asOwner<{ is_available: boolean }>("select is_available from modifier_options where id = $1", [id]);
  expect(row?.is_available).toBe(false);
});

test("a save that waits for an extra holds no dish yet, as the one who sells the extra out needs its dishes next", async () => {
  const { id, group, group_id } = await firstOption();
  const { key, version, value } = (await readPlan()).modifier_groups.find((one) => one.key === group) ?? expect.fail();
  const { answer, hasWaited } = await beside(
    (ctx) => findOptionForChange(ctx, id),
    () => save({ modifier_groups: [{ key, seen: version, value: { ...value, name: { en: "Renamed" } } }] }),
    (ctx) =>
      ctx.db.query(sql`
        select i.id from items i join item_modifier_groups l on l.restaurant_id = i.restaurant_id and l.item_id = i.id
        where i.restaurant_id = ${lab.id} and l.group_id = ${group_id} for update of i nowait`),
  );
  expect([answer.status, hasWaited]).toEqual([200, true]);
});

test("a dish is not made in a category that is being removed, and a category that gets a dish is not removed", async () => {
  const begun = await countOrphans();
  const first = await newCategory("short-lived");
  const made = await beside(
    (ctx) => saveMenu(ctx, first.removal),
    () => app.call(lab.token, "POST", "/items", { body: { category_id: first.id, name: "Late", price_minor: 1 } }),
  );
  expect([made.answer.status, made.answer.body.error?.details]).toEqual([422, { category_id: ["There is no such category."] }]);
  const second = await newCategory("moved-into");
  const { id } = plainItem(await readPlan());
  const moved = await beside(
    (ctx) => saveMenu(ctx, second.removal),
    () => app.call(lab.token, "PATCH", `/items/${id}`, { body: { category_id: second.id } }),
  );
  expect([moved.answer.status, moved.answer.body.error?.details]).toEqual([422, { category_id: ["There is no such category."] }]);
  const third = await newCategory("filled");
  const removed = await beside(
    (ctx) => addItem(ctx, { category_id: third.id, name: "Early", price_minor: 1 }),
    () => save(third.removal),
  );
  expect([removed.answer.status, removed.answer.body.error?.details]).toEqual([
    422,
    { "categories.0": ["It still has dishes. Move or remove them first."] },
  ]);
  expect(await countOrphans()).toBe(begun);
});

test("an import that removes a category removes a dish that is made in it meanwhile", async () => {
  const begun = await countOrphans();
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  const { id } = await newCategory("not-in-the-file");
  await beside(
    (ctx) => addItem(ctx, { category_id: id, name: "Early", price_minor: 1 }),
    () => importVenue(app.deps, file),
  );
  expect(await countOrphans()).toBe(begun);
});

test("an import waits for a save of the menu", async () => {
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  const { hasWaited } = await beside(
    (ctx) => {
      lockMenu(ctx);
      return ctx.db.query(sql`select 1`);
    },
    () => importVenue(app.deps, file),
  );
  expect(hasWaited).toBe(true);
});

test("two managers who plan a price of one dish for one moment leave one price and one job", async () => {
  const { key } = plainItem(await readPlan());
  const plan = (price_minor: number) => ({ date: "2026-11-16", time: "05:00", prices: [{ item: key, variant: null, price_minor }] });
  const { answer } = await beside(
    (ctx) => planPrices(ctx, plan(111)),
    () => post("/scheduled-prices", plan(222)),
  );
  expect(answer.status, answer.text).toBe(201);
  const planned = (await manager.call("GET", path("/scheduled-prices"))).body.data;
  expect(planned.map(({ price_minor }: { price_minor: number }) => price_minor)).toEqual([222]);
  const jobs = await app.database.asOwner("select from jobs.job where name = 'apply-scheduled-prices'");
  expect(jobs).toHaveLength(1);
});

/** Prices that begin at a moment to come. */
import { randomUUID } from "node:crypto";
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { menuJobs } from "./jobs.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@menu.example");
});
afterAll(() => app.close());

const readPlan = async (): Promise<MenuPlan> => (await manager.call("GET", `/venues/${lab.slug}/menu-plan`)).body.data;
const itemIn = (menu: MenuPlan, key: string) => menu.items.find((item) => item.key === key) ?? expect.fail(`no dish ${key}`);
const plainItem = (menu: MenuPlan) => menu.items.find(({ value }) => value.price_minor !== null) ?? expect.fail("no dish with a price");
const countEvents = async (itemId: number): Promise<number> =>
  (
    await app.database.asOwner(
      "select from events where restaurant_id = $1 and type = 'menu.item_updated' and body::jsonb #>> '{data,item,id}' = $2::text",
      [lab.id, itemId],
    )
  ).length;
const plan = (body: object) =>
  manager.call("POST", `/venues/${lab.slug}/scheduled-prices`, { body, headers: { "idempotency-key": randomUUID() } });
const begin = (startsAt: string) => menuJobs["apply-scheduled-prices"](asSystem(app.deps, lab.id), { starts_at: startsAt });
const planned = async () => (await manager.call("GET", `/venues/${lab.slug}/scheduled-prices`)).body.data;

test("JM-09 a price that is planned for tomorrow begins then, by a job, once, with event and entry; one that was cancelled does not", async () => {
  const item = plainItem(await readPlan());
  const seen = item.value.price_minor ?? 0;
  const tomorrow = { date: "2026-11-15", time: "05:00" };
  const made = await plan({ ...tomorrow, prices: [{ item: item.key, variant: null, price_minor: seen + 90 }] });
  expect([made.status, made.body.data?.planned], made.text).toEqual([201, 1]);
  expect(itemIn(await readPlan(), item.key).value.price_minor).toBe(seen);
  expect(await planned()).toMatchObject([
    { item: item.key, price_minor: seen + 90, planned_by: "max", starts_at: made.body.data.starts_at },
  ]);
  const [job] = await app.database.asOwner<{ start_after: Date }>("select start_after from jobs.job where name = 'apply-scheduled-prices'");
  expect(job?.start_after.toISOString()).toBe(made.body.data.starts_at);
  const events = await countEvents(item.id);
  for (let run = 0; run < 2; run++) await begin(made.body.data.starts_at);
  expect(itemIn(await readPlan(), item.key).value.price_minor).toBe(seen + 90);
  expect([await countEvents(item.id), await planned()]).toEqual([events + 1, []]);
  const again = await plan({ ...tomorrow, prices: [{ item: item.key, variant: null, price_minor: 1 }] });
  const ids = (await planned()).map(({ id }: { id: string }) => id);
  const cancelled = await manager.call("POST", `/venues/${lab.slug}/scheduled-prices/cancel`, {
    body: { ids },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(cancelled.body.data).toEqual({ cancelled: 1 });
  await begin(again.body.data.starts_at);
  expect(itemIn(await readPlan(), item.key).value.price_minor).toBe(seen + 90);
});

test("a price is not planned for a moment that is over, for a dish that does not exist, or for a dish with sizes", async () => {
  const sized = (await readPlan()).items.find(({ value }) => value.variants.length > 0) ?? expect.fail("no dish with sizes");
  const price = { item: sized.key, variant: null, price_minor: 1 };
  const details = async (body: object) => (await plan(body)).body.error.details;
  expect(await details({ date: "2026-11-01", time: "05:00", prices: [price] })).toEqual({ time: ["Must be a moment to come."] });
  expect(await details({ date: "2028-11-01", time: "05:00", prices: [price] })).toEqual({ date: ["Must be within a year."] });
  expect(await details({ date: "2026-12-01", time: "05:00", prices: [price, { ...price, item: "none" }] })).toEqual({
    "prices.0": ["This dish is priced per size."],
    "prices.1": ["There is no such dish."],
  });
});

test("a dish occurs once in a plan, and all prices of a moment have one job", async () => {
  const [first, second] = (await readPlan()).items.filter(({ value }) => value.price_minor !== null);
  const price = (item = first, price_minor = 1) => ({ item: item?.key, variant: null, price_minor });
  const moment = { date: "2026-12-02", time: "05:00" };
  const twice = await plan({ ...moment, prices: [price(), price(first, 2)] });
  expect([twice.status, twice.body.error?.details]).toEqual([422, { "prices.1": ["This dish or size occurs twice."] }]);
  const made = [await plan({ ...moment, prices: [price()] }), await plan({ ...moment, prices: [price(second)] })];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const jobs = await app.database.asOwner("select from jobs.job where name = 'apply-scheduled-prices' and data->>'starts_at' = $1", [
    made[0]?.body.data.starts_at,
  ]);
  expect(jobs).toHaveLength(1);
});

test("a planned price that the menu refuses by now does not stop the others of its moment, and is recorded", async () => {
  const [good, sized, faulty] = (await readPlan()).items.filter(({ value }) => value.price_minor !== null);
  if (!good || !sized || !faulty) expect.fail("three dishes with a price");
  const made = await plan({
    date: "2026-12-03",
    time: "05:00",
    prices: [good, sized, faulty].map(({ key }) => ({ item: key, variant: null, price_minor: 4444 })),
  });
  const value = { ...sized.value, price_minor: null, variants: [{ key: "one", name: { en: "One" }, price_minor: 5, is_default: true }] };
  const edits = { items: [{ key: sized.key, seen: sized.version, value }] };
  await manager.call("POST", `/venues/${lab.slug}/menu-plan`, { body: edits, headers: { "idempotency-key": randomUUID() } });
  await app.database.asOwner("update items set tax_key = 'gone' where id = $1", [faulty.id]);
  await begin(made.body.data.starts_at);
  const after = await readPlan();
  expect([good, sized, faulty].map(({ key }) => itemIn(after, key).value.price_minor)).toEqual([4444, null, faulty.value.price_minor]);
  const refused = await app.database.asOwner<{ subject_id: string }>(
    "select subject_id from audit_entries where restaurant_id = $1 and action = 'item.price_plan_refused' order by subject_id::bigint",
    [lab.id],
  );
  expect(refused.map(({ subject_id }) => Number(subject_id))).toEqual([sized.id, faulty.id].toSorted((a, b) => a - b));
  expect((await planned()).filter(({ starts_at }: { starts_at: string }) => starts_at === made.body.data.starts_at)).toEqual([]);
});

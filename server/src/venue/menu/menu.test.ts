/** The menu area through HTTP on a real database: what the black-box kit cannot see, and what needs a moved clock. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const firstDish = async (): Promise<{ id: number; category_id: number; price_minor: number }> => {
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  return body.data.find((item: { price_minor: number | null }) => item.price_minor === 1000);
};

const auditOf = (itemId: number) =>
  app.database.asOwner<{ action: string; actor_kind: string; before: unknown; after: unknown; request_id: string }>(
    "select action, actor_kind, actor_id, before, after, request_id from audit_entries where subject_kind = 'item' and subject_id = $1 order by id",
    [String(itemId)],
  );

const eventsOf = async (itemId: number) => {
  const rows = await app.database.asOwner<{ body: string }>("select body from events order by created_at, id");
  return rows.map((row) => JSON.parse(row.body)).filter((event) => event.data.item.id === itemId);
};

test("R1-06 R4.1-36 a price change leaves one audit entry with the old and the new price, and one event", async () => {
  const { category_id } = await firstDish();
  const created = await app.call(lab.token, "POST", "/items", { body: { category_id, name: "Audited", price_minor: 500 } });
  const { id } = created.body.data;
  await app.call(lab.token, "PATCH", `/items/${id}`, { body: { price_minor: 650 } });
  await app.call(lab.token, "PATCH", `/items/${id}`, { body: { price_minor: 650 } });
  const entries = await auditOf(id);
  expect(entries.map(({ action }) => action)).toEqual(["item.created", "item.price_changed"]);
  expect(entries[1]).toMatchObject({ actor_kind: "token", before: { price_minor: 500 }, after: { price_minor: 650 } });
  expect(entries[1]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  const events = await eventsOf(id);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: "menu.item_updated",
    restaurant: { id: lab.id, slug: "lab", currency: "USD" },
    data: { changed: ["price_minor"], item: { price_minor: 650 } },
  });
});

test("R4.1-38 R4.1-40 each flip of sold-out is one line in the till's log; the same value again is none", async () => {
  const { id } = await firstDish();
  for (const is_available of [false, false, true])
    await app.call(lab.token, "PUT", `/items/${id}/availability`, { body: { is_available } });
  const flips = await app.database.asOwner(
    "select was_available, is_available, source from availability_changes where item_id = $1 order by id",
    [id],
  );
  expect(flips).toEqual([
    { was_available: true, is_available: false, source: "api" },
    { was_available: false, is_available: true, source: "api" },
  ]);
});

test("RX-23 a refused change leaves nothing behind: no field, no audit entry, no event", async () => {
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  const sized = body.data.find((item: { variants: unknown[] }) => item.variants.length > 0);
  const before = await app.call(lab.token, "GET", `/items/${sized.id}`);
  const refused = await app.call(lab.token, "PATCH", `/items/${sized.id}`, { body: { price_minor: 5, show_online: !sized.show_online } });
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.body.error.details)).toEqual(["price_minor"]);
  expect((await app.call(lab.token, "GET", `/items/${sized.id}`)).text).toBe(before.text);
  expect(await auditOf(sized.id)).toEqual([]);
  expect(await eventsOf(sized.id)).toEqual([]);
});

test("D25 a new dish names its address, and the address answers", async () => {
  const { category_id } = await firstDish();
  const created = await app.call(lab.token, "POST", "/items", { body: { category_id, name: "Found", price_minor: 1 } });
  const location = created.headers.get("location") ?? "";
  expect(location).toMatch(/^http:\/\/.+\/api\/v1\/items\/\d+$/);
  const found = await app.call(lab.token, "GET", location.replace(/^.*\/api\/v1/, ""));
  expect(found.body).toEqual(created.body);
});

test("R2.9-05 menu hours follow the default branch's clock, over midnight and over the change to winter time", async () => {
  const rome = await app.venue("trattoria", (file) => {
    file.restaurant.slug = "night-owl";
    for (const menu of file.menus) menu.hours = [{ days: ["sat"], from: "18:00", to: "02:30" }];
  });
  const { body } = await app.call(rome.token, "GET", "/menus");
  const id = body.data.find((menu: { is_active: boolean }) => menu.is_active).id;
  const isOpenAt = async (instant: string): Promise<boolean> => {
    app.clock.set(instant);
    return (await app.call(rome.token, "GET", `/menus/${id}`)).body.meta.now.available;
  };
  expect(await isOpenAt("2026-11-14T16:59:59Z")).toBe(false);
  expect(await isOpenAt("2026-11-14T17:00:00Z")).toBe(true);
  expect(await isOpenAt("2026-11-15T01:29:59Z")).toBe(true);
  expect(await isOpenAt("2026-11-15T01:30:00Z")).toBe(false);
  // 25 October 2026: clocks go back at 03:00, so 02:29 comes twice and both are before half past two.
  expect(await isOpenAt("2026-10-25T00:29:00Z")).toBe(true);
  expect(await isOpenAt("2026-10-25T00:31:00Z")).toBe(false);
  expect(await isOpenAt("2026-10-25T01:29:00Z")).toBe(true);
  expect(await isOpenAt("2026-10-25T01:31:00Z")).toBe(false);
});

test("D01 date-times carry the numeric offset of the restaurant's zone", async () => {
  const kuwait = await app.venue("gulf-cafe");
  app.clock.set("2026-07-01T21:30:15.900Z");
  const { body } = await app.call(kuwait.token, "GET", "/items?per_page=1");
  await app.call(kuwait.token, "PATCH", `/items/${body.data[0].id}`, { body: { show_online: !body.data[0].show_online } });
  const changed = await app.call(kuwait.token, "GET", `/items/${body.data[0].id}`);
  expect(changed.body.data.updated_at).toBe("2026-07-02T00:30:15+03:00");
});

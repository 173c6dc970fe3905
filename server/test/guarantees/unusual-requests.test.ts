/** Requests that a careful reader of the contract would try, each of which was once answered wrongly. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let dishId: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  dishId = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id;
});
afterAll(() => app.close());

const order = (changes: object = {}) => ({
  type: "pickup",
  customer_name: "Noor",
  customer_phone: "1",
  lines: [{ item_id: dishId, quantity: 1 }],
  ...changes,
});

const guestOf = async (phone: string): Promise<string> => {
  const { body, status } = await app.call(lab.token, "POST", "/orders", { body: order({ customer_phone: phone }) });
  expect(status).toBe(201);
  const [row] = await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [body.data.id]);
  return row?.guest_id ?? "";
};

test("D124 phone numbers are told apart by their digits in any script; without digits, or with letters, by what is written", async () => {
  expect(await guestOf("+٩٦٥ ٣٠٠٠ ٠٢٠١")).toBe(await guestOf("+965 3000 0201"));
  const others = ["+٩٦٥ ٥٥٥٥ ٩٩٩٩", "+", "++", "n/a", "1-800-FLOWERS", "1-800-PIZZAAA"];
  const guests = new Set(await Promise.all(others.map(guestOf)));
  expect(guests.size).toBe(others.length);
  expect(await guestOf("N/A ")).toBe(await guestOf("n/a"));
});

test("D26 D127 D130 figures past 2^53 are told as 2^53 − 1, not as a fault", async () => {
  const { body } = await app.call(lab.token, "POST", "/orders", { body: order({ customer_phone: "7" }) });
  await app.database.asOwner("update guests set total_spend_minor = 9007199254740000 where phone = '7'");
  await app.database.asOwner("update daily_sales set revenue_minor = 9007199254740000 where restaurant_id = $1", [lab.id]);
  for (const status of ["accepted", "ready", "completed"])
    await app.call(lab.token, "POST", `/orders/${body.data.id}/status`, { body: { status } });
  await app.call(lab.token, "POST", "/orders", { body: order({ customer_phone: "7" }) });
  expect((await app.call(lab.token, "GET", "/reports/sales-summary")).body.data.revenue_minor).toBe(Number.MAX_SAFE_INTEGER);
  const guests = (await app.call(lab.token, "GET", "/guests?per_page=100")).body.data;
  expect(Math.max(...guests.map((guest: { total_spend_minor: number }) => guest.total_spend_minor))).toBe(Number.MAX_SAFE_INTEGER);
});

test("D03 there is no year 0, and a period is counted in its own century", async () => {
  for (const query of ["date=0000-01-01", "from=0000-01-01", "to=0000-12-31"])
    expect((await app.call(lab.token, "GET", `/reservations?${query}`)).status).toBe(422);
  expect((await app.call(lab.token, "GET", "/reports/sales-summary?from=0001-01-01&to=0001-01-01")).status).toBe(200);
  expect((await app.call(lab.token, "GET", "/reports/sales-summary?from=0050-01-01&to=0101-01-01")).status).toBe(422);
});

test("D14 D27 a Content-Type that cannot be read spoils no cancel and hides no 404", async () => {
  const headers = { "content-type": "json" };
  const booked = await app.call(lab.token, "POST", "/reservations", {
    body: { name: "Ada", phone: "9", party_size: 2, date: "2026-11-30", time: "12:00" },
  });
  expect((await app.call(lab.token, "PATCH", "/items/999999999", { raw: "x", headers })).status).toBe(404);
  expect((await app.call(lab.token, "PATCH", `/items/${dishId}`, { raw: "x", headers })).status).toBe(422);
  expect((await app.call(lab.token, "POST", `/reservations/${booked.body.data.id}/cancel`, { raw: "x", headers })).status).toBe(200);
});

test("D129 a cancel is taken from the day the sale was counted on, also after the restaurant's clock has moved", async () => {
  const cafe = await app.venue("gulf-cafe", (file) => {
    for (const branch of file.branches) Object.assign(branch, { hours: null, closing_days: [] });
    for (const menu of file.menus) {
      Object.assign(menu, { hours: null, is_active: true });
      for (const category of menu.categories) Object.assign(category, { hours: null, is_active: true });
    }
  });
  const items = (await app.call(cafe.token, "GET", "/items?per_page=100&available=true")).body.data;
  const dish = items.find(
    (item: { price_minor: number; show_online: boolean; modifier_groups: unknown[] }) =>
      item.price_minor && item.show_online && item.modifier_groups.length === 0,
  );
  app.clock.set("2026-11-14T22:30:00Z");
  const placed = await app.call(cafe.token, "POST", "/orders", { body: order({ lines: [{ item_id: dish.id, quantity: 1 }] }) });
  await app.database.asOwner("update restaurants set zone = 'America/New_York' where id = $1", [cafe.id]);
  await app.call(cafe.token, "POST", `/orders/${placed.body.data.id}/status`, { body: { status: "rejected" } });
  const days = await app.database.asOwner("select orders, revenue_minor from daily_sales where restaurant_id = $1", [cafe.id]);
  expect(days).toEqual([{ orders: 0, revenue_minor: "0" }]);
  app.clock.set("2026-11-14T12:00:00Z");
});

test("D16 D22 D55 other odd requests: every fault of a list at once, and links on our own origin", async () => {
  const refused = await app.call(lab.token, "GET", "/orders?cursor=abc&placed_from=2026-11-15&placed_to=2026-11-14");
  expect(Object.keys(refused.body.error.details).sort()).toEqual(["cursor", "placed_to"]);
  const status = await app.call(lab.token, "GET", "/orders?status=PLACED");
  expect(status.body.error.details.status[0]).toMatch(/^Must be one or more of placed, accepted/);
  const late = await app.call(lab.token, "POST", "/reservations", {
    body: { name: "", phone: "9", party_size: 2, date: "2026-11-30", time: "29:00" },
  });
  expect(Object.keys(late.body.error.details).sort()).toEqual(["name", "time"]);
  const evil = await app.app.http.inject({
    url: "http://evil.test/api/v1/items?per_page=1",
    headers: { authorization: `Bearer ${lab.token}`, host: "here.test" },
  });
  expect(evil.json().links.next).toMatch(/^http:\/\/here\.test\//);
});

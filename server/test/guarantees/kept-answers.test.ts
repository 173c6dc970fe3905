/** Answers that show a whole large menu are made once for each change. Whatever changes the menu, the next answer shows it. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { fillMenu } from "../support/large-menu.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const DISHES = 1000;

let app: TestApp;
let venue: TestVenue;
let owner: TestUser;
let menuId: number;

beforeAll(async () => {
  app = await startApp();
  venue = await app.venue("lab");
  await fillMenu(app, venue, DISHES);
  owner = await createUser(app, venue.slug, "owner");
  menuId = (await app.call(venue.token, "GET", "/menus")).body.data[0].id;
});
afterAll(() => app.close());

const PAGES = ["menu-plan", "order-form", "menu-today", "venue-file", "menu"] as const;
type Page = (typeof PAGES)[number];

const read = async (page: Page): Promise<string> => {
  if (page === "menu") return (await app.call(venue.token, "GET", `/menus/${menuId}`)).text;
  return (await owner.call("GET", `/venues/${venue.slug}/${page}`)).text;
};

/** Without the time, which is another one in each answer. */
const shown = async (page: Page): Promise<string> => (await read(page)).replace(/"now":"[^"]*"/, "");

const readAll = async (): Promise<string[]> => {
  const texts: string[] = [];
  for (const page of PAGES) texts.push(await shown(page));
  return texts;
};

const differing = (before: readonly string[], after: readonly string[]): Page[] => PAGES.filter((_, at) => before[at] !== after[at]);

const dishOf = async (key: string): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: number }>("select id from items where restaurant_id = $1 and key = $2", [venue.id, key]);
  return Number(row?.id);
};
const write = async (method: string, path: string, body: object): Promise<void> => {
  const { status, text } = await app.call(venue.token, method, path, { body });
  expect(status, text).toBeLessThan(300);
};
const writeInConsole = async (method: string, path: string, body: object): Promise<void> => {
  const headers = { "idempotency-key": randomUUID() };
  const { status, text } = await owner.call(method, `/venues/${venue.slug}${path}`, { body, headers });
  expect(status, text).toBeLessThan(300);
};
const plan = async () => JSON.parse(await read("menu-plan")).data;

test("an answer is sent with the same bytes until something changes: a change without a number is not seen", async () => {
  await readAll();
  const before = await readAll();
  expect(before.every((text) => text.length > 128 * 1024)).toBe(true);
  await app.database.asOwner(`update items set name = '{"en": "Unseen"}' where restaurant_id = $1 and key = 'many-1'`, [venue.id]);
  expect(differing(before, await readAll())).toEqual([]);
  await write("PATCH", `/items/${await dishOf("many-2")}`, { price_minor: 7 });
  const after = await readAll();
  expect(after.every((text) => text.includes("Unseen"))).toBe(true);
  expect(differing(before, after)).toEqual([...PAGES]);
});

test.each([
  [
    "a new dish over the API",
    PAGES,
    async () => {
      const { category_id } = (await app.call(venue.token, "GET", `/items/${await dishOf("many-3")}`)).body.data;
      await write("POST", "/items", { category_id, name: "New over the API", price_minor: 100 });
    },
  ],
  [
    "another price over the API",
    ["menu-plan", "order-form", "venue-file", "menu"],
    async () => write("PATCH", `/items/${await dishOf("many-3")}`, { price_minor: 4321 }),
  ],
  [
    "a dish that is sold out over the API",
    PAGES,
    async () => write("PUT", `/items/${await dishOf("many-4")}/availability`, { is_available: false }),
  ],
  [
    "a save of the menu",
    ["menu-plan", "venue-file", "menu", "order-form"],
    async () => {
      const item = (await plan()).items.find(({ key }: { key: string }) => key === "many-5");
      const seen_minor = item.value.price_minor;
      await writeInConsole("POST", "/menu-plan", { prices: [{ item: "many-5", variant: null, seen_minor, price_minor: seen_minor + 1 }] });
    },
  ],
  [
    "portions that an order took",
    ["order-form", "menu-today"],
    async () => {
      const id = await dishOf("many-6");
      await app.database.asOwner("insert into item_counts (restaurant_id, item_id, remaining, counted_from) values ($1, $2, 9, now())", [
        venue.id,
        id,
      ]);
      const lines = [{ item_id: id, quantity: 2 }];
      await write("POST", "/orders", { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1234", lines });
    },
  ],
] as [string, readonly Page[], () => Promise<void>][])("%s is in the next answer", async (_, pages, change) => {
  await readAll();
  const before = await readAll();
  await change();
  expect(differing(before, await readAll()).toSorted()).toEqual(expect.arrayContaining([...pages].toSorted()));
});

test("the time of an answer is that of its request, and what applies to a menu is that of its minute", async () => {
  await readAll();
  const now = async () => JSON.parse(await read("order-form")).data.now;
  const first = await now();
  app.clock.advance(30_000);
  expect(Date.parse(await now()) - Date.parse(first)).toBe(30_000);
  const hours = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "00:01" }];
  await app.database.asOwner("update menus set hours = $2 where restaurant_id = $1 and id = $3", [venue.id, JSON.stringify(hours), menuId]);
  await write("PATCH", `/items/${await dishOf("many-8")}`, { price_minor: 5 });
  const available = async () => (await app.call(venue.token, "GET", `/menus/${menuId}`)).body.meta.now.available;
  const seen: boolean[] = [];
  for (let hour = 0; hour < 25; hour++) {
    app.clock.set(`2026-11-20T${String(hour % 24).padStart(2, "0")}:00:30Z`);
    seen.push(await available());
  }
  expect(new Set(seen)).toEqual(new Set([true, false]));
});

test("people who ask at once get one answer that is made once, each as new as its request", async () => {
  await write("PATCH", `/items/${await dishOf("many-9")}`, { price_minor: 99 });
  const texts = await Promise.all(Array.from({ length: 12 }, () => shown("menu-plan")));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('"price_minor":99');
});

test("an answer of a usual size is made by each who asks at once, not one after the other", async () => {
  let [running, most] = [0, 0];
  const make = async () => {
    running++;
    most = Math.max(most, running);
    await sleep(20);
    running--;
    return { data: { a: 1 }, beside: null };
  };
  const ctx = { tenant: { id: -1 } } as Ctx;
  await Promise.all(Array.from({ length: 50 }, () => keepAnswer(ctx, "small", make)));
  expect(most).toBe(49);
});

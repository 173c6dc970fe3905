/** A venue file comes out as it went in, whatever happened before. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { forVenue, readSample, type SampleName, startApp, type TestApp } from "../../../../test/support/test-app.ts";
import { eraseGuest } from "../../guest-records/erasure/service.ts";
import { collectVenueFile, parseVenueFile } from "./service.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const exported = (slug: string) => forVenue(app.deps, slug, collectVenueFile);
const SAMPLES: SampleName[] = ["trattoria", "gulf-cafe", "lab", "sandbox"];

test.each(SAMPLES)("import → export → import of %s is equal at every step", async (name) => {
  const file = readSample(name);
  await importVenue(app.deps, file);
  const first = await exported(file.restaurant.slug);
  // A new table that the file does not place is not on the plan, and square.
  expect(first).toEqual({ ...file, tables: file.tables.map((table) => ({ place: null, shape: "square", ...table })) });
  await importVenue(app.deps, parseVenueFile(JSON.stringify(first)));
  expect(await exported(file.restaurant.slug)).toEqual(first);
});

test("a short file is filled up with the usual values", async () => {
  const file = parseVenueFile(
    JSON.stringify({
      format: "comanda.venue/1",
      restaurant: { slug: "corner", name: { en: "Corner" }, currency: "EUR", zone: "Europe/Dublin", default_language: "en" },
      branches: [{ key: "main", name: { en: "Main" }, is_default: true }],
      menus: [
        {
          key: "m",
          name: { en: "Menu" },
          categories: [{ key: "c", name: { en: "Soups" }, items: [{ key: "i", name: { en: "Leek" }, price_minor: 500 }] }],
        },
      ],
    }),
  );
  expect(file).toMatchObject({ tables: [], ordering: { delivery_zones: [] }, booking: { slot_minutes: 30 }, charges: { taxes: [] } });
  await importVenue(app.deps, file);
  const token = await app.token("corner");
  const { body } = await app.call(token, "GET", "/items");
  expect(body.data).toEqual([expect.objectContaining({ price_minor: 500, is_available: true, dietary: "none", variants: [] })]);
});

test("ids survive a second import; what the file no longer has disappears, and comes back under its old id", async () => {
  const file = readSample("lab");
  file.restaurant.slug = "coming-and-going";
  await importVenue(app.deps, file);
  const token = await app.token("coming-and-going");
  const listed = async (): Promise<{ id: number; name: { en: string } }[]> =>
    (await app.call(token, "GET", "/items?per_page=100")).body.data;
  const before = await listed();
  const [category] = file.menus[0]?.categories ?? [];
  const removed = category?.items.shift();
  await importVenue(app.deps, file);
  const without = await listed();
  expect(without).toHaveLength(before.length - 1);
  const gone = before.find(({ id }) => !without.some((item) => item.id === id));
  expect(gone?.name.en).toBe(removed?.name.en);
  expect((await app.call(token, "GET", `/items/${gone?.id}`)).status).toBe(404);
  if (removed) category?.items.unshift(removed);
  await importVenue(app.deps, file);
  expect((await listed()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test("an import that changes nothing moves no dish's updated_at", async () => {
  const file = readSample("gulf-cafe");
  await importVenue(app.deps, file);
  const stamps = () => app.database.asOwner("select id, updated_at from items order by id");
  const before = await stamps();
  app.clock.advance(3_600_000);
  await importVenue(app.deps, file);
  expect(await stamps()).toEqual(before);
});

test("every fault of a file is named at once, and nothing of it is applied", async () => {
  const file = readSample("lab");
  file.restaurant.zone = "Europe/Atlantis";
  for (const branch of file.branches) branch.is_default = false;
  for (const table of file.tables) table.branch = "nowhere";
  for (const branch of file.branches) branch.closing_days = ["2026-12-25", "2026-12-25"].map((date) => ({ date, reason: null }));
  file.ordering.types = ["pickup", "pickup"].map(() => ({ type: "pickup", minimum_minor: 0 }));
  const text = JSON.stringify(file);
  expect(() => parseVenueFile(text)).toThrow(
    /restaurant\.zone[\s\S]*branches[\s\S]*branches\.0\.closing_days[\s\S]*ordering\.types[\s\S]*tables\.0\.branch/,
  );
  expect(() => parseVenueFile("{")).toThrow(/not valid JSON/);
  expect(() => parseVenueFile(JSON.stringify({ ...file, menus: "none", extra: 1 }))).toThrow(/menus: Must be a list/);
});

test("an erased guest stays erased when an older file is imported", async () => {
  const file = readSample("trattoria");
  file.restaurant.slug = "erased-guest";
  await importVenue(app.deps, file);
  const kept = await exported("erased-guest");
  const [guest] = await app.database.asOwner<{ id: number; key: string }>(
    "select g.id, g.key from guests g join restaurants r on r.id = g.restaurant_id where r.slug = 'erased-guest' order by g.id limit 1",
  );
  expect(kept.guests.map(({ key }) => key)).toContain(guest?.key);
  await forVenue(app.deps, "erased-guest", (ctx) => eraseGuest(ctx, Number(guest?.id)));
  const rowOf = async () => (await app.database.asOwner("select * from guests where id = $1", [guest?.id]))[0];
  const erased = await rowOf();
  await importVenue(app.deps, parseVenueFile(JSON.stringify(kept)));
  expect(await rowOf()).toEqual(erased);
  expect((await exported("erased-guest")).guests).toEqual(kept.guests.filter(({ key }) => key !== guest?.key));
});

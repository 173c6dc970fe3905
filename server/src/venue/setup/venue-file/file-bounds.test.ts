/** What a venue file may hold and how often one is imported: texts that can be stored, places that stay, a limit for a venue. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { runAside } from "#lib/side-thread.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { IMPORTS_A_DAY_MAX, IMPORTS_AN_HOUR_MAX } from "./rules/refusals.ts";
import { collectVenueFile, parseVenueFile } from "./service.ts";

let app: TestApp;
let lab: TestVenue;
let begun: VenueFile;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "100000" } });
  app.clock.set("2026-11-20T18:00:00Z");
  lab = await app.venue("lab", (file) => Object.assign(file.restaurant, { slug: "bounds-lab" }));
  begun = await forVenue(app.deps, lab.slug, collectVenueFile);
});
afterAll(() => app.close());
// A person may import ten files in a minute.
let owners = 0;
beforeEach(async () => {
  owner = await createUser(app, lab.slug, "owner", `olga-${++owners}@bounds-lab.example`);
  await importVenue(app.deps, structuredClone(begun));
});

const path = (rest = ""): string => `/venues/${lab.slug}/venue-file${rest}`;
const version = async (): Promise<string> => (await owner.call("GET", path())).body.data.version;
const compare = (file: VenueFile) => owner.call("POST", path("/comparison"), { body: { text: JSON.stringify(file) } });
const put = async (file: VenueFile) =>
  owner.call("PUT", path(), {
    body: { seen_version: await version(), text: JSON.stringify(file) },
    headers: { "idempotency-key": randomUUID() },
  });
const firstItem = (file: VenueFile) => file.menus[0]?.categories[0]?.items[0] ?? expect.fail("no dish");

test("a text that cannot be stored, or has control characters, is refused with its place, in the console and by the command", async () => {
  const faults = {
    "\0": "Must not contain the character U+0000.",
    "\ud800": "Must be well-formed Unicode text.",
    "\u001b[2J": "Must not contain control characters.",
    "\u0085": "Must not contain control characters.",
  };
  for (const [text, sentence] of Object.entries(faults)) {
    const file = structuredClone(begun);
    firstItem(file).name = { en: `Soup ${text}` };
    for (const table of file.tables.slice(0, 1)) table.name = `T ${text}`;
    for (const answer of [await compare(file), await put(file)]) {
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.error.details).toEqual({ "tables.0.name": [sentence], "menus.0.categories.0.items.0.name.en": [sentence] });
    }
    expect(() => parseVenueFile(JSON.stringify(file))).toThrow(`tables.0.name: ${sentence}`);
  }
  const lines = structuredClone(begun);
  firstItem(lines).description = { en: "Two\r\nlines\tand a tab" };
  expect((await put(lines)).status).toBe(200);
});

test("what the dishes of a file show with all of their extras is bounded as on the page of the menu", async () => {
  const languages = ["en", "it", "ar", "de", "fr", "es", "pt", "nl", "pl", "tr"];
  const long = Object.fromEntries(languages.map((language) => [language, "x".repeat(250)]));
  const withExtras = (dishes: number, groups: number): VenueFile => {
    const file = structuredClone(begun);
    const [category] = file.menus[0]?.categories ?? expect.fail("no menu");
    const keys = Array.from({ length: groups }, (_, index) => `many-${index}`);
    const options = Array.from({ length: 100 }, (_, index) => ({ key: `o-${index}`, name: long, price_minor: 0, is_available: true }));
    file.modifier_groups.push(...keys.map((key) => ({ key, name: long, min_select: 0, max_select: null, options })));
    const dish = { ...firstItem(file), price_minor: 100, variants: [] };
    const added = Array.from({ length: dishes }, (_, index) => ({ ...dish, key: `many-${index}`, modifier_groups: keys }));
    category?.items.push(...added);
    return file;
  };
  const sentences = {
    menus: ["The menu has too much text."],
    modifier_groups: ["A dish can have at most 500 extras in all of its groups."],
  };
  for (const [file, path] of [
    [withExtras(200, 1), "menus"],
    [withExtras(1, 6), "modifier_groups"],
  ] as const) {
    for (const answer of [await compare(file), await put(file)])
      expect([answer.status, answer.body.error?.details]).toEqual([422, { [path]: sentences[path] }]);
    await expect(importVenue(app.deps, file)).rejects.toThrow(`${path}: ${sentences[path][0]}`);
  }
  expect((await compare(withExtras(50, 1))).status).toBe(200);
});

test("an export is a valid import, also where the API stored control characters", async () => {
  const token = await app.token(lab.slug);
  const [item] = (await app.call(token, "GET", "/items")).body.data;
  expect((await app.call(token, "PATCH", `/items/${item.id}`, { body: { name: { en: "Bell \u0007" } } })).status).toBe(200);
  const { file } = (await owner.call("GET", path())).body.data;
  expect(JSON.stringify(file)).toContain("Bell ");
  expect((await compare(file)).body.data.areas).toEqual([]);
});

test("a table keeps its place and shape when the file does not name them; null takes it off the plan", async () => {
  const drawn = structuredClone(begun);
  const [first, second] = drawn.tables;
  if (!first || !second) return expect.fail("no tables");
  Object.assign(first, { place: { x: 20, y: 30 }, shape: "round" });
  Object.assign(second, { place: { x: 60, y: 70 }, shape: "long" });
  expect((await put(drawn)).status).toBe(200);
  const places = async () =>
    (await forVenue(app.deps, lab.slug, collectVenueFile)).tables.slice(0, 2).map(({ place, shape }) => ({ place, shape }));
  const silent = structuredClone(drawn);
  for (const table of silent.tables) {
    delete table.place;
    delete table.shape;
  }
  expect((await compare(silent)).body.data.areas).toEqual([]);
  for (const table of silent.tables.slice(0, 1)) table.seats += 1;
  expect((await put(silent)).status).toBe(200);
  await importVenue(app.deps, parseVenueFile(JSON.stringify(silent)));
  expect(await places()).toEqual([
    { place: { x: 20, y: 30 }, shape: "round" },
    { place: { x: 60, y: 70 }, shape: "long" },
  ]);
  for (const table of silent.tables.slice(0, 1)) table.place = null;
  expect((await put(silent)).status).toBe(200);
  expect((await places())[0]).toEqual({ place: null, shape: "round" });
});

test("a venue imports twenty files an hour and sixty a day that change something; the next says when", async () => {
  await app.database.asOwner("delete from audit_entries where restaurant_id = $1", [lab.id]);
  const file = structuredClone(begun);
  let price = 5000;
  const change = () => {
    price += 1;
    firstItem(file).price_minor = price;
    return put(file);
  };
  const begunAt = app.clock.now();
  const until429 = async (count: number): Promise<string | undefined> => {
    await app.database.asOwner(
      `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id)
        select $1::bigint, $2, 'staff', 'Olga', 'venue.imported', 'restaurant', $1::text from generate_series(1, $3::integer)`,
      [lab.id, begunAt, count - 1],
    );
    expect((await change()).status).toBe(200);
    const refused = await change();
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    return String(refused.headers["retry-after"]);
  };
  expect(await until429(IMPORTS_AN_HOUR_MAX)).toBe("3600");
  const same = await forVenue(app.deps, lab.slug, collectVenueFile);
  expect((await put(same)).status).toBe(200);
  app.clock.advance(60 * 60_000);
  expect(await until429(IMPORTS_A_DAY_MAX - IMPORTS_AN_HOUR_MAX)).toBe(String(23 * 3600));
  app.clock.advance(23 * 60 * 60_000);
  owner = await createUser(app, lab.slug, "owner", "later@bounds-lab.example");
  expect((await change()).status).toBe(200);
});

const BUSY = new URL("../../../../test/support/busy-loop.ts", import.meta.url);
const busyFor = (venue: number, ms: number): Promise<unknown> => runAside({ module: BUSY, name: "keepBusy", venue }, ms);

test("an import that waits for the files of other venues locks nothing of its own meanwhile", async () => {
  const file = structuredClone(begun);
  firstItem(file).price_minor = 4321;
  const body = { seen_version: await version(), text: JSON.stringify(file) };
  await busyFor(-1, 1);
  // The file is read between the two, so the comparison waits for the second one.
  const before = busyFor(-1, 500);
  const importing = owner.call("PUT", path(), { body, headers: { "idempotency-key": randomUUID() } });
  await sleep(200);
  const after = busyFor(-2, 2000);
  let isOver = false;
  void after.finally(() => {
    isOver = true;
  });
  for (; !isOver; await sleep(50))
    expect(await app.database.asOwner("select id from restaurants where id = $1 for no key update nowait", [lab.id])).toHaveLength(1);
  await before;
  await after;
  expect((await importing).status).toBe(200);
});

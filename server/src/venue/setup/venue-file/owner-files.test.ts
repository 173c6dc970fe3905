/** A venue file in the console: what an owner takes out, sees compared and puts in, over HTTP. */
import { randomUUID } from "node:crypto";
import type { AreaChange } from "@comanda/contract/console/venue-file.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { collectVenueFile } from "./service.ts";

const NOW = "2026-11-20T18:00:00Z";

let app: TestApp;
let lab: TestVenue;
let begun: VenueFile;
let owner: TestUser;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab", (file) => {
    file.restaurant.slug = "file-lab";
  });
  owner = await createUser(app, lab.slug, "owner", "olga@file-lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@file-lab.example");
  begun = await forVenue(app.deps, lab.slug, collectVenueFile);
});
afterAll(() => app.close());

beforeEach(async () => {
  await app.database.asOwner("update reservations set status = 'cancelled' where restaurant_id = $1", [lab.id]);
  await importVenue(app.deps, structuredClone(begun));
  await app.database.asOwner("delete from audit_entries where restaurant_id = $1", [lab.id]);
});

const path = (rest = ""): string => `/venues/${lab.slug}/venue-file${rest}`;
const taken = async (): Promise<{ version: string; file: VenueFile }> => (await owner.call("GET", path())).body.data;
const compare = (text: string, who = owner) => who.call("POST", path("/comparison"), { body: { text } });
const put = (seen_version: string, text: string, key: string = randomUUID(), who = owner) =>
  who.call("PUT", path(), { body: { seen_version, text }, headers: { "idempotency-key": key } });
const textWith = (change: (file: VenueFile) => void): string => {
  const file = structuredClone(begun);
  change(file);
  return JSON.stringify(file);
};
const withPeople = () => forVenue(app.deps, lab.slug, collectVenueFile);
const withoutPeople = (file: VenueFile): VenueFile => ({ ...file, staff: [], guests: [] });
const stored = async () => withoutPeople(await withPeople());
const firstItems = (file: VenueFile) => file.menus[0]?.categories[0]?.items ?? expect.fail("no dishes");

/** Every area of a file differs. */
const changeAll = (file: VenueFile): void => {
  file.restaurant.phone = "+1 555 0177";
  file.branches.push({ key: "garden", name: { en: "Garden" }, is_default: false, address: null, hours: null, closing_days: [] });
  file.tables.push({ key: "g1", branch: "garden", name: "G1", code: "G1", seats: 4, is_active: true, place: null, shape: "round" });
  file.tables.push({ key: "g2", branch: "garden", name: "G2", code: "G2", seats: 2, is_active: true, place: null, shape: "long" });
  file.table_combinations.push({ tables: ["g1", "g2"], seats: 6 });
  for (const menu of file.menus.slice(0, 1)) menu.name = { en: "Renamed" };
  for (const category of file.menus[0]?.categories.slice(0, 1) ?? []) category.station = "grill";
  for (const item of firstItems(file).slice(0, 1)) item.price_minor = 1234;
  file.modifier_groups.push({ key: "sauces", name: { en: "Sauces" }, min_select: 0, max_select: null, options: [] });
  const happyHour = { key: "late", name: { en: "Late" }, is_active: true, hours: null, percent_off: 10, price_minor: null };
  file.happy_hours.push({ ...happyHour, categories: [], items: [], variants: [] });
  file.ordering.schedule_days_max = 30;
  file.booking.slot_minutes = 20;
  file.charges.taxes.push({ key: "spare", name: "Spare", rate: 4, inclusive: true, is_default: false });
  file.charges.promotions = [];
  file.charges.delivery_fee_tax = "spare";
};

test("an export holds the venue without its people, and putting it in again changes nothing", async () => {
  const { version, file } = await taken();
  expect(file).toEqual(withoutPeople(begun));
  const compared = await compare(JSON.stringify(begun));
  const left_out = { staff: begun.staff.length, guests: begun.guests.length };
  expect(compared.body.data).toEqual({ version, areas: [], left_out });
  expect((await put(version, JSON.stringify(begun))).body.data).toEqual({ version, areas: [], left_out });
  expect(await app.database.asOwner("select from audit_entries where restaurant_id = $1", [lab.id])).toEqual([]);
});

test("a comparison names what would be created, changed and removed in every area, and the import does just that in one commit", async () => {
  const text = textWith((file) => {
    changeAll(file);
    firstItems(file).pop();
    file.menus[0]?.categories.reverse();
  });
  const compared = await compare(text);
  expect(compared.status, compared.text).toBe(200);
  const areas = new Map<string, AreaChange>(compared.body.data.areas.map((one: AreaChange) => [one.area, one]));
  expect([...areas.keys()]).toEqual([
    "restaurant",
    "branches",
    "tables",
    "table_combinations",
    "menus",
    "categories",
    "items",
    "modifier_groups",
    "happy_hours",
    "ordering",
    "booking",
    "taxes",
    ...(begun.charges.promotions.length > 0 ? ["promotions"] : []),
    "charges",
  ]);
  expect(areas.get("branches")).toMatchObject({ created: { count: 1, names: ["Garden"] }, changed: { count: 0 }, removed: { count: 0 } });
  expect(areas.get("tables")?.created).toEqual({ count: 2, names: ["G1", "G2"] });
  expect(areas.get("table_combinations")?.created.names).toEqual(["G1 + G2"]);
  expect(areas.get("items")).toMatchObject({ created: { count: 0 }, changed: { count: 1 }, removed: { count: 1 } });
  expect(areas.get("categories")).toMatchObject({ changed: { count: 1 }, is_reordered: true });
  expect(areas.get("ordering")?.changed.names).toEqual(["schedule_days_max"]);
  expect(areas.get("charges")?.changed.names).toEqual(["delivery_fee_tax"]);
  expect(await stored()).toEqual(withoutPeople(begun));
  const done = await put(compared.body.data.version, text);
  expect([done.status, done.body.data.areas]).toEqual([200, compared.body.data.areas]);
  const after = await withPeople();
  expect(withoutPeople(after)).toEqual(withoutPeople(JSON.parse(text)));
  expect([after.guests, after.staff]).toEqual([begun.guests, begun.staff]);
  expect(done.body.data.version).toBe((await taken()).version);
  const entries = await app.database.asOwner("select action, actor_name from audit_entries where restaurant_id = $1", [lab.id]);
  expect(entries).toEqual([{ action: "venue.imported", actor_name: "olga" }]);
});

test("the former export undoes an import", async () => {
  const former = await taken();
  const text = textWith(changeAll);
  const done = await put(former.version, text);
  expect(done.status, done.text).toBe(200);
  expect((await put(done.body.data.version, JSON.stringify(former.file))).status).toBe(200);
  expect(await stored()).toEqual(withoutPeople(begun));
});

test("what changed since the comparison is not overwritten: 409, and nothing is applied", async () => {
  const { version } = (await compare(textWith(changeAll))).body.data;
  const settings = (await manager.call("GET", `/venues/${lab.slug}/settings`)).body.data;
  const ordering = { ...settings.ordering.value, delivery_fee_minor: 777 };
  const body = { seen_version: settings.ordering.version, ordering };
  const saved = await manager.call("PUT", `/venues/${lab.slug}/settings/ordering`, { body, headers: { "idempotency-key": randomUUID() } });
  expect(saved.status, saved.text).toBe(200);
  const refused = await put(version, textWith(changeAll));
  expect([refused.status, refused.body.error.code, refused.body.error.details.changed_by]).toEqual([409, "state_changed", "max"]);
  expect(refused.body.error.details.version).toBe((await taken()).version);
  expect(await stored()).toEqual({ ...withoutPeople(begun), ordering });
});

test("an import and a save at once: one of the two is refused", async () => {
  const { version } = (await compare(textWith(changeAll))).body.data;
  const settings = (await manager.call("GET", `/venues/${lab.slug}/settings`)).body.data;
  const body = {
    seen_version: settings.charges.version,
    charges: { ...settings.charges.value, service_charge: null, delivery_fee_tax: null },
  };
  const [imported, saved] = await Promise.all([
    put(version, textWith(changeAll)),
    manager.call("PUT", `/venues/${lab.slug}/settings/charges`, { body, headers: { "idempotency-key": randomUUID() } }),
  ]);
  expect([imported.status, saved.status].sort((a, b) => a - b)).toEqual([200, 409]);
});

test("a repeated import has one effect", async () => {
  const { version } = await taken();
  const [key, text] = [randomUUID(), textWith(changeAll)];
  const [first, second] = [await put(version, text, key), await put(version, text, key)];
  expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
});

test("faults are named with their place, by the checks of the command", async () => {
  const { version } = await taken();
  const wrong = textWith((file) => {
    file.restaurant.zone = "Europe/Atlantis";
    for (const item of firstItems(file).slice(0, 1)) item.tax = "gone";
  });
  const faults = { "restaurant.zone": ["Is not a known time zone."], "menus.0.categories.0.items.0.tax": ["There is no tax gone."] };
  for (const answer of [await compare(wrong), await put(version, wrong)])
    expect([answer.status, answer.body.error.details]).toEqual([422, faults]);
  const torn = await compare('{"format": ');
  expect([torn.status, Object.keys(torn.body.error.details)]).toEqual([422, ["text"]]);
  for (const text of ["[]", "5", "null", '"x"']) expect((await compare(text)).status).toBe(422);
  const extra = await compare(JSON.stringify({ ...begun, colour: "red" }));
  expect([extra.status, Object.keys(extra.body.error.details)]).toEqual([422, ["body"]]);
  expect(await stored()).toEqual(withoutPeople(begun));
});

test("slug and plan stay those of the venue; another currency is refused", async () => {
  const { version } = await taken();
  const other = textWith((file) => {
    file.restaurant.slug = "elsewhere";
    file.restaurant.plan = "free";
    file.restaurant.name = { en: "Copied" };
  });
  expect((await compare(other)).body.data.areas).toMatchObject([{ area: "restaurant", changed: { names: ["name"] } }]);
  expect((await put(version, other)).status).toBe(200);
  expect((await stored()).restaurant).toEqual({ ...begun.restaurant, name: { en: "Copied" } });
  const yen = await compare(
    textWith((file) => {
      file.restaurant.currency = "JPY";
    }),
  );
  expect([yen.status, Object.keys(yen.body.error.details)]).toEqual([422, ["restaurant.currency"]]);
});

test("a table that has bookings to come is not removed by a file", async () => {
  const body = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-11-21", time: "19:00" };
  const made = await manager.call("POST", `/venues/${lab.slug}/bookings`, { body, headers: { "idempotency-key": randomUUID() } });
  expect(made.status, made.text).toBe(201);
  const [held] = await app.database.asOwner<{ key: string }>(
    `select t.key from reservation_tables h join dining_tables t on t.restaurant_id = h.restaurant_id and t.id = h.table_id
     where h.restaurant_id = $1 order by h.table_id desc limit 1`,
    [lab.id],
  );
  const text = textWith((file) => {
    file.tables = file.tables.filter(({ key }) => key !== held?.key);
    file.table_combinations = file.table_combinations.filter(({ tables }) => !tables.includes(held?.key ?? ""));
  });
  const refused = await compare(text);
  expect([refused.status, refused.body.error.details]).toEqual([422, { [`removed.tables.${held?.key}`]: ["It has 1 booking to come."] }]);
});

test("a menu of 500 dishes in two languages fits; a text that is too long does not", async () => {
  const { version } = await taken();
  // The budget of a minute is each owner's own.
  const second = await createUser(app, lab.slug, "owner", "otto@file-lab.example");
  const words = "Slowly cooked with herbs from the garden, and served with bread of the day. ".repeat(4);
  const text = JSON.stringify(
    JSON.parse(
      textWith((file) => {
        const [model] = firstItems(file);
        const dishes = Array.from({ length: 500 }, (_, n) => ({
          ...(model ?? expect.fail("no dish")),
          key: `many-${n}`,
          name: { en: `Dish number ${n}`, it: `Piatto numero ${n}` },
          description: { en: words, it: words },
        }));
        file.menus[0]?.categories.push({ key: "many", name: { en: "Many" }, is_active: true, hours: null, station: null, items: dishes });
      }),
    ),
    null,
    2,
  );
  const done = await put(version, text, randomUUID(), second);
  expect(done.status, done.text).toBe(200);
  expect(done.body.data.areas.find(({ area }: AreaChange) => area === "items").created).toMatchObject({ count: 500 });
  expect(text.length).toBeGreaterThan(600_000);
  expect((await compare(" ".repeat(3 * 1024 * 1024 + 1), second)).status).toBe(422);
  expect((await compare(" ".repeat(4 * 1024 * 1024), second)).status).toBe(413);
});

test("managers may neither take out, compare nor put in; an owner of another venue finds nothing", async () => {
  const outsider = await createUser(app, (await app.venue("trattoria")).slug, "owner", "eve@file-lab.example");
  const { version } = await taken();
  for (const [who, status] of [
    [manager, 403],
    [outsider, 404],
  ] as const) {
    expect((await who.call("GET", path())).status).toBe(status);
    expect((await compare(JSON.stringify(begun), who)).status).toBe(status);
    expect((await put(version, textWith(changeAll), randomUUID(), who)).status).toBe(status);
  }
  expect(await stored()).toEqual(withoutPeople(begun));
});

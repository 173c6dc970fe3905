/** Tables and booking rules as managers set them, over HTTP: what is stored, what is refused, and what bookings then do. */
import { randomUUID } from "node:crypto";
import type { PlanTable, VenueFloor, WantedFloor } from "@comanda/contract/console/floor.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { applySettings } from "#venue/settings/venue-file.ts";
import { collectVenueFile, parseVenueFile } from "#venue/setup/venue-file/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const NOW = "2026-11-20T18:00:00Z";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let second: TestUser;
let staff: TestUser;
let begun: VenueFile;

const TABLES = [
  ["two", 2],
  ["four", 4],
  ["six", 6],
] as const;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "UTC";
    file.restaurant.slug = "floor-lab";
    const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
    const rest = { is_active: true, place: null, shape: "square" as const };
    file.tables = TABLES.map(([key, seats]) => ({ key, branch, name: key, code: `C-${key}`, seats, ...rest }));
    file.table_combinations = [{ tables: ["two", "four"], seats: 6 }];
    begun = file;
  });
  const user = (role: "manager" | "staff", name: string) => createUser(app, lab.slug, role, `${name}@${lab.slug}.example`);
  [manager, second, staff] = [await user("manager", "max"), await user("manager", "mia"), await user("staff", "sam")];
});
afterAll(() => app.close());

/** Each test begins with the same three tables and no bookings. */
beforeEach(async () => {
  app.clock.set(NOW);
  for (const table of ["reservation_tables", "audit_entries"])
    await app.database.asOwner(`delete from ${table} where restaurant_id = $1`, [lab.id]);
  await forVenue(app.deps, lab.slug, (ctx) => applySettings(ctx, begun));
});

const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
const put = (who: TestUser, path: string, body: object, key: string = randomUUID()) =>
  who.call("PUT", venuePath(path), { body, headers: { "idempotency-key": key } });
const read = async (who = manager): Promise<VenueFloor> => (await who.call("GET", venuePath("/floor"))).body.data;
const wantedOf = ({ id, name, code, seats, is_active, place, shape }: PlanTable) => ({ id, name, code, seats, is_active, place, shape });

/** The stored floor of the first branch, as a page would send it back. */
const wantedFloor = async (change: (floor: WantedFloor) => void = () => {}): Promise<WantedFloor> => {
  const { branches, tables, combinations } = await read();
  const branch = branches.find(({ id }) => id === tables[0]?.branch_id);
  const ids = tables.map(({ id }) => id);
  const wanted: WantedFloor = {
    branch_id: branch?.id ?? 0,
    seen_version: branch?.version ?? "",
    tables: tables.map(wantedOf),
    combinations: combinations.map(({ table_ids, seats }) => ({ tables: table_ids.map((id) => ids.indexOf(id)), seats })),
  };
  change(wanted);
  return wanted;
};
const NEW = { id: null, name: "bar", code: null, seats: 1, is_active: true, place: { x: 100, y: 0 }, shape: "round" as const };
const book = async (table: string, date = "2026-11-21") => {
  const { tables } = await read();
  const id = tables.find(({ name }) => name === table)?.id;
  const body = { name: "Ada", phone: "+1 555 0100", party_size: 2, date, time: "19:00", table_ids: [id] };
  const made = await staff.call("POST", venuePath("/bookings"), { body, headers: { "idempotency-key": randomUUID() } });
  expect(made.status, made.text).toBe(201);
  return made.body.data;
};
const trial = async (query: string) => (await staff.call("GET", venuePath(`/booking-trial?${query}`))).body.data;
const entries = () =>
  app.database.asOwner<{ action: string; actor_name: string; before: object; after: object }>(
    "select action, actor_name, before, after from audit_entries where restaurant_id = $1 and subject_kind in ('floor', 'booking_rules') order by id",
    [lab.id],
  );

test("JE-03 tables move, change, come and go with one save; ids stay, and the day page shows places", async () => {
  const { tables } = await read();
  expect(tables.map(({ name, place, shape }) => [name, place, shape])).toEqual(TABLES.map(([name]) => [name, null, "square"]));
  const wanted = await wantedFloor((floor) => {
    floor.tables = [{ ...wantedOf(tables[1] as PlanTable), place: { x: 10, y: 20 }, seats: 5 }, NEW, wantedOf(tables[0] as PlanTable)];
    floor.combinations = [{ tables: [1, 2], seats: 3 }];
  });
  const saved = await put(manager, "/floor", wanted);
  expect(saved.status, saved.text).toBe(200);
  const after: VenueFloor = saved.body.data;
  expect(after.tables.map(({ name, seats, place, shape }) => [name, seats, place, shape])).toEqual([
    ["four", 5, { x: 10, y: 20 }, "square"],
    ["bar", 1, { x: 100, y: 0 }, "round"],
    ["two", 2, null, "square"],
  ]);
  expect(after.tables[0]?.id).toBe(tables[1]?.id);
  expect(after.combinations).toEqual([{ table_ids: [after.tables[1]?.id, after.tables[2]?.id], seats: 3 }]);
  expect(await read()).toEqual(after);
  const day = (await staff.call("GET", venuePath("/bookings"))).body.data;
  expect(day.tables[0]).toMatchObject({ name: "four", place: { x: 10, y: 20 }, shape: "square" });
  const [entry] = await entries();
  expect(entry).toMatchObject({ action: "floor.changed", after: { tables: [{ name: "four", seats: 5 }, { name: "bar" }] } });
  expect(entry?.before).toMatchObject({ tables: [{ name: "four", seats: 4 }, { name: "six" }] });
});

test("a save that changes nothing records nothing; the same key answers as before", async () => {
  const same = await put(manager, "/floor", await wantedFloor());
  expect([same.status, await entries()]).toEqual([200, []]);
  const key = randomUUID();
  const body = await wantedFloor((floor) => floor.tables.push(NEW));
  const [first, again] = [await put(manager, "/floor", body, key), await put(manager, "/floor", body, key)];
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(await entries()).toHaveLength(1);
});

test("a change reaches an open day page: it counts as a change of bookings", async () => {
  const { position } = (await staff.call("GET", venuePath("/bookings"))).body.data;
  await put(manager, "/floor", await wantedFloor((floor) => floor.tables.push(NEW)));
  const areas = await app.database.asOwner<{ area: string; subject: string }>(
    "select area, subject from changes where restaurant_id = $1 order by number desc limit 1",
    [lab.id],
  );
  expect(areas[0]?.area).toBe("reservations");
  const delta = (await staff.call("GET", venuePath(`/bookings?after=${position}`))).body.data;
  expect([delta.is_whole, delta.tables.length]).toEqual([false, 4]);
});

test("422 names every fault at its table, and stores nothing", async () => {
  const before = await read();
  const refused = await put(
    manager,
    "/floor",
    await wantedFloor((floor) => {
      floor.tables.push({ ...NEW, name: "two", code: "C-four" }, { ...NEW, id: 987_654_321, name: "x" });
      floor.combinations.push({ tables: [0, 99], seats: 4 });
    }),
  );
  expect([refused.status, refused.body.error.details]).toEqual([
    422,
    {
      "tables.3.name": ["Another table has this name."],
      "tables.3.code": ["Another table has this code."],
      "tables.4.id": ["There is no such table."],
      "combinations.1.tables": ["There is no such table."],
    },
  ]);
  const bounds = await put(
    manager,
    "/floor",
    await wantedFloor((floor) => floor.tables.push({ ...NEW, seats: 0, place: { x: 101, y: -1 } }, { ...NEW, name: "" })),
  );
  expect(bounds.status).toBe(422);
  expect(Object.keys(bounds.body.error.details).sort()).toEqual([
    "tables.3.place.x",
    "tables.3.place.y",
    "tables.3.seats",
    "tables.4.name",
  ]);
  const join = await put(manager, "/floor", await wantedFloor((floor) => floor.combinations.push({ tables: [1], seats: 4 })));
  expect(Object.keys(join.body.error.details)).toEqual(["combinations.1.tables"]);
  expect(await read()).toEqual(before);
});

test("a table with bookings to come is neither removed nor switched off; past ones do not keep it, and it may become smaller", async () => {
  const booking = await book("two");
  await book("two", "2026-11-22");
  const removed = await put(manager, "/floor", await wantedFloor((floor) => remove(floor, "two")));
  const { id } = (await read()).tables.find(({ name }) => name === "two") as PlanTable;
  expect([removed.status, removed.body.error.details]).toEqual([422, { [`removed.${id}`]: ["Table two has 2 bookings to come."] }]);
  const off = await put(manager, "/floor", await wantedFloor((floor) => Object.assign(floor.tables[0] ?? {}, { is_active: false })));
  expect(off.body.error.details).toEqual({ "tables.0.is_active": ["Table two has 2 bookings to come."] });
  const smaller = await put(manager, "/floor", await wantedFloor((floor) => Object.assign(floor.tables[0] ?? {}, { seats: 1 })));
  expect(smaller.status).toBe(200);
  app.clock.set("2026-11-25T12:00:00Z");
  expect((await put(manager, "/floor", await wantedFloor((floor) => remove(floor, "two")))).status).toBe(200);
  expect((await app.call(lab.token, "GET", `/reservations/${booking.reservation.id}`)).body.data.table_id).toBe(id);
});

/** Removes a table with its combinations. Positions after it move up. */
const remove = (floor: WantedFloor, name: string): void => {
  const at = floor.tables.findIndex((table) => table.name === name);
  floor.tables.splice(at, 1);
  floor.combinations = floor.combinations
    .filter(({ tables }) => !tables.includes(at))
    .map(({ tables, seats }) => ({ seats, tables: tables.map((position) => (position > at ? position - 1 : position)) }));
};

test("a party at its table keeps it", async () => {
  const seated = await staff.call("POST", venuePath("/walk-ins"), {
    body: { party_size: 6 },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(seated.status, seated.text).toBe(201);
  app.clock.set("2026-11-21T12:00:00Z");
  const removed = await put(manager, "/floor", await wantedFloor((floor) => remove(floor, "six")));
  expect(Object.values(removed.body.error.details)).toEqual([["Table six has 1 booking to come."]]);
});

test("of two managers who save at once one is stored, and the other gets 409 with the state and the name", async () => {
  const wanted = await wantedFloor((floor) => floor.tables.push(NEW));
  const answers = await Promise.all([put(manager, "/floor", wanted), put(second, "/floor", wanted)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  expect(lost.code).toBe("state_changed");
  expect(lost.details.floor).toEqual(await read());
  const [entry] = await entries();
  expect(lost.details.changed_by).toBe(entry?.actor_name);
});

test("a booking and the removal of its table at once: one of them is refused, never a booking on a removed table", async () => {
  for (let round = 0; round < 6; round++) {
    const name = `round ${round}`;
    const added = await put(manager, "/floor", await wantedFloor((floor) => floor.tables.push({ ...NEW, name, seats: 20 })));
    const id = (added.body.data as VenueFloor).tables.find((table) => table.name === name)?.id;
    const wanted = await wantedFloor((floor) => remove(floor, name));
    const body = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-11-23", time: "19:00", table_ids: [id] };
    const [booked, removed] = await Promise.all([
      staff.call("POST", venuePath("/bookings"), { body, headers: { "idempotency-key": randomUUID() } }),
      put(manager, "/floor", wanted),
    ]);
    expect([booked.status, removed.status].sort((a, b) => a - b)).toEqual(booked.status === 201 ? [201, 422] : [200, 422]);
  }
  const lost = await app.database.asOwner(
    "select 1 from reservation_tables h join dining_tables t on t.restaurant_id = h.restaurant_id and t.id = h.table_id where t.deleted_at is not null and h.restaurant_id = $1",
    [lab.id],
  );
  expect(lost).toEqual([]);
});

test("an import waits for those who decide by the tables, as a save does", async () => {
  const other = new pg.Client({ connectionString: app.database.ownerUrl });
  await other.connect();
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [`booking ${lab.id} tables`]);
  let isImported = false;
  const imported = importVenue(app.deps, begun).then(() => {
    isImported = true;
  });
  await expect
    .poll(
      async () =>
        (await app.database.asOwner("select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted")).length,
    )
    .toBe(1);
  expect(isImported).toBe(false);
  await other.query("commit");
  await other.end();
  await imported;
  expect(isImported).toBe(true);
});

test("staff may neither read nor save; a manager of another venue finds nothing", async () => {
  const outsider = await createUser(app, (await app.venue("lab")).slug, "manager", `eve@${lab.slug}.example`);
  const wanted = await wantedFloor();
  for (const path of ["/floor", "/booking-rules"]) {
    expect((await staff.call("GET", venuePath(path))).status).toBe(403);
    expect((await outsider.call("GET", venuePath(path))).status).toBe(404);
  }
  expect((await put(staff, "/floor", wanted)).status).toBe(403);
  expect((await put(outsider, "/floor", wanted)).status).toBe(404);
});

test("a table of another venue is no table of this one", async () => {
  const other = await app.venue("lab");
  const [row] = await app.database.asOwner<{ id: string }>("select min(id) as id from dining_tables where restaurant_id = $1", [other.id]);
  const wanted = await wantedFloor((floor) => floor.tables.push({ ...NEW, id: Number(row?.id) }));
  expect((await put(manager, "/floor", wanted)).body.error.details).toEqual({ "tables.3.id": ["There is no such table."] });
});

test("two tables swap their codes", async () => {
  const saved = await put(
    manager,
    "/floor",
    await wantedFloor(({ tables: [one, two] }) => {
      if (one && two) [one.code, two.code] = [two.code, one.code];
    }),
  );
  expect((saved.body.data as VenueFloor).tables.map(({ code }) => code)).toEqual(["C-four", "C-two", "C-six"]);
});

test("a venue file has places and shapes, and is equal after it was imported again", async () => {
  await put(
    manager,
    "/floor",
    await wantedFloor((floor) => {
      floor.tables.push(NEW);
      Object.assign(floor.tables[0] ?? {}, { place: { x: 0, y: 55 }, shape: "long" });
    }),
  );
  const before = await forVenue(app.deps, lab.slug, collectVenueFile);
  expect(before.tables.map(({ place, shape }) => [place, shape])).toEqual([
    [{ x: 0, y: 55 }, "long"],
    [null, "square"],
    [null, "square"],
    [{ x: 100, y: 0 }, "round"],
  ]);
  const floor = await read();
  await importVenue(app.deps, parseVenueFile(JSON.stringify(before)));
  expect(await forVenue(app.deps, lab.slug, collectVenueFile)).toEqual(before);
  expect(await read()).toEqual(floor);
});

test("a table of another branch stays as it is", async () => {
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  const [branch] = file.branches;
  if (branch) file.branches.push({ ...branch, key: "garden", is_default: false });
  file.tables.splice(1, 0, { key: "g1", branch: "garden", name: "two", code: "G1", seats: 8, is_active: true });
  await importVenue(app.deps, file);
  const { branches, tables } = await read();
  const own = tables.filter(({ branch_id }) => branch_id === branches[0]?.id);
  const wanted = { branch_id: branches[0]?.id, seen_version: branches[0]?.version, tables: own.map(wantedOf), combinations: [] };
  const clash = await put(manager, "/floor", { ...wanted, tables: [...wanted.tables, { ...NEW, code: "G1" }] });
  expect(clash.body.error.details).toEqual({ "tables.3.code": ["Another table has this code."] });
  const saved = await put(manager, "/floor", { ...wanted, tables: [{ ...own.map(wantedOf)[0], name: "first" }] });
  expect(saved.status, saved.text).toBe(200);
  expect((saved.body.data as VenueFloor).tables.map(({ name, seats }) => [name, seats])).toEqual([
    ["first", 2],
    ["two", 8],
  ]);
});

test("JE-06 rules are stored as the venue file has them, recorded with before and after, and obeyed by the next try", async () => {
  const query = "date=2026-11-21&time=19:00&party_size=6";
  expect(await trial(query)).toMatchObject({ is_possible: true });
  const { version, rules } = (await manager.call("GET", venuePath("/booking-rules"))).body.data;
  const changed = { ...rules, party_size_max: 4, turn_times: [{ party_size_max: null, minutes: 120 }] };
  const saved = await put(manager, "/booking-rules", { seen_version: version, rules: changed });
  expect([saved.status, saved.body.data.rules]).toEqual([200, changed]);
  expect(await trial(query)).toMatchObject({ is_possible: false, refusals: [{ field: "party_size", reason: "party_too_large" }] });
  expect(await trial("date=2026-11-21&time=19:00&party_size=2")).toMatchObject({ ends_at: "2026-11-21T21:00:00.000Z" });
  expect((await forVenue(app.deps, lab.slug, collectVenueFile)).booking).toEqual(changed);
  const [entry] = await entries();
  expect(entry).toMatchObject({ action: "booking_rules.changed", before: rules, after: changed });
  const late = await put(second, "/booking-rules", { seen_version: version, rules });
  expect([late.status, late.body.error.code]).toEqual([409, "state_changed"]);
  expect(late.body.error.details).toMatchObject({ booking_rules: saved.body.data, changed_by: entry?.actor_name });
});

test("422 for rules that a venue file could not have", async () => {
  const { version, rules } = (await manager.call("GET", venuePath("/booking-rules"))).body.data;
  const wrong = { ...rules, slot_minutes: 4, turn_times: [] };
  const refused = await put(manager, "/booking-rules", { seen_version: version, rules: wrong });
  expect([refused.status, Object.keys(refused.body.error.details).sort()]).toEqual([422, ["rules.slot_minutes", "rules.turn_times"]]);
  const guarantee = { type: "deposit", amount_minor: 1000 };
  const short = await put(manager, "/booking-rules", { seen_version: version, rules: { guarantee, unknown: 1 } });
  expect([short.status, short.text]).toEqual([200, expect.not.stringContaining("unknown")]);
  expect(short.body.data.rules).toMatchObject({
    slot_minutes: 30,
    guarantee: { ...guarantee, per_person: false, party_size_min: 1, hours: null },
  });
});

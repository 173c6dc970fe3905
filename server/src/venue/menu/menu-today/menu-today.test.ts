/** Menu today over HTTP: what staff sell out, when it comes back, and what the loser of a race gets. Counts are in `portions.test.ts`. */
import { randomUUID } from "node:crypto";
import type { DishState, DishToday, MenuToday, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { asSystem } from "../../../compose/as-system.ts";
import { menuTodayJobs } from "./jobs.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let colleague: TestUser;

const START = "2026-11-14T12:00:00Z";
const AVAILABLE: DishState = { kind: "available", until: null, remaining: null };
const soldOut = (until: string | null): DishState => ({ kind: "sold_out", until, remaining: null });

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "Europe/Berlin";
  });
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  colleague = await createUser(app, lab.slug, "staff", "cleo@lab.example");
});
afterAll(() => app.close());

const read = async (): Promise<MenuToday> => {
  const { status, body, text } = await staff.call("GET", `/venues/${lab.slug}/menu-today`);
  expect(status, text).toBe(200);
  return body.data;
};
const dishNamed = async (name: string): Promise<DishToday> => {
  const found = (await read()).dishes.find((dish) => dish.name.en === name);
  if (!found) throw new Error(name);
  return found;
};
const optionNamed = async (name: string): Promise<OptionToday> => {
  const found = (await read()).options.find((option) => option.name.en === name);
  if (!found) throw new Error(name);
  return found;
};
const set = (who: TestUser, id: number, body: object, key: string = randomUUID()) =>
  who.call("POST", `/venues/${lab.slug}/menu-today/dishes/${id}`, { body, headers: { "idempotency-key": key } });
const setOption = (id: number, body: object) => staff.call("POST", `/venues/${lab.slug}/menu-today/options/${id}`, { body });

const eventsOf = (id: number) =>
  app.database.asOwner<{ changed: string[] }>(
    `select (body::jsonb -> 'data' -> 'changed') as changed from events where type = 'menu.item_updated'
     and (body::jsonb -> 'data' -> 'item' ->> 'id')::bigint = $1 order by id`,
    [id],
  );
const entriesOf = (id: number) =>
  app.database.asOwner<{ action: string; actor_name: string; after: object }>(
    "select action, actor_name, after from audit_entries where subject_id = $1 order by id",
    [String(id)],
  );
const flipsOf = (id: number) =>
  app.database.asOwner<{ is_available: boolean; source: string }>(
    "select is_available, source from availability_changes where item_id = $1 order by id",
    [id],
  );
const jobsOf = (id: number) =>
  app.database.asOwner<{ start_after: Date; data: { kind: "item" | "option"; id: number; until: string } }>(
    "select start_after, data - 'restaurant_id' as data from jobs.job where name = 'end-sold-out' and (data->>'id')::bigint = $1 order by created_on, start_after",
    [id],
  );
const runJobs = async (id: number): Promise<void> => {
  for (const { data } of await jobsOf(id)) await menuTodayJobs["end-sold-out"](asSystem(app.deps, lab.id), data);
};
const api = (method: string, path: string, body?: object) => app.call(lab.token, method, path, body ? { body } : {});

test("the page lists the dishes in the order of the menus, with their states and the end of the day", async () => {
  const menu = await read();
  expect(menu).toMatchObject({ zone: "Europe/Berlin", now: "2026-11-14T12:00:00.000Z", today_ends_at: "2026-11-15T04:00:00.000Z" });
  expect(menu.dishes.slice(0, 2).map(({ name }) => name.en)).toEqual(["Plain Plate", "Sized Salad"]);
  expect((await dishNamed("Sold-Out Sole")).state).toEqual(soldOut(null));
  expect((await dishNamed("Plain Plate")).state).toEqual(AVAILABLE);
  expect(menu.categories.map(({ id }) => id)).toContain(menu.dishes[0]?.category_id);
  expect(await optionNamed("Saffron")).toMatchObject({
    group_name: { en: "Pick any" },
    state: { kind: "sold_out", until: null },
    dishes: 1,
  });
});

test("sold out today: one commit flips, logs, tells and plans the end; the job brings it back once", async () => {
  const { id } = await dishNamed("Hydrogen Fizz");
  const done = await set(staff, id, { seen: AVAILABLE, to: "today" });
  expect([done.status, done.body.data.state]).toEqual([200, soldOut("2026-11-15T04:00:00.000Z")]);
  expect((await api("GET", `/items/${id}`)).body.data.is_available).toBe(false);
  const [job] = await jobsOf(id);
  expect(job).toEqual({ start_after: new Date("2026-11-15T04:00:00Z"), data: { kind: "item", id, until: "2026-11-15T04:00:00.000Z" } });
  expect(await entriesOf(id)).toEqual([
    {
      action: "item.availability_changed",
      actor_name: "sam",
      after: { is_available: false, sold_out_until: "2026-11-15T04:00:00.000Z" },
    },
  ]);
  // Reads do not compare the end with the clock: the job alone ends it.
  app.clock.set("2026-11-15T06:00:00Z");
  expect((await dishNamed("Hydrogen Fizz")).state).toEqual(soldOut("2026-11-15T04:00:00.000Z"));
  await runJobs(id);
  await runJobs(id);
  expect((await dishNamed("Hydrogen Fizz")).state).toEqual(AVAILABLE);
  expect(await eventsOf(id)).toEqual([{ changed: ["is_available"] }, { changed: ["is_available"] }]);
  expect(await flipsOf(id)).toEqual([
    { is_available: false, source: "console" },
    { is_available: true, source: "console" },
  ]);
  expect((await entriesOf(id)).map(({ actor_name }) => actor_name)).toEqual(["sam", "Comanda"]);
  app.clock.set(START);
});

test.each([
  ["before 05:00 the evening still runs", "2026-11-15T03:59:00Z", "2026-11-15T04:00:00.000Z"],
  ["at 05:00 the next day of service has begun", "2026-11-15T04:00:00Z", "2026-11-16T04:00:00.000Z"],
])("the end of today, %s", async (_when, now, ends) => {
  app.clock.set(now);
  expect((await read()).today_ends_at).toBe(ends);
  app.clock.set(START);
});

test("another end replaces the first: its job does nothing, and no event is sent for the end alone", async () => {
  const { id } = await dishNamed("Helium Float");
  const first = await set(staff, id, { seen: AVAILABLE, to: "time", until: "2026-11-14T18:00:00Z" });
  expect(first.body.data.state).toEqual(soldOut("2026-11-14T18:00:00.000Z"));
  const later = await set(staff, id, { seen: first.body.data.state, to: "time", until: "2026-11-14T20:00:00Z" });
  expect(later.body.data.state).toEqual(soldOut("2026-11-14T20:00:00.000Z"));
  const [one, two] = await jobsOf(id);
  if (!one || !two) throw new Error("a job is missing");
  const run = (data: typeof one.data) => menuTodayJobs["end-sold-out"](asSystem(app.deps, lab.id), data);
  const { updated_at } = (await api("GET", `/items/${id}`)).body.data;
  await run(one.data);
  expect((await dishNamed("Helium Float")).state).toEqual(later.body.data.state);
  const said = await set(staff, id, { seen: later.body.data.state, to: "until_said" });
  expect(said.body.data.state).toEqual(soldOut(null));
  await run(two.data);
  expect((await dishNamed("Helium Float")).state).toEqual(soldOut(null));
  expect([await eventsOf(id), (await api("GET", `/items/${id}`)).body.data.updated_at]).toEqual([
    [{ changed: ["is_available"] }],
    updated_at,
  ]);
  expect((await entriesOf(id)).map(({ action }) => action)).toEqual(["item.availability_changed", "item.end_changed", "item.end_changed"]);
  expect((await set(staff, id, { seen: soldOut(null), to: "available" })).body.data.state).toEqual(AVAILABLE);
  expect(await eventsOf(id)).toHaveLength(2);
});

test("of two people one is told the present state and who made it; a repeat with the key gets its first answer", async () => {
  const { id } = await dishNamed("Lithium Lentils");
  const key = randomUUID();
  const first = await set(staff, id, { seen: AVAILABLE, to: "until_said" }, key);
  const lost = await set(colleague, id, { seen: AVAILABLE, to: "today" });
  expect([lost.status, lost.body.error.code]).toEqual([409, "state_changed"]);
  expect(lost.body.error.details).toMatchObject({ changed_by: "sam", dish: { id, state: soldOut(null) } });
  const again = await set(staff, id, { seen: AVAILABLE, to: "until_said" }, key);
  expect([again.status, again.text]).toEqual([200, first.text]);
  const same = await set(staff, id, { seen: soldOut(null), to: "until_said" });
  expect(same.status).toBe(200);
  expect(await entriesOf(id)).toHaveLength(1);
});

test("the API's true clears the end; its false on a sold-out dish changes nothing (D67)", async () => {
  const { id } = await dishNamed("Beryllium Broth");
  const { body } = await set(staff, id, { seen: AVAILABLE, to: "today" });
  await api("PUT", `/items/${id}/availability`, { is_available: false });
  expect((await dishNamed("Beryllium Broth")).state).toEqual(body.data.state);
  await api("PUT", `/items/${id}/availability`, { is_available: true });
  expect((await dishNamed("Beryllium Broth")).state).toEqual(AVAILABLE);
  await api("PUT", `/items/${id}/availability`, { is_available: false });
  await runJobs(id);
  expect((await dishNamed("Beryllium Broth")).state).toEqual(soldOut(null));
  expect(await eventsOf(id)).toHaveLength(3);
});

test("what cannot be: an end in the past or too far, a missing field, an unknown dish", async () => {
  const { id } = await dishNamed("Boron Burger");
  const fields = async (body: object) => {
    const { status, body: answer } = await set(staff, id, { seen: AVAILABLE, ...body });
    return [status, ...Object.keys(answer.error.details)];
  };
  expect(await fields({ to: "time" })).toEqual([422, "until"]);
  expect(await fields({ to: "time", until: START })).toEqual([422, "until"]);
  expect(await fields({ to: "time", until: "2027-01-14T12:00:00Z" })).toEqual([422, "until"]);
  expect(await fields({ to: "count" })).toEqual([422, "remaining"]);
  expect(await fields({ to: "count", remaining: 1000 })).toEqual([422, "remaining"]);
  expect((await set(staff, 999_999, { seen: AVAILABLE, to: "today" })).status).toBe(404);
  expect((await setOption(999_999, { seen: { kind: "available", until: null }, to: "today" })).status).toBe(404);
});

test("a modifier option: sold out today tells each dish once, and comes back by itself", async () => {
  const dishes = (await read()).dishes.filter(({ name }) => ["Optional Omelette", "Carbon Crumble"].includes(name.en ?? ""));
  const red = await optionNamed("Red");
  const group = await app.database.asOwner<{ group_id: string }>("select group_id from modifier_options where id = $1", [red.id]);
  await app.database.asOwner("insert into item_modifier_groups select $1, $2, $3, 0", [lab.id, dishes[1]?.id, group[0]?.group_id]);
  const seen = { kind: "available", until: null };
  const done = await setOption(red.id, { seen, to: "today" });
  expect([done.status, done.body.data]).toEqual([
    200,
    { ...red, dishes: 2, state: { kind: "sold_out", until: "2026-11-15T04:00:00.000Z" } },
  ]);
  for (const { id } of dishes) {
    expect(await eventsOf(id)).toEqual([{ changed: ["modifier_groups"] }]);
    const { data } = (await api("GET", `/items/${id}`)).body;
    const shown = data.modifier_groups.flatMap(({ options }: { options: { id: number; is_available: boolean }[] }) => options);
    expect(shown.find(({ id: option }: { id: number }) => option === red.id).is_available).toBe(false);
    expect(data.updated_at).toBe("2026-11-14T13:00:00+01:00");
  }
  const lost = await setOption(red.id, { seen, to: "until_said" });
  expect([lost.status, lost.body.error.details.changed_by]).toEqual([409, "sam"]);
  await runJobs(red.id);
  await runJobs(red.id);
  expect((await optionNamed("Red")).state).toEqual(seen);
  for (const { id } of dishes) expect(await eventsOf(id)).toHaveLength(2);
});

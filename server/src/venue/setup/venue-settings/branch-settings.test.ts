/** Branches, hours and closing days as managers set them, over HTTP: what is stored and refused, and what orders and bookings then do. */
import { randomUUID } from "node:crypto";
import type { VenueBranch, VenueSettingParts, WantedBranch } from "@comanda/contract/console/venue-settings.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { versionOf } from "#venue/bookings/floor/rules.ts";
import { listBranches } from "#venue/settings/service.ts";
import { applySettings } from "#venue/settings/venue-file.ts";
import { collectVenueFile, parseVenueFile } from "#venue/setup/venue-file/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { saveBranches as saveAsService } from "./service/branches.ts";

const NOW = "2026-11-20T18:00:00Z";
const TOMORROW = "2026-11-21";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let second: TestUser;
let staff: TestUser;
let begun: VenueFile;
let dish: number;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab", (file) => {
    file.restaurant.slug = "branch-lab";
    begun = file;
  });
  const user = (role: "manager" | "staff", name: string) => createUser(app, lab.slug, role, `${name}@${lab.slug}.example`);
  [manager, second, staff] = [await user("manager", "max"), await user("manager", "mia"), await user("staff", "sam")];
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => app.close());

beforeEach(async () => {
  app.clock.set(NOW);
  await app.database.asOwner("delete from reservation_tables where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("update reservations set status = 'cancelled' where restaurant_id = $1 and status <> 'seated'", [lab.id]);
  await app.database.asOwner("delete from audit_entries where restaurant_id = $1", [lab.id]);
  await forVenue(app.deps, lab.slug, (ctx) => applySettings(ctx, begun));
});

const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
/** Settings are put; closing and opening a day are posts. */
const write = (who: TestUser, path: string, body: object, key: string = randomUUID()) =>
  who.call(path.startsWith("/settings/") ? "PUT" : "POST", venuePath(path), { body, headers: { "idempotency-key": key } });
const settings = async (who = manager): Promise<VenueSettingParts> => (await who.call("GET", venuePath("/settings"))).body.data;
const wantedOf = ({ id: _, ...branch }: VenueBranch): WantedBranch => branch;
const wantedBranches = async (change: (branches: WantedBranch[]) => void = () => {}) => {
  const { version, value } = (await settings()).branches;
  const branches = value.map(wantedOf);
  change(branches);
  return { seen_version: version, branches };
};
const saveBranches = async (change: (branches: WantedBranch[]) => void, who = manager) =>
  write(who, "/settings/branches", await wantedBranches(change));
const first = (branches: WantedBranch[]): WantedBranch => branches[0] ?? expect.fail("no branch");
const GARDEN: WantedBranch = { key: null, name: { en: "Garden" }, is_default: false, address: null, hours: null, closing_days: [] };
const mainId = async (): Promise<number> => (await settings()).branches.value[0]?.id ?? 0;
const slots = async (date: string): Promise<string[]> =>
  (await app.call(lab.token, "GET", `/availability?date=${date}&party_size=2`)).body.data.slots.map(({ time }: { time: string }) => time);
const order = (scheduled_for: string | null) =>
  app.call(lab.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", scheduled_for, lines: [{ item_id: dish, quantity: 1 }] },
  });
const entries = () =>
  app.database.asOwner<{ action: string; actor_name: string; before: object; after: object }>(
    "select action, actor_name, before, after from audit_entries where restaurant_id = $1 and subject_kind = 'branches' order by id",
    [lab.id],
  );
const book = async (changes: object = {}) => {
  const body = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: TOMORROW, time: "19:00", ...changes };
  const made = await staff.call("POST", venuePath("/bookings"), { body, headers: { "idempotency-key": randomUUID() } });
  expect(made.status, made.text).toBe(201);
};

test("closed tomorrow: orders for that day are refused and no table is offered, until it is opened again", async () => {
  const branch_id = await mainId();
  await book();
  const noon = `${TOMORROW}T12:00:00Z`;
  expect((await order(noon)).status).toBe(201);
  const closed = await write(manager, "/closing-days", { branch_id, date: TOMORROW, reason: "burst pipe" });
  expect([closed.status, closed.body.data.bookings]).toEqual([200, 1]);
  expect(closed.body.data.branches.value[0].closing_days).toEqual([{ date: TOMORROW, reason: "burst pipe" }]);
  expect((await settings()).branches).toEqual(closed.body.data.branches);
  const refused = await order(noon);
  expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["scheduled_for"]]);
  expect(await slots(TOMORROW)).toEqual([]);
  const opened = await write(second, "/opening-days", { branch_id, date: TOMORROW });
  expect([opened.status, opened.body.data.branches.value[0].closing_days]).toEqual([200, []]);
  expect((await order(noon)).status).toBe(201);
  expect(await slots(TOMORROW)).toContain("19:00");
  expect(await entries()).toMatchObject([
    { action: "branches.closed_on", actor_name: "max", after: { branch: "main", date: TOMORROW, reason: "burst pipe" } },
    { action: "branches.opened_on", actor_name: "mia", before: { branch: "main", date: TOMORROW, reason: "burst pipe" } },
  ]);
});

test("of two who close a day at once one is told who was faster; a day that is open cannot be opened", async () => {
  const body = { branch_id: await mainId(), date: TOMORROW, reason: null };
  const answers = await Promise.all([manager, second].map((who) => write(who, "/closing-days", body)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  const [entry] = await entries();
  expect([lost.code, lost.details.changed_by]).toEqual(["state_changed", entry?.actor_name]);
  expect(lost.details.branches).toEqual((await settings()).branches);
  const open = await write(manager, "/opening-days", { branch_id: body.branch_id, date: "2026-11-29" });
  expect([open.status, open.body.error.code]).toEqual([409, "state_changed"]);
  expect(await entries()).toHaveLength(1);
});

test("422 for a closing day that is over, an unknown branch, and one of another venue", async () => {
  const branch_id = await mainId();
  const past = await write(manager, "/closing-days", { branch_id, date: "2026-11-19" });
  expect([past.status, past.body.error.details]).toEqual([422, { date: ["Lies in the past."] }]);
  const other = await app.venue("trattoria");
  const [row] = await app.database.asOwner<{ id: string }>("select min(id) as id from branches where restaurant_id = $1", [other.id]);
  for (const id of [987_654_321, Number(row?.id)])
    for (const path of ["/closing-days", "/opening-days"]) {
      const refused = await write(manager, path, { branch_id: id, date: TOMORROW });
      expect([refused.status, refused.body.error.details]).toEqual([422, { branch_id: ["There is no such branch."] }]);
    }
});

test("weekly hours are obeyed by the next order and the next look for a table", async () => {
  const saved = await saveBranches((branches) => {
    first(branches).hours = [{ days: ["sat"], from: "18:00", to: "22:00" }];
  });
  expect(saved.status, saved.text).toBe(200);
  expect(await slots("2026-11-22")).toEqual([]);
  expect((await slots(TOMORROW))[0]).toBe("18:00");
  expect((await order(`${TOMORROW}T12:00:00Z`)).status).toBe(422);
  expect((await order(`${TOMORROW}T19:00:00Z`)).status).toBe(201);
  const [entry] = await entries();
  expect(entry).toMatchObject({ action: "branches.changed", before: { branches: [{ key: "main", hours: null }] } });
  expect(entry?.after).toMatchObject({ branches: [{ key: "main", hours: [{ days: ["sat"], from: "18:00", to: "22:00" }] }] });
});

test("branches come, change places and become the default with one save; ids stay", async () => {
  const before = (await settings()).branches.value;
  const saved = await saveBranches((branches) => {
    branches.reverse();
    for (const branch of branches) branch.is_default = branch.key === "annex";
    branches.push({ ...GARDEN }, { ...GARDEN, key: "roof", name: { en: "Roof" }, closing_days: [{ date: "2027-01-01", reason: null }] });
  });
  expect(saved.status, saved.text).toBe(200);
  const after: VenueBranch[] = saved.body.data.value;
  expect(after.map(({ key, is_default }) => [key, is_default])).toEqual([
    ["annex", true],
    ["main", false],
    [expect.stringMatching(/^branch-/), false],
    ["roof", false],
  ]);
  expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id).reverse());
  const { branches } = (await manager.call("GET", venuePath("/floor"))).body.data;
  expect(branches.map(({ name }: { name: { en: string } }) => name.en)).toEqual(["Annex", "Main bench", "Garden", "Roof"]);
  const placed = await order(null);
  expect(placed.body.data.branch_id).toBe(after[0]?.id);
});

test("a save that changes nothing records nothing, and the same key answers as before", async () => {
  const same = await saveBranches(() => {});
  expect([same.status, await entries()]).toEqual([200, []]);
  const [key, body] = [randomUUID(), await wantedBranches((branches) => branches.push(GARDEN))];
  const [one, again] = [await write(manager, "/settings/branches", body, key), await write(manager, "/settings/branches", body, key)];
  expect([again.status, again.body]).toEqual([one.status, one.body]);
  expect(await entries()).toHaveLength(1);
});

test("a changed branch reaches pages of settings and pages of bookings", async () => {
  const { position } = (await staff.call("GET", venuePath("/bookings"))).body.data;
  await saveBranches((branches) => branches.push(GARDEN));
  const areas = await app.database.asOwner<{ area: string }>(
    "select area from changes where restaurant_id = $1 and number = (select max(number) from changes where restaurant_id = $1) order by area",
    [lab.id],
  );
  expect(areas.map(({ area }) => area)).toEqual(["reservations", "settings"]);
  const delta = (await staff.call("GET", venuePath(`/bookings?after=${position}`))).body.data;
  expect([delta.is_whole, delta.branches.length]).toEqual([false, 3]);
});

test("422 names every fault at its branch, and stores nothing", async () => {
  const before = await settings();
  const wrong = await saveBranches((branches) => {
    for (const branch of branches) branch.is_default = true;
    branches.push({ ...GARDEN, key: "main", closing_days: [TOMORROW, TOMORROW].map((date) => ({ date, reason: null })) });
  });
  expect([wrong.status, wrong.body.error.details]).toEqual([
    422,
    {
      branches: ["Exactly one branch is the default.", "main occurs twice."],
      "branches.2.closing_days": [`${TOMORROW} occurs twice.`],
    },
  ]);
  const bounds = await saveBranches((branches) => {
    Object.assign(first(branches), { name: {}, hours: [{ days: [], from: "25:00", to: "24:00" }] });
    branches.push({ ...GARDEN, key: "No key", closing_days: [{ date: "2026-02-30", reason: "" }] });
  });
  expect([bounds.status, Object.keys(bounds.body.error.details).sort()]).toEqual([
    422,
    [
      "branches.0.hours.0.days",
      "branches.0.hours.0.from",
      "branches.0.name",
      "branches.2.closing_days.0.date",
      "branches.2.closing_days.0.reason",
      "branches.2.key",
    ],
  ]);
  expect(await settings()).toEqual(before);
});

test("a branch is not removed while it is the default or has bookings to come; its tables go with it", async () => {
  const { tables } = (await manager.call("GET", venuePath("/floor"))).body.data;
  const annexTable = tables.find(({ key }: { key: string }) => key === "a1").id;
  await book({ table_ids: [annexTable] });
  const none = await saveBranches((branches) => {
    branches.splice(0, 2, { ...GARDEN, is_default: true });
  });
  expect([none.status, none.body.error.details]).toEqual([
    422,
    {
      "removed.main": ["The default branch cannot be removed. Make another one the default first."],
      "removed.annex": ["The branch has 1 booking to come."],
    },
  ]);
  app.clock.set("2026-11-25T12:00:00Z");
  const removed = await saveBranches((branches) => {
    branches.pop();
  });
  expect([removed.status, removed.body.data.value.map(({ key }: VenueBranch) => key)]).toEqual([200, ["main"]]);
  const floor = (await manager.call("GET", venuePath("/floor"))).body.data;
  expect(floor.tables.map(({ key }: { key: string }) => key)).toEqual(["l1", "l2", "l3"]);
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  expect(parseVenueFile(JSON.stringify(file))).toEqual(file);
});

test("of two managers who save at once one is stored, and the other gets 409 with the state and the name", async () => {
  const wanted = await wantedBranches((branches) => branches.push(GARDEN));
  const answers = await Promise.all([manager, second].map((who) => write(who, "/settings/branches", wanted)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  const [entry] = await entries();
  expect(lost.details).toMatchObject({ branches: (await settings()).branches, changed_by: entry?.actor_name });
  expect(await entries()).toHaveLength(1);
});

test("a closing day waits for bookings that are decided at that moment", async () => {
  const body = { branch_id: await mainId(), date: TOMORROW, reason: null };
  const other = new pg.Client({ connectionString: app.database.ownerUrl });
  await other.connect();
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [`booking ${lab.id} tables`]);
  const closing = write(manager, "/closing-days", body);
  await expect
    .poll(
      async () =>
        (await app.database.asOwner("select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted")).length,
    )
    .toBe(1);
  await other.query("commit");
  await other.end();
  expect((await closing).status).toBe(200);
});

test("file, change in the console, export and import are equal", async () => {
  await saveBranches((branches) => {
    Object.assign(first(branches), {
      name: { en: "Bench", it: "Banco" },
      address: "3 Test Street",
      hours: [{ days: ["fri", "sat"], from: "18:00", to: "02:00" }],
      closing_days: ["2026-12-26", "2026-12-25"].map((date) => ({ date, reason: "holiday" })),
    });
    branches.push({ ...GARDEN, key: "garden", hours: [] });
  });
  const shown = (await settings()).branches;
  const exported = await forVenue(app.deps, lab.slug, collectVenueFile);
  expect(exported.branches).toEqual(shown.value.map(wantedOf));
  expect(exported.branches[0]?.closing_days.map(({ date }) => date)).toEqual(["2026-12-25", "2026-12-26"]);
  await importVenue(app.deps, parseVenueFile(JSON.stringify(exported)));
  expect(await forVenue(app.deps, lab.slug, collectVenueFile)).toEqual(exported);
  expect((await settings()).branches).toEqual(shown);
});

test("in a sandbox, whose rows have fixed ids, branches change places and a new one comes", async () => {
  await createSandbox(app.deps, lab.slug, 1_000_000);
  const saved = await inSandbox(app.deps, lab.slug, async (ctx) => {
    const before = await listBranches(ctx);
    const branches = [{ ...GARDEN }, ...before.map(wantedOf).reverse()];
    const { value } = await saveAsService(ctx, { seen_version: versionOf(before), branches });
    return { before, value };
  });
  expect(saved.value.slice(1)).toEqual(saved.before.toReversed());
  expect(saved.before.map(({ id }) => id)).not.toContain(saved.value[0]?.id);
});

test("staff may neither read nor save; a manager of another venue finds nothing", async () => {
  const outsider = await createUser(app, (await app.venue("lab")).slug, "manager", `eve@${lab.slug}.example`);
  const [wanted, day] = [await wantedBranches(), { branch_id: await mainId(), date: TOMORROW, reason: null }];
  for (const [who, status] of [
    [staff, 403],
    [outsider, 404],
  ] as const) {
    expect((await who.call("GET", venuePath("/settings"))).status).toBe(status);
    expect((await write(who, "/settings/branches", wanted)).status).toBe(status);
    for (const path of ["/closing-days", "/opening-days"]) expect((await write(who, path, day)).status).toBe(status);
  }
});

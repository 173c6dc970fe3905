/** Shifts: planned by managers without overlaps, copied, and kept or removed when their person leaves. */
import { randomUUID } from "node:crypto";
import type { PlannedShift, WeekCopy } from "@comanda/contract/console/shifts.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { type ShiftTools, shiftTools, type TestMember } from "../../../test/support/shifts.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../admin/sandbox.ts";
import { purgeExpired } from "../../compose/retention.ts";
import { resetSandbox } from "../sandbox/service.ts";
import { readWeek } from "./service/weeks.ts";

/** Mondays. The clock stands on Saturday, 14 November 2026. */
const [WEEK, NEXT, THIRD] = ["2026-11-16", "2026-11-23", "2026-11-30"] as const;

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let manager: TestUser;
let shifts: ShiftTools;
let ada: TestMember;
let ben: TestMember;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", ({ restaurant }) => {
    restaurant.zone = "Europe/Rome";
  });
  owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  shifts = await shiftTools(app, lab, manager);
  ada = await shifts.person("Ada");
  ben = await shifts.person("Ben");
});
afterAll(() => app.close());

test("a shift has the times of the venue's clock, over midnight too, and its week shows it as new", async () => {
  const day = await shifts.add(ada.id, WEEK, { from: "17:00", to: "23:30", role: "Waiter", note: "Keys" });
  const night = await shifts.add(ada.id, "2026-11-22", { from: "20:00", to: "02:00" });
  expect(day).toMatchObject({
    state: "draft",
    version: 1,
    date: WEEK,
    from: "17:00",
    to: "23:30",
    role: "Waiter",
    note: "Keys",
    published: null,
  });
  expect(Date.parse(night.ends_at) - Date.parse(night.starts_at)).toBe(6 * 3_600_000);
  const week = await shifts.week(WEEK);
  expect([week.week_start, week.week_end, week.changes]).toEqual([WEEK, "2026-11-22", 2]);
  expect(week.shifts.map(({ id }) => id)).toEqual([day.id, night.id]);
  // Any day of the week names it, and the last night belongs to the week in which it began.
  expect((await shifts.week("2026-11-19")).version).toBe(week.version);
  expect((await shifts.week(NEXT)).shifts).toEqual([]);
  expect(week.people.filter(({ has_accepted }) => has_accepted).map(({ name }) => name)).toEqual(["ada", "ben", "max", "olga"]);
});

test("422 a person has one shift at a time at all branches; one that begins when another ends is stored", async () => {
  const monday = { from: "09:00", to: "12:00" };
  await shifts.add(ben.id, WEEK, monday);
  for (const branch of [shifts.branchId, shifts.otherBranchId]) {
    const refused = await shifts.tryAdd(ben.id, WEEK, { from: "11:59", to: "15:00" }, branch);
    expect([refused.status, refused.body.error.details]).toEqual([422, { "shift.from": ["The person has another shift at this time."] }]);
  }
  const after = await shifts.add(ben.id, WEEK, { from: "12:00", to: "15:00" }, shifts.otherBranchId);
  expect((await shifts.week(WEEK)).other_shifts).toMatchObject([{ id: after.id, staff_id: ben.id, branch_id: shifts.otherBranchId }]);
  const moved = await shifts.send("PUT", `/shifts/${after.id}`, {
    seen_version: after.version,
    shift: { staff_id: ben.id, date: WEEK, from: "11:00", to: "13:00", role: null, note: null },
  });
  expect([moved.status, Object.keys(moved.body.error.details)]).toEqual([422, ["shift.from"]]);
});

test("planted: without the constraint, the same overlap is stored", async () => {
  const [{ definition } = { definition: "" }] = await app.database.asOwner<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'shifts_one_place'",
  );
  await app.database.asOwner("alter table shifts drop constraint shifts_one_place");
  const { status, body } = await shifts.tryAdd(ben.id, WEEK, { from: "11:00", to: "15:00" });
  expect(status).toBe(201);
  await app.database.asOwner("delete from shifts where id = $1", [body.data.id]);
  await app.database.asOwner(`alter table shifts add constraint shifts_one_place ${definition}`);
});

test("422 what is no shift: unknown person, branch or time, a day of another week, a year too far", async () => {
  const refusals = [
    [await shifts.tryAdd(1, WEEK), "shift.staff_id"],
    [await shifts.tryAdd(ada.id, WEEK, {}, 1), "branch_id"],
    [await shifts.tryAdd(ada.id, WEEK, { from: "25:00" }), "shift.from"],
    [await shifts.tryAdd(ada.id, "2028-11-16"), "shift.date"],
    [await shifts.tryAdd(ada.id, "2024-11-16"), "shift.date"],
    [await shifts.tryAdd(ada.id, "2026-02-30"), "shift.date"],
    [await shifts.tryAdd(ada.id, WEEK, { role: "x".repeat(61) }), "shift.role"],
  ] as const;
  for (const [{ status, body }, field] of refusals) expect([status, Object.keys(body.error.details)]).toEqual([422, [field]]);
  const shift = await shifts.add(ada.id, "2026-11-18");
  const moved = await shifts.send("PUT", `/shifts/${shift.id}`, {
    seen_version: 1,
    shift: { staff_id: ada.id, date: NEXT, from: "10:00", to: "18:00", role: null, note: null },
  });
  expect([moved.status, Object.keys(moved.body.error.details)]).toEqual([422, ["shift.date"]]);
  // On the last Sunday of March the clocks of Rome skip from two to three.
  const skipped = await shifts.tryAdd(ada.id, "2027-03-28", { from: "02:30", to: "03:00" });
  expect([skipped.status, Object.keys(skipped.body.error.details)]).toEqual([422, ["shift.to"]]);
  // A night in autumn is an hour longer.
  const long = await shifts.add(ada.id, "2026-10-24", { from: "22:00", to: "06:00" });
  expect(Date.parse(long.ends_at) - Date.parse(long.starts_at)).toBe(9 * 3_600_000);
  expect((await shifts.tryAdd(ben.id, "2026-10-25", { from: "00:00", to: "00:00" })).body.error.details).toEqual({
    "shift.to": ["A shift lasts 24 hours at most."],
  });
});

test("409 of two people who change a shift, the second gets the name of the first; the same answer for a repeated key", async () => {
  const shift = await shifts.add(ada.id, "2026-11-19");
  const { id, version, staff_id, date, from, to, role } = shift;
  const body = { seen_version: version, shift: { staff_id, date, from, to, role, note: "First" } };
  const key = randomUUID();
  const change = (who: TestUser, sent = randomUUID()) =>
    who.call("PUT", `/venues/${lab.slug}/shifts/${id}`, { body, headers: { "idempotency-key": sent } });
  const first = await change(owner, key);
  expect([first.status, first.body.data.version, first.body.data.note]).toEqual([200, 2, "First"]);
  expect((await change(owner, key)).body).toEqual(first.body);
  const second = await change(manager);
  expect([second.status, second.body.error.details]).toMatchObject([409, { changed_by: "olga", shift: { id, version: 2, note: "First" } }]);
  const removal = await shifts.send("DELETE", `/shifts/${id}`, { seen_version: 1 });
  expect([removal.status, removal.body.error.details.changed_by]).toEqual([409, "olga"]);
  expect((await shifts.send("PUT", "/shifts/1", { seen_version: 1, shift: {} })).status).toBe(404);
});

test("a removed shift can be put back, unless its person has another one by now", async () => {
  const shift = await shifts.add(ada.id, "2026-11-20");
  const removed = await shifts.remove(shift);
  expect((await shifts.week(WEEK)).shifts.some(({ id }) => id === shift.id)).toBe(false);
  const back = (await shifts.done("POST", `/shifts/${shift.id}/restoration`, { seen_version: removed.version })) as PlannedShift;
  expect(back).toMatchObject({ id: shift.id, state: "draft", from: "10:00" });
  const again = await shifts.remove(back);
  await shifts.add(ada.id, "2026-11-20", { from: "12:00", to: "13:00" });
  const refused = await shifts.send("POST", `/shifts/${shift.id}/restoration`, { seen_version: again.version });
  expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["shift.from"]]);
  const log = await app.database.asOwner<{ action: string }>(
    "select action from audit_entries where subject_kind = 'shift' and subject_id = $1 order by id",
    [String(shift.id)],
  );
  expect(log.map(({ action }) => action)).toEqual(["shift.created", "shift.removed", "shift.restored", "shift.removed"]);
});

test("a copy puts the shifts of a week into another one as drafts; what overlaps is skipped and named; 422 for the same week, or a day that begins none", async () => {
  const before = (await shifts.week(WEEK)).shifts;
  await shifts.add(ada.id, NEXT, { from: "16:00", to: "18:00" });
  const copied: WeekCopy = await shifts.done("POST", "/shift-weeks/copies", {
    branch_id: shifts.branchId,
    from_week: WEEK,
    to_week: NEXT,
  });
  expect(copied).toEqual({
    copied: before.length - 1,
    skipped: [
      { shift_id: before.find(({ from }) => from === "17:00")?.id, staff_name: "ada", date: WEEK, from: "17:00", reason: "overlap" },
    ],
  });
  const after = (await shifts.week(NEXT)).shifts;
  expect(after).toHaveLength(before.length);
  expect(after.every(({ state }) => state === "draft")).toBe(true);
  expect(after.at(-1)).toMatchObject({ date: "2026-11-29", from: "20:00", to: "02:00" });
  // A second copy finds every place taken.
  const twice: WeekCopy = await shifts.done("POST", "/shift-weeks/copies", { branch_id: shifts.branchId, from_week: WEEK, to_week: NEXT });
  expect([twice.copied, twice.skipped.length]).toEqual([0, before.length]);
  for (const [weeks, field] of [
    [{ from_week: WEEK, to_week: WEEK }, "to_week"],
    [{ from_week: WEEK, to_week: "2026-11-24" }, "to_week"],
    [{ from_week: "2026-11-17", to_week: NEXT }, "from_week"],
  ] as const) {
    const { status, body } = await shifts.send("POST", "/shift-weeks/copies", { branch_id: shifts.branchId, ...weeks });
    expect([status, Object.keys(body.error.details)]).toEqual([422, [field]]);
  }
});

test("a copy keeps the times of the clock where the clocks change", async () => {
  const { copied } = (await shifts.done("POST", "/shift-weeks/copies", {
    branch_id: shifts.branchId,
    from_week: "2026-10-19",
    to_week: THIRD,
  })) as WeekCopy;
  expect(copied).toBe(1);
  const [shift] = (await shifts.week(THIRD)).shifts;
  expect(shift).toMatchObject({ date: "2026-12-05", from: "22:00", to: "06:00" });
  expect(Date.parse(shift?.ends_at ?? "") - Date.parse(shift?.starts_at ?? "")).toBe(8 * 3_600_000);
});

test("422 at most 500 shifts of a branch in a week, whether added or copied: all or nothing", async () => {
  const [from, to] = ["2027-01-04", "2027-01-11"];
  const fill = (date: string, count: number) =>
    app.database.asOwner(
      `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at)
       select $1, $2, 900000 + n, 'Ada', $3::timestamptz + interval '9 hours', $3::timestamptz + interval '17 hours', 'Max', now() from generate_series(1, $4::integer) n`,
      [lab.id, shifts.branchId, `${date}T00:00:00Z`, count],
    );
  await fill(from, 499);
  const last = await shifts.add(ada.id, from);
  const more = await shifts.tryAdd(ben.id, from);
  expect([more.status, Object.keys(more.body.error.details)]).toEqual([422, ["shift"]]);
  await fill(to, 500);
  const copy = await shifts.send("POST", "/shift-weeks/copies", { branch_id: shifts.branchId, from_week: from, to_week: to });
  expect([copy.status, Object.keys(copy.body.error.details)]).toEqual([422, ["shift"]]);
  expect((await shifts.week(to)).shifts).toHaveLength(500);
  await app.database.asOwner("delete from shifts where staff_id > 900000 or id = $1", [last.id]);
});

test("conflicts are marked and not refused: a closed day, a short rest, and what is still published at another branch", async () => {
  await app.database.asOwner("insert into closing_days (restaurant_id, branch_id, date) values ($1, $2, '2026-12-09')", [
    lab.id,
    shifts.branchId,
  ]);
  const late = await shifts.add(ada.id, "2026-12-07", { from: "16:00", to: "23:00" });
  const early = await shifts.add(ada.id, "2026-12-08", { from: "08:00", to: "12:00" });
  const split = await shifts.add(ada.id, "2026-12-08", { from: "15:00", to: "20:00" });
  const closed = await shifts.add(ada.id, "2026-12-09", { from: "12:00", to: "14:00" });
  const away = await shifts.add(ben.id, "2026-12-10", {}, shifts.otherBranchId);
  await shifts.publish("2026-12-07", shifts.otherBranchId);
  await shifts.change(away, { date: "2026-12-11" });
  const here = await shifts.add(ben.id, "2026-12-10", { from: "12:00", to: "14:00" });
  const { conflicts, days } = await shifts.week("2026-12-07");
  expect(conflicts.toSorted((a, b) => a.shift_id - b.shift_id)).toEqual([
    { shift_id: early.id, kind: "short_rest" },
    { shift_id: closed.id, kind: "closed" },
    { shift_id: here.id, kind: "published_at_other_branch" },
  ]);
  expect(days.filter(({ is_closed }) => is_closed).map(({ date }) => date)).toContain("2026-12-09");
  expect([late, split].map(({ state }) => state)).toEqual(["draft", "draft"]);
});

test("a removed branch is shown while it has shifts, and takes no more", async () => {
  const file = { key: "pop-up", name: { en: "Pop-up" }, is_default: false };
  const settings = (await owner.call("GET", `/venues/${lab.slug}/settings`)).body.data;
  const plain = settings.branches.value.map(({ id: _, ...branch }: { id: number }) => branch);
  const saved = await shifts.done("PUT", "/settings/branches", {
    seen_version: settings.branches.version,
    branches: [...plain, { ...file, address: null, hours: null, closing_days: [] }],
  });
  const popUp = saved.value.find(({ key }: { key: string }) => key === "pop-up").id;
  const shift = await shifts.add(ben.id, "2026-12-15", {}, popUp);
  await shifts.done("PUT", "/settings/branches", { seen_version: saved.version, branches: plain });
  expect((await shifts.week("2026-12-14", popUp)).branches).toContainEqual({ id: popUp, name: { en: "Pop-up" }, is_removed: true });
  expect((await shifts.tryAdd(ada.id, "2026-12-15", {}, popUp)).status).toBe(422);
  await shifts.remove(shift);
  expect((await shifts.send("GET", `/shifts?week_start=2026-12-14&branch=${popUp}`)).status).toBe(404);
});

test("who leaves the team keeps past shifts; those to come are removed, and published ones are a change to publish", async () => {
  const annex = shifts.otherBranchId;
  const carl = await shifts.person("Carl");
  app.clock.set("2026-11-24T12:00:00Z");
  const past = await shifts.add(carl.id, NEXT, {}, annex);
  const running = await shifts.add(carl.id, "2026-11-24", {}, annex);
  const published = await shifts.add(carl.id, "2026-11-25", {}, annex);
  await shifts.publish(NEXT, annex);
  await shifts.add(carl.id, "2026-11-26", {}, annex);
  const member = async () =>
    (await owner.call("GET", `/venues/${lab.slug}/team`)).body.data.members.find(({ id }: { id: number }) => id === carl.id);
  expect(await member()).toMatchObject({ shifts: 2 });
  const mails = (await shifts.mails()).length;
  const removed = await owner.act("DELETE", `/venues/${lab.slug}/team/${carl.id}`, {
    body: { seen_role: "staff", screens: "end", tokens: "end" },
  });
  expect(removed.status, removed.text).toBe(200);
  const week = await shifts.week(NEXT, annex);
  expect(week.people.find(({ id }) => id === carl.id)).toEqual({ id: carl.id, name: "carl", has_accepted: false, has_left: true });
  expect(week.shifts.map(({ id, state }) => [id, state])).toEqual([
    [past.id, "published"],
    [running.id, "published"],
    [published.id, "removed"],
  ]);
  expect(week.changes).toBe(1);
  expect((await shifts.tryAdd(carl.id, "2026-11-27", {}, annex)).status).toBe(422);
  const copy: WeekCopy = await shifts.done("POST", "/shift-weeks/copies", { branch_id: annex, from_week: NEXT, to_week: THIRD });
  expect([copy.copied, copy.skipped.map(({ reason }) => reason)]).toEqual([0, ["left", "left"]]);
  expect(await shifts.publish(NEXT, annex)).toMatchObject({ changes: 1, mailed: 0, not_mailed: [] });
  expect(await shifts.mails()).toHaveLength(mails);
  expect((await shifts.events()).at(-1)?.shifts.map(({ id }) => id)).toEqual([past.id, running.id]);
  app.clock.set("2026-11-14T12:00:00Z");
});

test("old shifts are removed after 400 days", async () => {
  const count = async () => (await app.database.asOwner<{ count: number }>("select count(*)::integer as count from shifts"))[0]?.count;
  const before = await count();
  await app.database.asOwner(
    `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at)
     select $1, $2, n, 'Ada', $3::timestamptz - n * interval '399 days' - interval '8 hours', $3::timestamptz - n * interval '399 days', 'Max', $3
     from generate_series(1, 3) n`,
    [lab.id, shifts.branchId, app.clock.now()],
  );
  await purgeExpired(app.deps);
  expect(await count()).toBe(Number(before) + 1);
});

test("a sandbox has a few shifts that are not published, and a reset restores them for its new day", async () => {
  await createSandbox(app.deps, lab.slug, null);
  const read = (day: string) => inSandbox(app.deps, lab.slug, (ctx) => readWeek(ctx, { week_start: day }));
  const shown = async (day: string) => (await read(day)).shifts.map(({ date, from, to, state }) => ({ date, from, to, state }));
  // The day of the sandbox is Saturday: Monday belongs to the next week.
  const before = await shown("2026-11-14");
  expect(before).toHaveLength(4);
  expect(before[1]).toEqual({ date: "2026-11-14", from: "16:00", to: "00:30", state: "draft" });
  await app.database.asOwner("update shifts set note = 'x' where staff_name = 'Ines Cook'");
  await inSandbox(app.deps, lab.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  expect(await shown("2026-11-14")).toEqual(before);
  expect((await read("2026-11-14")).shifts.every(({ note }) => note === null)).toBe(true);
  app.clock.set("2026-11-17T12:00:00Z");
  await inSandbox(app.deps, lab.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  expect((await shown("2026-11-17")).map(({ date }) => date)).toEqual([
    "2026-11-17",
    "2026-11-17",
    "2026-11-18",
    "2026-11-18",
    "2026-11-19",
  ]);
  app.clock.set("2026-11-14T12:00:00Z");
});

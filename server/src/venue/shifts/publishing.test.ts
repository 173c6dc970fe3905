/** A published week: one event, a mail to each person whose shifts changed, and people see their own. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../test/support/fault-injection.ts";
import { type ShiftTools, shiftTools, type TestMember } from "../../../test/support/shifts.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

const [WEEK, NEXT] = ["2026-11-16", "2026-11-23"] as const;
const day = (place: number): string => `2026-11-${16 + place}`;

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let shifts: ShiftTools;
let [ada, ben, cleo]: TestMember[] = [];

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", ({ restaurant }) => {
    restaurant.zone = "Europe/Rome";
  });
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  shifts = await shiftTools(app, lab, manager);
  [ada, ben, cleo] = [await shifts.person("Ada"), await shifts.person("Ben"), await shifts.person("Cleo")];
});
afterAll(() => app.close());

const idOf = (person: TestMember | undefined): number => person?.id ?? 0;
const ownOf = async (person: TestMember | undefined) =>
  (await (person as TestMember).user.call("GET", `/venues/${lab.slug}/own-shifts`)).body.data.shifts;

test("D172 R6.2-13 14 changes of three people are one event and three mails; publishing again is none", async () => {
  for (let place = 0; place < 5; place++) {
    await shifts.add(idOf(ada), day(place), { role: "Waiter" });
    await shifts.add(idOf(ben), day(place), { from: "18:00", to: "01:00", note: "Close the shutters" });
  }
  for (let place = 0; place < 4; place++) await shifts.add(idOf(cleo), day(place), { from: "06:00", to: "09:30" });
  expect((await shifts.week(WEEK)).changes).toBe(14);
  expect([await ownOf(ada), await shifts.events(), await shifts.mails()]).toEqual([[], [], []]);
  expect(await shifts.publish(WEEK)).toMatchObject({ changes: 14, mailed: 3, not_mailed: [] });
  const [event, ...more] = await shifts.events();
  expect(more).toEqual([]);
  expect(event).toMatchObject({ branch_id: shifts.branchId, week_start: WEEK, week_end: "2026-11-22" });
  expect(event?.shifts).toHaveLength(14);
  expect(event?.shifts[1]).toEqual({
    id: expect.any(Number),
    staff: { id: idOf(ada), name: "ada" },
    role: "Waiter",
    starts_at: "2026-11-16T10:00:00+01:00",
    ends_at: "2026-11-16T18:00:00+01:00",
  });
  const mails = await shifts.mails();
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(["ada@lab.example", "ben@lab.example", "cleo@lab.example"]);
  const toBen = mails.find(({ recipient }) => recipient === "ben@lab.example");
  expect(toBen?.body).toMatch(/Mon,? 16 Nov, 18:00–01:00\n {2}Close the shutters\nTue,? 17 Nov, 18:00–01:00/);
  expect(toBen?.body).not.toContain("Waiter");
  const again = await shifts.publish(WEEK);
  expect(again).toMatchObject({ changes: 0, mailed: 0, not_mailed: [] });
  expect([await shifts.events(), await shifts.mails()].map((all) => all.length)).toEqual([1, 3]);
  expect((await shifts.week(WEEK)).shifts.every(({ state, published }) => state === "published" && published === null)).toBe(true);
});

test("a mail goes to those whose shifts changed, who had a shift and who has it now, and to no others", async () => {
  const { shifts: planned } = await shifts.week(WEEK);
  const [ofAda, ofBen] = [ada, ben].map((person) => planned.find(({ staff_id }) => staff_id === idOf(person)));
  if (!ofAda || !ofBen) throw new Error("The week has no shifts");
  // Ben's shift goes to Cleo; a change of Ada's is taken back before it is published.
  const given = await shifts.change(ofBen, { staff_id: idOf(cleo) });
  const touched = await shifts.change(ofAda, { to: "19:00" });
  await shifts.change(touched, { to: "18:00" });
  expect(given).toMatchObject({ state: "changed", staff_id: idOf(cleo), published: { staff_id: idOf(ben), from: "18:00" } });
  expect((await shifts.week(WEEK)).changes).toBe(1);
  // Until it is published, both see what was published before.
  expect([await ownOf(ben), await ownOf(cleo)].map((own) => own.length)).toEqual([5, 4]);
  const before = (await shifts.mails()).length;
  expect(await shifts.publish(WEEK)).toMatchObject({ changes: 1, mailed: 2 });
  expect(
    (await shifts.mails())
      .slice(before)
      .map(({ recipient }) => recipient)
      .toSorted(),
  ).toEqual(["ben@lab.example", "cleo@lab.example"]);
  expect([await ownOf(ben), await ownOf(cleo)].map((own) => own.length)).toEqual([4, 5]);
  expect(await shifts.events()).toHaveLength(2);
});

test("a removal is mailed with the next publication, and the mail to a person without shifts left says so", async () => {
  for (const shift of (await shifts.week(WEEK)).shifts.filter(({ staff_id }) => staff_id === idOf(cleo))) await shifts.remove(shift);
  const { changes, shifts: shown } = await shifts.week(WEEK);
  expect([changes, shown.filter(({ state }) => state === "removed").length]).toEqual([5, 5]);
  expect(await ownOf(cleo)).toHaveLength(5);
  await shifts.publish(WEEK);
  expect(await ownOf(cleo)).toEqual([]);
  expect((await shifts.mails()).at(-1)).toMatchObject({
    recipient: "cleo@lab.example",
    body: expect.stringContaining("you have no shifts at"),
  });
  expect((await shifts.week(WEEK)).shifts.some(({ state }) => state === "removed")).toBe(false);
  expect((await shifts.events()).at(-1)?.shifts).toHaveLength(9);
});

test("409 a week that changed since it was read is not published, and the answer names who changed it; one key publishes once", async () => {
  const owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  await shifts.add(idOf(ada), NEXT);
  const { version, branch_id } = await shifts.week(NEXT);
  app.clock.advance(1000);
  const added = await owner.call("POST", `/venues/${lab.slug}/shifts`, {
    body: { branch_id, shift: { staff_id: idOf(ben), date: NEXT, from: "10:00", to: "12:00", role: null, note: null } },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(added.status, added.text).toBe(201);
  const stale = await shifts.send("POST", "/shift-weeks/publications", { branch_id, week_start: NEXT, seen_version: version });
  expect([stale.status, stale.body.error.details.changed_by]).toEqual([409, "olga"]);
  expect(await shifts.events()).toHaveLength(3);
  // One key publishes once, however often it is sent.
  const key = randomUUID();
  const body = { branch_id, week_start: NEXT, seen_version: (await shifts.week(NEXT)).version };
  const send = () => manager.call("POST", `/venues/${lab.slug}/shift-weeks/publications`, { body, headers: { "idempotency-key": key } });
  const first = await send();
  expect(first.body.data).toMatchObject({ changes: 2, mailed: 2 });
  expect((await send()).body).toEqual(first.body);
  expect(await shifts.events()).toHaveLength(4);
});

test("a person who has not accepted the invitation gets no mail, and is named; a mail is in its person's language", async () => {
  await app.database.asOwner("update users set locale = 'ar' where email = 'ada@lab.example'");
  await app.database.asOwner(
    "insert into staff (restaurant_id, email, name, role, created_at) values ($1, 'new@lab.example', 'Newcomer', 'staff', now())",
    [lab.id],
  );
  const { people } = await shifts.week("2026-12-28");
  const newcomer = people.find(({ name }) => name === "Newcomer");
  expect(newcomer).toMatchObject({ has_accepted: false });
  await shifts.add(newcomer?.id ?? 0, "2026-12-28");
  await shifts.add(idOf(ada), "2026-12-28");
  const before = (await shifts.mails()).length;
  expect(await shifts.publish("2026-12-28")).toMatchObject({ changes: 2, mailed: 1, not_mailed: ["Newcomer"] });
  const mails = (await shifts.mails()).slice(before);
  expect(mails.map(({ recipient, language, state }) => [recipient, language, state])).toEqual([["ada@lab.example", "ar", "queued"]]);
  expect(mails[0]?.body).toContain("هذه مناوباتكم");
  const jobs = await app.database.asOwner("select from jobs.job where name = 'send-message'");
  expect(jobs.length).toBe((await shifts.mails()).length);
});

test("staff see their own published shifts and nothing else; a running one is still there, one in five weeks is not", async () => {
  const { user } = ada as TestMember;
  for (const path of ["/shifts", "/shifts?week_start=2026-11-16"])
    expect((await user.call("GET", `/venues/${lab.slug}${path}`)).status).toBe(403);
  for (const [method, path, body] of [
    [
      "POST",
      "/shifts",
      { branch_id: shifts.branchId, shift: { staff_id: idOf(ada), date: WEEK, from: "10:00", to: "12:00", role: null, note: null } },
    ],
    ["POST", "/shift-weeks/publications", { branch_id: shifts.branchId, week_start: WEEK, seen_version: "x" }],
    ["PUT", "/shift-rules", { seen: { first_weekday: "monday" }, rules: { first_weekday: "sunday" } }],
  ] as const)
    expect((await shifts.send(method, path, body, user)).status).toBe(403);
  const own = await ownOf(ada);
  expect(own.map(({ date }: { date: string }) => date)).toEqual([...[0, 1, 2, 3, 4].map(day), NEXT]);
  expect(JSON.stringify(own)).not.toContain("Close the shutters");
  app.clock.set("2026-11-16T16:30:00Z");
  expect((await ownOf(ada))[0]).toMatchObject({ date: WEEK, from: "10:00", to: "18:00", role: "Waiter" });
  app.clock.set("2026-11-16T17:00:00Z");
  expect((await ownOf(ada))[0]).toMatchObject({ date: day(1) });
  app.clock.set("2026-11-29T12:00:00Z");
  expect(await ownOf(ada)).toEqual([]);
  app.clock.set("2026-11-30T12:00:00Z");
  expect((await ownOf(ada)).map(({ date }: { date: string }) => date)).toEqual(["2026-12-28"]);
  app.clock.set("2026-11-14T12:00:00Z");
  // A manager's own page shows the manager's own shifts.
  expect((await manager.call("GET", `/venues/${lab.slug}/own-shifts`)).body.data.shifts).toEqual([]);
});

test("500 a publication whose event cannot be stored leaves the change unpublished and queues no mail", async () => {
  let isPlanted = false;
  const faulty = await startApp({
    pool: faultInjectingPool(({ text }) =>
      isPlanted && text.includes("insert into events") ? { text: "select 1 / 0", values: [] } : null,
    ),
  });
  const venue = await faulty.venue("lab");
  const tools = await shiftTools(faulty, venue, await createUser(faulty, venue.slug, "manager", "max@lab.example"));
  const dora = await tools.person("Dora");
  await tools.add(dora.id, WEEK);
  const { version, branch_id } = await tools.week(WEEK);
  isPlanted = true;
  expect((await tools.send("POST", "/shift-weeks/publications", { branch_id, week_start: WEEK, seen_version: version })).status).toBe(500);
  isPlanted = false;
  expect([(await tools.week(WEEK)).changes, await tools.events(), await tools.mails()]).toEqual([1, [], []]);
  await faulty.close();
});

/** The weekday on which weeks of shifts begin. It does not change while changes are not published, so no changed shift lies in two weeks. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { type ConsoleAnswer, createUser, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../test/support/fault-injection.ts";
import { createPausingPool } from "../../../test/support/pausing-pool.ts";
import { type ShiftTools, shiftTools, type TestMember } from "../../../test/support/shifts.ts";
import { readSample, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { importVenue } from "../../compose/import-venue.ts";

/** The week of Monday, 16 November 2026. The clock stands on the Saturday before it. */
const [WEEK, FRIDAY, SATURDAY] = ["2026-11-16", "2026-11-20", "2026-11-21"] as const;

type WeekdayGround = {
  app: TestApp;
  lab: TestVenue;
  owner: TestUser;
  shifts: ShiftTools;
  ada: TestMember;
  save(seen: string, wanted: string): Promise<ConsoleAnswer>;
};

const opened: TestApp[] = [];

const open = async (pool?: Parameters<typeof startApp>[0]): Promise<WeekdayGround> => {
  const app = await startApp(pool);
  opened.push(app);
  const lab = await app.venue("lab");
  const owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  const shifts = await shiftTools(app, lab, await createUser(app, lab.slug, "manager", "max@lab.example"));
  const ada = await shifts.person("Ada");
  const save: WeekdayGround["save"] = (seen, wanted) =>
    shifts.send("PUT", "/shift-rules", { seen: { first_weekday: seen }, rules: { first_weekday: wanted } });
  return { app, lab, owner, shifts, ada, save };
};

const ground = await open();
const { app, lab, owner, shifts, ada, save } = ground;

afterAll(() => Promise.all(opened.map((one) => one.close())));
afterEach(async () => {
  app.clock.set("2026-11-14T12:00:00Z");
  await app.database.asOwner("delete from shifts");
  await app.database.asOwner("update settings set first_weekday = 'monday'");
});

const refusal = ({ status, body }: ConsoleAnswer) => [status, body.error?.details];
const publishFirst = (branch: string, week: string = WEEK) => [
  422,
  { "rules.first_weekday": [`Publish the changes at ${branch} in the week of ${week} first.`] },
];

test("the venue chooses Saturday, Sunday or Monday, and weeks follow; 409 for rules that changed since they were read", async () => {
  expect((await save("monday", "saturday")).body.data).toEqual({ first_weekday: "saturday" });
  expect(refusal(await save("monday", "sunday"))).toMatchObject([409, { rules: { first_weekday: "saturday" }, changed_by: "max" }]);
  const week = await shifts.week(WEEK);
  expect([week.week_start, week.week_end]).toEqual(["2026-11-14", FRIDAY]);
  const monday = { branch_id: shifts.branchId, week_start: WEEK, seen_version: "x" };
  expect((await shifts.send("POST", "/shift-weeks/publications", monday)).status).toBe(422);
  expect((await save("saturday", "friday")).status).toBe(422);
  expect((await save("saturday", "sunday")).status).toBe(200);
});

test("422 while a new, a changed or a removed shift is not published, at any branch; the sentence names branch and week", async () => {
  const added = await shifts.add(ada.id, FRIDAY, {}, shifts.otherBranchId);
  expect(refusal(await save("monday", "saturday"))).toEqual(publishFirst("Annex"));
  await shifts.publish(WEEK, shifts.otherBranchId);
  expect((await save("monday", "saturday")).status).toBe(200);
  expect((await save("saturday", "monday")).status).toBe(200);
  const changed = await shifts.change(added, { date: SATURDAY });
  expect(refusal(await save("monday", "saturday"))).toEqual(publishFirst("Annex"));
  // A change that is taken back is none.
  const same = await shifts.change(changed, { date: FRIDAY });
  expect((await save("monday", "sunday")).status).toBe(200);
  expect((await save("sunday", "monday")).status).toBe(200);
  await shifts.remove(same);
  expect(refusal(await save("monday", "saturday"))).toEqual(publishFirst("Annex"));
  await shifts.publish(WEEK, shifts.otherBranchId);
  expect((await save("monday", "saturday")).status).toBe(200);
});

test("a removed draft, and a draft of a week that is over, refuse nothing", async () => {
  await shifts.remove(await shifts.add(ada.id, FRIDAY));
  await shifts.add(ada.id, "2026-10-30");
  expect((await save("monday", "saturday")).status).toBe(200);
});

test("a file with another first weekday is refused by the comparison, the import and the command; with the same one it is not", async () => {
  await shifts.add(ada.id, FRIDAY);
  const { version, file } = (await owner.act("GET", `/venues/${lab.slug}/venue-file`)).body.data;
  const text = JSON.stringify({ ...file, shifts: { first_weekday: "sunday" } });
  const [, details] = publishFirst("Main bench");
  const sentence = Object.values(details as Record<string, string[]>)[0];
  for (const [method, path, body] of [
    ["POST", "/venue-file/comparison", { text }],
    ["PUT", "/venue-file", { text, seen_version: version }],
  ] as const) {
    const answer = await owner.act(method, `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": randomUUID() } });
    expect([path, ...refusal(answer)]).toEqual([path, 422, { "shifts.first_weekday": sentence }]);
  }
  const sample = readSample("lab");
  await importVenue(app.deps, sample);
  await expect(importVenue(app.deps, { ...sample, shifts: { first_weekday: "sunday" } })).rejects.toThrow(sentence?.[0]);
  expect((await shifts.week(WEEK)).rules).toEqual({ first_weekday: "monday" });
});

/** A published shift moves from Friday to Saturday, and the move waits at its commit while Saturday becomes the first weekday. */
const saveWhileShiftMoves = async (plant?: InjectedFault): Promise<number> => {
  const pausing = createPausingPool(plant);
  const other = await open({ pool: pausing.open });
  const shift = await other.shifts.add(other.ada.id, FRIDAY);
  await other.shifts.publish(WEEK);
  const commit = pausing.holdAt("commit");
  const moving = other.shifts.change(shift, { date: SATURDAY });
  await commit.reached;
  const saving = other.save("monday", "saturday");
  await sleep(400);
  commit.release();
  await moving;
  return (await saving).status;
};

test("a change of a shift that is not committed yet is waited for, and refuses another first weekday", async () => {
  expect(await saveWhileShiftMoves()).toBe(422);
});

test("planted: without the lock the uncommitted change is not seen, and the first weekday changes", async () => {
  const lockless: InjectedFault = (statement) =>
    statement.text.includes("pg_advisory_xact_lock(hashtextextended($1, 0))")
      ? { ...statement, text: statement.text.replace("pg_advisory_xact_lock(hashtextextended($1, 0))", "hashtextextended($1, 0)::text") }
      : null;
  expect(await saveWhileShiftMoves(lockless)).toBe(200);
});

test("planted: without the check a changed shift lies in two weeks, and the week of its published time does not show it", async () => {
  const blind: InjectedFault = ({ text }) =>
    text.includes("is distinct from") && text.includes("published_note")
      ? { text: "select null as starts_at where false", values: [] }
      : null;
  const other = await open({ pool: faultInjectingPool(blind) });
  const shift = await other.shifts.add(other.ada.id, FRIDAY);
  await other.shifts.publish(WEEK);
  await other.shifts.change(shift, { date: SATURDAY });
  expect((await other.save("monday", "saturday")).status).toBe(200);
  const own = (await other.ada.user.call("GET", `/venues/${other.lab.slug}/own-shifts`)).body.data.shifts;
  expect(own).toMatchObject([{ date: FRIDAY }]);
  expect((await other.shifts.week(FRIDAY)).shifts).toEqual([]);
  expect((await other.shifts.week(SATURDAY)).shifts).toMatchObject([{ date: SATURDAY, state: "changed" }]);
});

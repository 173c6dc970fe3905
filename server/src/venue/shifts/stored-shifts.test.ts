/** Rows of shifts: all that are to come are counted for the page of the team, and removed ones that mean nothing any more are deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../../../test/support/console-client.ts";
import { type ShiftTools, shiftTools, type TestMember } from "../../../test/support/shifts.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { purgeExpired } from "../../compose/retention.ts";

const [WEEK, LATER] = ["2026-11-16", "2027-02-01"] as const;
const HOUR_MS = 3_600_000;

let app: TestApp;
let lab: TestVenue;
let shifts: ShiftTools;
let ada: TestMember;
let ben: TestMember;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  shifts = await shiftTools(app, lab, await createUser(app, lab.slug, "manager", "max@lab.example"));
  [ada, ben] = [await shifts.person("Ada"), await shifts.person("Ben")];
});
afterAll(() => app.close());

test("the page of the team shows how many shifts each person has to come, also when 2,000 of others come before", async () => {
  await app.database.asOwner(
    `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at)
     select $1, $2, $3, 'Ben', moment, moment + interval '10 minutes', 'Max', now()
     from generate_series(1, 2000) n, lateral (select timestamptz '2026-11-15' + n * interval '30 minutes' as moment) m`,
    [lab.id, shifts.branchId, ben.id],
  );
  await shifts.add(ada.id, "2026-11-13");
  await shifts.remove(await shifts.add(ada.id, "2027-02-03"));
  for (const date of [LATER, "2027-02-02"]) await shifts.add(ada.id, date);
  const { members } = await shifts.done("GET", "/team");
  const shown = new Map(members.map((member: { id: number; shifts: number }) => [member.id, member.shifts]));
  expect([shown.get(ada.id), shown.get(ben.id)]).toEqual([2, 2000]);
  await app.database.asOwner("delete from shifts");
});

const storedIds = async (): Promise<number[]> =>
  (await app.database.asOwner<{ id: number }>("select id::integer from shifts order by id")).map(({ id }) => id);

const restore = ({ id, version }: { id: number; version: number }) =>
  shifts.send("POST", `/shifts/${id}/restoration`, { seen_version: version });

test("a removed draft can be put back for a day; then it is deleted, and so is a shift whose removal is published", async () => {
  for (let turn = 0; turn < 20; turn++) await shifts.remove(await shifts.add(ada.id, WEEK));
  const draft = await shifts.remove(await shifts.add(ada.id, WEEK));
  const [known, dropped] = [await shifts.add(ada.id, "2026-11-17"), await shifts.add(ada.id, "2026-11-18")];
  const planned = await shifts.add(ben.id, WEEK);
  await shifts.publish(WEEK);
  await shifts.remove(dropped);
  await shifts.publish(WEEK);
  await shifts.remove(known);
  app.clock.advance(23 * HOUR_MS);
  await purgeExpired(app.deps);
  expect(await storedIds()).toHaveLength(24);
  const back = await restore(draft);
  expect(back.status, back.text).toBe(200);
  const again = await shifts.remove(back.body.data);
  app.clock.advance(24 * HOUR_MS + 1);
  await purgeExpired(app.deps);
  // People still see the shift whose removal is not published.
  expect(await storedIds()).toEqual([known.id, planned.id].toSorted((a, b) => a - b));
  expect((await restore(again)).status).toBe(404);
  expect((await shifts.week(WEEK)).shifts.map(({ id, state }) => [id, state])).toEqual([
    [planned.id, "published"],
    [known.id, "removed"],
  ]);
});

/** Kitchen times of one branch are those of its latest tickets, however many another branch had since. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { sumKitchenTimes } from "./store/figures.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  app.clock.set("2026-11-20T12:00:00Z");
  lab = await app.venue("lab");
});
afterAll(() => app.close());

/** Done after `minutes`, at this time of the day. */
const cook = async (branchId: number, time: string, minutes: number): Promise<void> => {
  const id = await placeLabOrder(app, lab);
  await app.database.asOwner("update orders set branch_id = $2 where id = $1", [id, branchId]);
  await app.database.asOwner(
    `update tickets set state = 'done', done_at = $2::timestamptz, fired_at = $2::timestamptz - $3::integer * interval '1 minute' where order_id = $1`,
    [id, `2026-11-20T${time}:00Z`, minutes],
  );
};

test("the branch is chosen before the limit of tickets", async () => {
  const rows = await app.database.asOwner<{ id: number }>("select id::integer as id from branches where restaurant_id = $1 order by id", [
    lab.id,
  ]);
  const [first = 0, second = 0] = rows.map(({ id }) => id);
  await cook(first, "10:00", 12);
  for (const time of ["11:00", "11:10", "11:20"]) await cook(second, time, 5);
  const span = { from: new Date("2026-11-20T00:00:00Z"), until: new Date("2026-11-21T00:00:00Z") };
  const [all] = await forVenue(app.deps, lab.slug, (ctx) => sumKitchenTimes(ctx, span, first, 3));
  expect(all).toMatchObject({ station: null, tickets: 1, p50_minutes: 12 });
});

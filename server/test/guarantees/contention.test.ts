/** A transaction that PostgreSQL ends because of a deadlock is run again: neither of two people sees it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { withTenant } from "#db/with-tenant.ts";
import type { Ctx } from "#lib/context.ts";
import { changeGuest } from "#venue/guests/service.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let guestIds: number[];

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  for (const phone of ["+1 555 0191", "+1 555 0192"]) {
    const booking = { name: "Ada", phone, party_size: 2, date: "2026-11-20", time: "19:00" };
    expect((await app.call(lab.token, "POST", "/reservations", { body: booking })).status).toBe(201);
  }
  const rows = await app.database.asOwner<{ id: string }>("select id from guests where phone like '+1 555 019%' order by id");
  guestIds = rows.map(({ id }) => Number(id));
});
afterAll(() => app.close());

type RunTransaction = (work: (ctx: Ctx) => Promise<void>) => Promise<void>;

/** Both lock one guest, wait until the other has locked theirs, and then want that one. */
const changeInOppositeOrder = async (run: RunTransaction, name: string): Promise<PromiseSettledResult<void>[]> => {
  let waiting = 2;
  let open = (): void => undefined;
  const bothLocked = new Promise<void>((resolve) => {
    open = resolve;
  });
  const changeBoth = (order: number[]) =>
    run(async (ctx) => {
      await changeGuest(ctx, order[0] ?? 0, { name: `${name} ${order[0]}` });
      if (--waiting <= 0) open();
      await bothLocked;
      await changeGuest(ctx, order[1] ?? 0, { name: `${name} ${order[1]}` });
    });
  return Promise.allSettled([changeBoth(guestIds), changeBoth(guestIds.toReversed())]);
};

/** PostgreSQL looks for a deadlock after one second. On a machine that is busy for longer, the lock's own limit of two comes first. */
const withoutLockTimeout = async (change: () => Promise<PromiseSettledResult<void>[]>): Promise<PromiseSettledResult<void>[]> => {
  for (let attempt = 1; ; attempt++) {
    const results = await change();
    if (attempt === 10 || !results.some((result) => result.status === "rejected" && /lock timeout|55P03/.test(String(result.reason))))
      return results;
  }
};

test("two changes that wait for each other are both made", async () => {
  const results = await withoutLockTimeout(() => changeInOppositeOrder((work) => forVenue(app.deps, lab.slug, work), "Grace"));
  expect(results.map((result) => (result.status === "rejected" ? String(result.reason) : "made"))).toEqual(["made", "made"]);
  const rows = await app.database.asOwner<{ name: string }>("select name from guests where id = any($1) order by id", [guestIds]);
  expect(rows.map(({ name }) => name)).toEqual(guestIds.map((id) => `Grace ${id}`));
});

test("planted: a transaction that is not repeated fails for one of them", async () => {
  const once: RunTransaction = (work) =>
    forVenue(app.deps, lab.slug, async ({ tenant, actor, log, origin }) =>
      withTenant(app.deps, { tenant, actor, from: { log, origin } }, work).catch((error: unknown) => {
        // Another error is not repeated by the outer transaction.
        throw new Error((error as { code?: string }).code);
      }),
    );
  const results = await withoutLockTimeout(() => changeInOppositeOrder(once, "Hedy"));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));
  expect(failures).toEqual(["40P01"]);
});

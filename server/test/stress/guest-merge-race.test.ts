/**
 * Two profiles are merged, from both sides at once, while orders are placed and completed by both phone numbers: every order belongs to the
 * guest that stayed, every visit is counted once, and no third profile appears.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnavailable } from "#db/pool.ts";
import { repeatOnContention } from "#db/repeat-on-contention.ts";
import { type Deps, openDeps } from "#deps.ts";
import { ApiError } from "#lib/errors.ts";
import { mergeSeenGuests, readGuestProfile } from "#venue/guest-records/guest-profiles/service.ts";
import { findOrderForChange, moveOrder, placeOrder } from "#venue/orders/service.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 1000 : 8));
const PLANTED_ROUNDS = 25;
const ORDERS_EACH = 3;

let app: TestApp;
let lab: TestVenue;
let dishId: number;
let serial = 0;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => app.close());

let timeouts = 0;

/** A transaction that waited too long for a lock is repeated, as a client does that got Retry-After. */
const inLab = async <T>(deps: Deps, work: Parameters<typeof forVenue<T>>[2]): Promise<T> => {
  for (;;) {
    try {
      return await repeatOnContention(() => forVenue(deps, lab.slug, work));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      timeouts++;
    }
  }
};

const place = async (deps: Deps, phone: string): Promise<string> =>
  inLab(deps, async (ctx) => {
    const lines = [{ item_id: dishId, quantity: 1 }];
    return (await placeOrder(ctx, { type: "pickup", customer_name: "Merged", customer_phone: phone, lines })).id;
  });

const complete = async (deps: Deps, id: string): Promise<void> => {
  for (const status of ["accepted", "ready", "completed"] as const)
    await inLab(deps, async (ctx) => moveOrder(ctx, await findOrderForChange(ctx, id), { status }));
};

const guestOf = async (orderId: string): Promise<number> =>
  Number((await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [orderId]))[0]?.guest_id);

/** False when another merge was faster. */
const merge = async (deps: Deps, kept: number, other: number): Promise<boolean> => {
  const seen = await inLab(deps, async (ctx) => Promise.all([readGuestProfile(ctx, kept), readGuestProfile(ctx, other)])).catch(() => null);
  if (!seen) return false;
  const body = { other_id: other, seen_version: seen[0].version, other_seen_version: seen[1].version };
  return inLab(deps, (ctx) => mergeSeenGuests(ctx, kept, () => body)).then(
    () => true,
    (error: unknown) => {
      // Without the locks a profile would be merged into itself, which the table refuses.
      if (error instanceof ApiError || (error as { constraint?: string }).constraint === "guests_merged_check") return false;
      throw error;
    },
  );
};

type MergeFindings = { stuck: number; miscounted: number; profiles: number; merges: number };

const runRound = async (deps: Deps): Promise<MergeFindings> => {
  serial += 2;
  const phones = [serial, serial + 1].map((number) => `+1 444 ${String(number).padStart(7, "0")}`);
  const [first = "", second = ""] = await Promise.all(phones.map((phone) => place(app.deps, phone)));
  const [a, b] = [await guestOf(first), await guestOf(second)];
  const orders: string[] = [first, second];
  const write = async (phone: string): Promise<void> => {
    for (let count = 0; count < ORDERS_EACH; count++) {
      const id = await place(deps, phone);
      orders.push(id);
      await complete(deps, id);
    }
  };
  const [, , , one, two] = await Promise.all([
    ...phones.map(write),
    complete(deps, first),
    merge(deps, a, b),
    merge(deps, b, a),
    complete(deps, second),
  ]);
  const [row] = await app.database.asOwner<MergeFindings>(
    `with mine as (select o.guest_id, o.total_minor from orders o where o.id = any($1::uuid[])),
       live as (select * from guests where restaurant_id = $2 and merged_into is null and id in (select guest_id from mine))
     select (select count(*)::integer from mine m join guests g on g.id = m.guest_id and g.restaurant_id = $2 where g.merged_into is not null) as stuck,
       (select abs((select count(*) from mine) - coalesce(sum(visits_count), 0))::integer
          + (coalesce(sum(total_spend_minor), 0) <> (select sum(total_minor) from mine))::integer from live) as miscounted,
       (select count(*)::integer from guests where restaurant_id = $2 and merged_into is null and phone = any($3::text[])) as profiles`,
    [orders, lab.id, phones],
  );
  return { stuck: 0, miscounted: 0, profiles: 0, ...row, merges: Number(one) + Number(two) };
};

const runRounds = async (deps: Deps, rounds: number): Promise<MergeFindings & { rounds: number }> => {
  const sum = { stuck: 0, miscounted: 0, profiles: 0, merges: 0, rounds };
  for (let round = 0; round < rounds; round++) {
    const found = await runRound(deps);
    for (const key of ["stuck", "miscounted", "profiles", "merges"] as const) sum[key] += found[key];
  }
  return sum;
};

test(`JG-06 ${ROUNDS} merges under orders by both numbers lose no order and no visit`, { timeout: 20_000 + ROUNDS * 3000 }, async () => {
  const { stuck, miscounted, profiles, merges } = await runRounds(app.deps, ROUNDS);
  console.info(`guest merges: ${merges} of ${ROUNDS} rounds`);
  expect({ stuck, miscounted, merges, profiles, timeouts }).toEqual({
    stuck: 0,
    miscounted: 0,
    merges: ROUNDS,
    profiles: ROUNDS,
    timeouts: 0,
  });
});

/** A merge that does not wait for writes that refer to the guests. */
const withoutGuestLocks: InjectedFault = (statement) =>
  statement.text.includes("order by merged_into is null, id for update")
    ? { ...statement, name: `planted-${randomUUID()}`, text: statement.text.replace("for update", "") }
    : null;

test.runIf(process.env.TEST_STRESS)(
  "planted fault: without the locks on both guests an order or a visit is lost",
  { timeout: 240_000 },
  async () => {
    const deps = await openDeps(app.deps.config, {
      clock: app.clock,
      log: app.deps.log,
      pool: faultInjectingPool(withoutGuestLocks)(app.deps.config),
    });
    const found = await repeatUntilDetected(
      () => runRounds(deps, PLANTED_ROUNDS),
      ({ stuck, miscounted, profiles, rounds }) => stuck + miscounted > 0 || profiles !== rounds,
    );
    await deps.close();
    expect(found.stuck + found.miscounted + Math.abs(found.profiles - found.rounds)).toBeGreaterThan(0);
  },
);

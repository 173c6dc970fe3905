/** "6 left": orders count down in their own commit, the last portion sells the dish out, and a race never sells one twice. */
import type { DishState, DishToday } from "@comanda/contract/console/menu-today.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { repeatUntilDetected } from "../../../../test/support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let dishes: DishToday[];

const AVAILABLE: DishState = { kind: "available", until: null, remaining: null };
const left = (remaining: number): DishState => ({ kind: "counted", until: null, remaining });

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  dishes = (await staff.call("GET", `/venues/${lab.slug}/menu-today`)).body.data.dishes;
});
afterAll(() => app.close());

const idOf = (name: string): number => dishes.find((dish) => dish.name.en === name)?.id ?? 0;
const stateOf = async (id: number): Promise<DishState> =>
  (await staff.call("GET", `/venues/${lab.slug}/menu-today`)).body.data.dishes.find((dish: DishToday) => dish.id === id).state;
const set = (id: number, body: object) => staff.call("POST", `/venues/${lab.slug}/menu-today/dishes/${id}`, { body });
const count = async (id: number, remaining: number): Promise<void> => {
  const { status, text } = await set(id, { seen: await stateOf(id), to: "count", remaining });
  expect(status, text).toBe(200);
};
type Line = { item_id: number; quantity: number };
const place = (lines: Line[], through = app, more: object = {}) =>
  through.call(lab.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines, ...more },
  });
const move = (id: string, status: string, reason?: string) =>
  app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status, ...(reason ? { reason } : {}) } });
const api = async (id: number) => (await app.call(lab.token, "GET", `/items/${id}`)).body.data;
const eventsOf = async (id: number): Promise<number> =>
  (
    await app.database.asOwner(
      "select from events where type = 'menu.item_updated' and (body::jsonb -> 'data' -> 'item' ->> 'id')::bigint = $1",
      [id],
    )
  ).length;

test("an order counts down without touching the dish; asking for more is 422 at the line; the last portion sells it out", async () => {
  const id = idOf("Plain Plate");
  await count(id, 6);
  const before = await api(id);
  app.clock.advance(60_000);
  expect((await place([{ item_id: id, quantity: 4 }])).status).toBe(201);
  expect([await stateOf(id), await api(id), await eventsOf(id)]).toEqual([left(2), before, 0]);
  const tooMany = await place([
    { item_id: id, quantity: 2 },
    { item_id: id, quantity: 1 },
  ]);
  expect([tooMany.status, tooMany.body.error.details]).toEqual([422, { "lines.1.item_id": ["Only 2 portions of Plain Plate are left."] }]);
  expect((await place([{ item_id: id, quantity: 2 }])).status).toBe(201);
  expect(await stateOf(id)).toEqual(left(0));
  expect([(await api(id)).is_available, await eventsOf(id)]).toEqual([false, 1]);
  const [entry] = await app.database.asOwner("select actor_name, after from audit_entries where subject_id = $1 order by id desc limit 1", [
    String(id),
  ]);
  expect(entry).toEqual({ actor_name: "test", after: { is_available: false, remaining: 0 } });
  const flips = await app.database.asOwner("select is_available, source from availability_changes where item_id = $1", [id]);
  expect(flips).toEqual([{ is_available: false, source: "api" }]);
  expect((await place([{ item_id: id, quantity: 1 }])).body.error.details).toEqual({ "lines.0.item_id": ["Plain Plate is sold out."] });
  await count(id, 3);
  expect([(await api(id)).is_available, await eventsOf(id)]).toEqual([true, 2]);
});

test("a page that saw more than is left is told so, without a name when an order took it", async () => {
  const id = idOf("Taxed Tart");
  await count(id, 5);
  const named = await set(id, { seen: AVAILABLE, to: "today" });
  expect(named.body.error.details).toMatchObject({ changed_by: "sam", dish: { state: left(5) } });
  await place([{ item_id: id, quantity: 1 }]);
  const unnamed = await set(id, { seen: left(5), to: "count", remaining: 6 });
  expect([unnamed.status, unnamed.body.error.details.changed_by, unnamed.body.error.details.dish.state]).toEqual([409, null, left(4)]);
});

test("reject and cancel before firing give back, and bring a sold-out dish back; later ones do not", async () => {
  const id = idOf("Hydrogen Fizz");
  await count(id, 2);
  const order = async (quantity: number, more: object = {}): Promise<string> =>
    (await place([{ item_id: id, quantity }], app, more)).body.data.id;
  const rejected = await order(2);
  expect(await stateOf(id)).toEqual(left(0));
  await move(rejected, "rejected");
  expect([await stateOf(id), (await api(id)).is_available, await eventsOf(id)]).toEqual([left(2), true, 2]);
  await move(await order(1), "cancelled", "guest left");
  expect(await stateOf(id)).toEqual(left(2));
  const fired = await order(1);
  await move(fired, "accepted");
  await move(fired, "cancelled");
  expect(await stateOf(id)).toEqual(left(1));
  const later = await order(1, { scheduled_for: new Date(app.clock.now().getTime() + 6 * 3_600_000).toISOString().replace(".000", "") });
  await move(later, "accepted");
  await move(later, "cancelled");
  expect(await stateOf(id)).toEqual(left(1));
});

test("an order from before the count gives nothing back; API true ends the count, also on an available dish", async () => {
  const id = idOf("Helium Float");
  const early = (await place([{ item_id: id, quantity: 3 }])).body.data.id;
  app.clock.advance(1000);
  await count(id, 4);
  await move(early, "rejected");
  expect(await stateOf(id)).toEqual(left(4));
  const put = (is_available: boolean) => app.call(lab.token, "PUT", `/items/${id}/availability`, { body: { is_available } });
  await put(true);
  expect([await stateOf(id), await eventsOf(id)]).toEqual([AVAILABLE, 0]);
  await count(id, 4);
  await put(false);
  expect(await stateOf(id)).toEqual({ kind: "sold_out", until: null, remaining: null });
  await put(true);
  expect(await stateOf(id)).toEqual(AVAILABLE);
});

/** Orders of two counted dishes in both orders, at once. Returns what was sold of each and what is left. */
const rush = async (
  through: TestApp,
  ids: [number, number],
  portions: number,
): Promise<{ sold: number[]; left: number[]; statuses: number[] }> => {
  for (const id of ids) await count(id, portions);
  const [one, two] = ids;
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => {
      const lines = [
        { item_id: one, quantity: 1 + (index % 2) },
        { item_id: two, quantity: 1 },
      ];
      return place(index % 3 === 0 ? lines.toReversed() : lines, through, { customer_phone: `+1 555 03${index}` });
    }),
  );
  const placed = answers.filter(({ status }) => status === 201).flatMap(({ body }) => body.data.items as Line[]);
  const soldOf = (id: number) => placed.filter(({ item_id }) => item_id === id).reduce((sum, { quantity }) => sum + quantity, 0);
  const remaining = await Promise.all(ids.map(async (id) => (await stateOf(id)).remaining ?? -1));
  return { sold: ids.map(soldOf), left: remaining, statuses: answers.map(({ status }) => status) };
};

const isOversold = ({ sold }: { sold: number[] }, portions: number): boolean => sold.some((quantity) => quantity > portions);

test("16 orders at once never oversell: sold and left add up, each loser is refused, the dish is sold out once", async () => {
  const ids: [number, number] = [idOf("Lithium Lentils"), idOf("Beryllium Broth")];
  for (let round = 0; round < 5; round++) {
    const result = await rush(app, ids, 7);
    expect(isOversold(result, 7), JSON.stringify(result)).toBe(false);
    expect(result.sold.map((quantity, at) => quantity + (result.left[at] ?? 0))).toEqual([7, 7]);
    expect(new Set(result.statuses)).toEqual(new Set([201, 422]));
    for (const [at, id] of ids.entries()) expect((await api(id)).is_available).toBe(result.left[at] !== 0);
  }
});

test("planted: a count that stops at 0 instead of failing oversells, and the same check says so", async () => {
  const careless = faultInjectingPool(({ text, ...rest }) =>
    text.includes("remaining = n.remaining - taken.quantity")
      ? { ...rest, text: text.replace("n.remaining - taken.quantity", "greatest(0, n.remaining - taken.quantity)"), name: "careless" }
      : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless });
  faulty.clock.set(app.clock.now().toISOString());
  const ids: [number, number] = [idOf("Boron Burger"), idOf("Carbon Crumble")];
  const found = await repeatUntilDetected(
    () => rush(faulty, ids, 4),
    (result) => isOversold(result, 4),
  );
  await faulty.close();
  expect(isOversold(found, 4)).toBe(true);
});

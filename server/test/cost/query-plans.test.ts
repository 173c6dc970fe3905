/**
 * In a database of a thousand venues and a hundred thousand orders, every operation of the contract is asked of a heavy venue until
 * PostgreSQL has settled on its plans: none reads a whole table, none looks for rows without naming the restaurant first, and
 * none reads more rows than an answer could need.
 *
 * @every-postgres
 */
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grow } from "../../../bench/growth/grow.ts";
import type { Scale } from "../../../bench/growth/scale.ts";
import { secretOf } from "../../../bench/growth/template.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { operationCalls, plainDish, type SampleCall } from "../support/operation-calls.ts";
import { createPlanCheck, logPlans, type PlanCheck } from "../support/query-plans.ts";
import { startApp, type TestAnswer, type TestApp } from "../support/test-app.ts";

const SCALE: Scale = { venues: 1000, orders: 100_000, seed: 1, until: "2026-11-14" };

let database: TestDatabase;
let app: TestApp;
let token: string;
let check: PlanCheck;

beforeAll(async () => {
  database = await cloneDatabase();
  await grow(database, SCALE);
  // Venues that have left: an empty table is read whole whatever its indexes are.
  await database.asOwner(
    "insert into venue_moves (restaurant_id, phase, other_cell) select 1e9 + n, 'moved', 1 from generate_series(1, 5000) n; analyze venue_moves",
  );
  // Dishes of other venues that are counted, and order types that were paused, for the same reason.
  await database.asOwner(
    "insert into item_counts select restaurant_id, id, 5, now() from items where restaurant_id <> 1024; analyze item_counts",
  );
  await database.asOwner(
    `insert into order_pauses (restaurant_id, type) select id, type from restaurants, unnest(array['dine_in', 'pickup', 'delivery']) type
     where id <> 1024; analyze order_pauses`,
  );
  // Recipes of other venues are added as well.
  await database.asOwner(
    `insert into ingredients (restaurant_id, key, name, unit, sort_order)
       select id, 'planned-flour', '{"en": "Flour"}', 'kg', 0 from restaurants where id <> 1024;
     insert into recipe_lines (restaurant_id, item_id, ingredient_id, quantity_milli)
       select n.restaurant_id, i.id, n.id, 100 from ingredients n join items i on i.restaurant_id = n.restaurant_id where n.key = 'planned-flour';
     insert into recipe_lines (restaurant_id, option_id, ingredient_id, quantity_milli)
       select n.restaurant_id, o.id, n.id, 100 from ingredients n join modifier_options o on o.restaurant_id = n.restaurant_id where n.key = 'planned-flour';
     analyze ingredients; analyze recipe_lines`,
  );
  // Numbered changes of every venue, those of the heavy one with its events.
  await database.asOwner(
    `truncate changes, change_counters;
     insert into venue_epochs select 1e9 + n, 1 from generate_series(1, 5000) n;
     insert into change_counters (restaurant_id, number) select id, 20000 from restaurants;
     insert into changes (restaurant_id, number, position, area, subject, event_id, at)
       select id, n, 2, 'orders', n::text, null, now() from restaurants, generate_series(1, 100) n where id <> 1024;
     insert into changes (restaurant_id, number, position, area, subject, event_id, at)
       select 1024, row_number() over (order by created_at, id), 2, 'orders', id::text, id, created_at
       from (select * from events where restaurant_id = 1024 order by created_at limit 19000) e;
     analyze venue_epochs; analyze change_counters; analyze changes`,
  );
  await database.asOwner("update events set type = 'order.created', body = $1 where restaurant_id = 1024", [
    JSON.stringify(EVENT_SAMPLES["order.created"]),
  ]);
  await logPlans(database);
  check = createPlanCheck(database);
  app = await startApp({ database, pool: check.pool });
  const [first] = await database.asOwner<{ id: string }>("select min(id) as id from tokens");
  token = `${first?.id}|${secretOf(SCALE.seed)}`;
  await check.start(-1, ["restaurants"]);
}, 300_000);
afterAll(async () => {
  await app.close();
  await database.drop();
});

let keys = 0;
const ask = async ({ method, path, body }: SampleCall): Promise<TestAnswer["body"]> => {
  const headers: Record<string, string> = method === "POST" ? { "idempotency-key": `plan-${keys++}` } : {};
  const answer = await app.call(token, method, path, { headers, ...(body && { body }) });
  expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 200)}`).toBeLessThan(300);
  return answer.body;
};

const calls = operationCalls({ ask, dish: () => plainDish(database, 1024), hasSecondPages: true, linesPerOrder: 1 });

const faultsAsking = (id: OperationId): Promise<string[]> =>
  check.faultsAsking(async () => {
    for (const call of await calls[id]()) await ask(call);
  });

test.each(operationEntries.map(([id]) => id))("%s", async (id) => {
  expect(await faultsAsking(id)).toEqual([]);
  expect(check.plans().some(({ nodes }) => nodes.some((node) => node["Index Name"] !== undefined))).toBe(true);
});

describe("planted: without an index the same check finds it", () => {
  test.each([
    { index: "orders_listed", id: "listOrders", fault: /reads \d+ rows of orders/ },
    { index: "tickets_order", id: "moveOrder", fault: /reads \d+ rows of tickets/ },
    { index: "tokens_by_id", id: "getItem", fault: /(reads all of|looks into) tokens/ },
  ] as const)("$index", async ({ index, id, fault }) => {
    const [definition] = await database.asOwner<{ sql: string }>("select pg_get_indexdef($1::regclass) as sql", [index]);
    await database.asOwner(`drop index ${index}`);
    expect((await faultsAsking(id)).join("\n")).toMatch(fault);
    await database.asOwner(definition?.sql ?? "");
    expect(await faultsAsking(id)).toEqual([]);
  });
});

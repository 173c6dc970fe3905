/** The activity log in the console: names of the changed things, and date filters that lose no entry. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { listActivity } from "./service.ts";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  await app.venue("gulf-cafe");
  owner = await createUser(app, lab.slug, "owner");
});
afterAll(() => app.close());

type Entry = { id: number; action: string; subject_name: string | null };
const activity = async (query: string): Promise<{ data: Entry[]; currency: string }> =>
  (await owner.call("GET", `/venues/${lab.slug}/activity?${query}`)).body;

test("an entry shows the name of its dish or token; the name of another venue's dish is not shown", async () => {
  const [dish] = (await app.call(lab.token, "GET", "/items?per_page=1")).body.data;
  await app.call(lab.token, "PATCH", `/items/${dish.id}`, { body: { price_minor: dish.price_minor + 50 } });
  await owner.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "Website", scopes: ["menu:read"] } });
  const { data, currency } = await activity("rows=2");
  expect(data.map(({ action, subject_name }) => [action, subject_name])).toEqual([
    ["token.created", "Website"],
    ["item.price_changed", dish.name.en],
  ]);
  expect(currency).toBe("USD");
  const [foreign] = await app.database.asOwner<{ id: string }>("select id from items where restaurant_id <> $1 limit 1", [lab.id]);
  await app.database.asOwner("update audit_entries set subject_id = $2 where id = $1", [data[1]?.id, foreign?.id]);
  expect((await activity("rows=2")).data[1]?.subject_name).toBeNull();
});

/** Three entries of concurrent changes: the one with the later time was written first. */
const insertOverlapping = async (): Promise<number[]> => {
  const made = await app.database.asOwner<{ id: string }>(
    `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id)
     select $1, at, 'system', '', 'item.updated', 'item', '1'
     from unnest(array['2030-01-02T00:00:00.010Z', '2030-01-01T23:59:59.990Z', '2030-01-02T00:00:00.000Z']::timestamptz[]) at returning id`,
    [lab.id],
  );
  return made.map(({ id }) => Number(id));
};

let inserted: Promise<number[]> | null = null;
const overlapping = (): Promise<number[]> => {
  inserted ??= insertOverlapping();
  return inserted;
};

test("a date filter returns every entry of the day and no other, also for concurrent changes", async () => {
  const [later = 0, earlier = 0, first = 0] = await overlapping();
  const idsOf = async (query: string) => (await activity(query)).data.map(({ id }) => id);
  expect(await idsOf("from=2030-01-02T00:00:00Z")).toEqual([first, later]);
  expect(await idsOf("from=2030-01-01T00:00:00Z&until=2030-01-02T00:00:00Z")).toEqual([earlier]);
  expect(await idsOf("from=2030-01-02T00:00:00Z&area=item&actor=system")).toEqual([first, later]);
  expect(await idsOf("from=2031-01-01T00:00:00Z")).toEqual([]);
  expect((await owner.call("GET", `/venues/${lab.slug}/activity?from=2030-02-31T00:00:00Z`)).status).toBe(422);
});

test("planted fault: a filter that starts at the id of the first time loses an entry of the day", async () => {
  await overlapping();
  const pool = faultInjectingPool((statement) =>
    statement.text.includes("min(edge.id)") ? { ...statement, text: statement.text.replace("min(edge.id)", "max(edge.id)") } : null,
  )(app.deps.config);
  const found = await forVenue({ ...app.deps, pool }, lab.slug, (ctx) => listActivity(ctx, { from: new Date("2030-01-02T00:00:00Z") }, 10));
  await pool.end();
  expect(found).toHaveLength(1);
});

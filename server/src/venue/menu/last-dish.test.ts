/** The last dish that a venue may have is taken once, however many programs add dishes at the same time. */
import { setTimeout as sleep } from "node:timers/promises";
import { DISHES_MAX } from "@comanda/contract/venue-limits.ts";
import { afterEach, expect, test } from "vitest";
import type { InjectedFault } from "../../../test/support/fault-injection.ts";
import { fillMenu } from "../../../test/support/large-menu.ts";
import { createPausingPool } from "../../../test/support/pausing-pool.ts";
import { startApp, type TestApp } from "../../../test/support/test-app.ts";

let app: TestApp | null = null;

afterEach(() => app?.close());

/** One dish waits at its commit while another is added; one place is left. */
const addTwo = async (plant?: InjectedFault): Promise<number[]> => {
  const pausing = createPausingPool(plant);
  app = await startApp({ pool: pausing.open });
  const lab = await app.venue("lab");
  const known = await app.database.asOwner("select id from items where restaurant_id = $1 and deleted_at is null", [lab.id]);
  await fillMenu(app, lab, DISHES_MAX - 1 - known.length);
  const category_id = (await app.call(lab.token, "GET", "/items?per_page=1")).body.data[0].category_id;
  const { call } = app;
  const add = (name: string) => call(lab.token, "POST", "/items", { body: { category_id, name, price_minor: 1 } });
  const commit = pausing.holdAt("commit");
  const first = add("First");
  await commit.reached;
  const second = add("Second");
  await sleep(400);
  commit.release();
  return [(await first).status, (await second).status];
};

test("a dish that is not committed yet is waited for, and takes the last place", async () => {
  expect(await addTwo()).toEqual([201, 422]);
});

test("planted: without the lock of the menu both are added, one above the bound", async () => {
  const lockless: InjectedFault = (statement) =>
    statement.text.includes("pg_advisory_xact_lock(hashtextextended($1, 0))")
      ? { ...statement, text: statement.text.replace("pg_advisory_xact_lock(hashtextextended($1, 0))", "hashtextextended($1, 0)::text") }
      : null;
  expect(await addTwo(lockless)).toEqual([201, 201]);
});

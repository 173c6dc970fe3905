/** Rows from one database into another: all of them, or an error, whichever side fails. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../server/test/support/database.ts";
import { connectTo } from "./connections.ts";
import { copyRows } from "./copy-rows.ts";

type TestConnection = Awaited<ReturnType<typeof connectTo>>;

/** More than the buffers of both sockets hold, so the source waits for the target. */
const ROWS = 200_000;
const rowsOf = (id: string, note = "repeat('x', 200)"): string => `select ${id}, ${note} from generate_series(1, ${ROWS}) n`;

let database: TestDatabase;
let from: TestConnection;
let to: TestConnection;

beforeEach(async () => {
  database = await cloneDatabase();
  [from, to] = await Promise.all([connectTo(database.ownerUrl), connectTo(database.ownerUrl)]);
  for (const client of [from, to]) client.on("error", () => undefined);
  await to.query("create temp table copied (id bigint primary key, note text)");
});
afterEach(async () => {
  await Promise.all([from.end(), to.end()]);
  await database.drop();
});

const copy = (select: string): Promise<number> => copyRows(from, select, to, "copied (id, note)");
const copiedRows = async (): Promise<string | undefined> =>
  (await to.query<{ count: string }>("select count(*)::text as count from copied")).rows[0]?.count;

test("every row arrives, and its number is returned", async () => {
  expect(await copy(rowsOf("n"))).toBe(ROWS);
  expect(await copiedRows()).toBe(String(ROWS));
  expect(await copy("select 1, 'x' where false")).toBe(0);
});

test("a source that fails midway ends the copy, and both connections are free again", async () => {
  await expect(copy(rowsOf("n", `1 / (${ROWS / 2} - n)`))).rejects.toThrow("division by zero");
  expect(await copiedRows()).toBe("0");
  expect((await from.query("select")).rowCount).toBe(1);
});

test("a target that refuses a row ends the copy, and the source can be closed", async () => {
  await expect(copy(rowsOf(`n % ${ROWS / 2}`))).rejects.toThrow("duplicate key");
  expect(await copiedRows()).toBe("0");
});

const pidOf = async (client: TestConnection): Promise<number | undefined> =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

test("a target that is lost while the source waits for it ends the copy", async () => {
  const [source, target] = [await pidOf(from), await pidOf(to)];
  await to.query("alter table copied add check (id <> 1000 or pg_sleep(60) is not null)");
  const ended = expect(copy(rowsOf("n"))).rejects.toThrow();
  const isWaiting = "select from pg_stat_activity where pid = $1 and wait_event = 'ClientWrite'";
  await expect.poll(async () => (await database.asOwner(isWaiting, [source])).length, { timeout: 100_000 }).toBe(1);
  await database.asOwner("select pg_terminate_backend($1)", [target]);
  await ended;
});

/**
 * A write has been authorized and is inside its transaction when its access is revoked. The revocation is answered after the write has
 * ended, so nothing takes effect after that answer.
 *
 * @every-postgres
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultInjectingPool, withoutAccessLocks } from "../support/fault-injection.ts";
import { plainDish } from "../support/operation-calls.ts";
import { KINDS, openRevocationContext, type RevocationContext } from "../support/revocation-kinds.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const LIMITS = { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" };
/** What only the clock ends needs no lock: a write compares with the time at which it began. */
const REVOKED_BY_A_PERSON = Object.keys(KINDS).filter((kind) => !/by time|expired|without the feature/.test(kind));

let app: TestApp;
let other: TestApp;
let careless: TestApp;
let outside: pg.Client;

beforeAll(async () => {
  app = await startApp({ environment: LIMITS });
  other = await startApp({ database: app.database, environment: LIMITS });
  const pool = faultInjectingPool(({ text }) => (text.startsWith("begin") ? { text: withoutAccessLocks(text) } : null));
  careless = await startApp({ database: app.database, environment: LIMITS, pool });
  outside = new pg.Client({ connectionString: app.database.ownerUrl, options: "-c search_path=app" });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
  await careless.close();
  await other.close();
  await app.close();
});

/** A statement that needs a locked row waits for the transaction that locked it. */
const WAITING = {
  row: "select from pg_locks where locktype = 'transactionid' and not granted and pid in (select pid from pg_stat_activity where datname = current_database())",
  access:
    "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
};

/** Resolves with true as soon as a transaction waits for such a lock, with false when `until` comes first. */
const isWaiting = async (lock: keyof typeof WAITING, until: Promise<unknown>): Promise<boolean> => {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    if ((await app.database.asOwner(WAITING[lock])).length > 0) return true;
    await sleep(2);
  }
  return false;
};

const venueOf = async (token: string): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: string }>("select restaurant_id as id from tokens where id = $1", [token.split("|")[0]]);
  return Number(row?.id);
};

type WaitResult = { kind: string; hasWaited: boolean; status: number };

/** A write of `writer` waits for a row, its access ends meanwhile, and then the row becomes free. */
const endWhileWriting = async (writer: TestApp, place: RevocationContext, kind: string): Promise<WaitResult> => {
  const { caller } = KINDS[kind] as (typeof KINDS)[string];
  const { token, revoke, restore } = await caller(place);
  const dish = await plainDish(app.database, await venueOf(token));
  await outside.query("begin");
  await outside.query("select from items where id = $1 for update", [dish]);
  const write = writer.call(token, "PUT", `/items/${dish}/availability`, { body: { is_available: false } });
  expect(await isWaiting("row", write)).toBe(true);
  const revoked = revoke();
  const hasWaited = await isWaiting("access", revoked);
  await outside.query("rollback");
  const { status } = await write;
  await revoked;
  await restore?.();
  await app.database.asOwner("update items set is_available = true where id = $1", [dish]);
  return { kind, hasWaited, status };
};

const endAll = async (writer: TestApp, slug: string): Promise<WaitResult[]> => {
  const place = await openRevocationContext(writer, other, slug);
  const seen: WaitResult[] = [];
  for (const kind of REVOKED_BY_A_PERSON) seen.push(await endWhileWriting(writer, place, kind));
  return seen;
};

test("a request that ends access is answered after the writes that were running", async () => {
  expect(await endAll(app, "running")).toEqual(REVOKED_BY_A_PERSON.map((kind) => ({ kind, hasWaited: true, status: 200 })));
});

test("planted: with the check and without the lock, the revocation is answered first and the write takes effect after it", async () => {
  // A new token for a sandbox also waits for a lock of the sandbox, which its writes hold.
  const alsoHeld = "sandbox token renewed";
  expect(await endAll(careless, "careless")).toEqual(
    REVOKED_BY_A_PERSON.map((kind) => ({ kind, hasWaited: kind === alsoHeld, status: 200 })),
  );
});

test("a write that does not end makes the revocation fail with 503, and it can be repeated", async () => {
  const { venue, owner } = await openRevocationContext(app, other, "stuck");
  const token = await app.token(venue.slug);
  const path = `/venues/${venue.slug}/tokens/${token.split("|")[0]}`;
  await outside.query("begin");
  await outside.query("select lock_access('venue', $1, false)", [venue.id]);
  expect((await owner.call("DELETE", path)).status).toBe(503);
  expect((await app.call(token, "GET", "/menus")).status).toBe(200);
  await outside.query("rollback");
  expect((await owner.call("DELETE", path)).status).toBe(200);
  expect((await app.call(token, "GET", "/menus")).status).toBe(401);
});

/**
 * The buyer of tickets: a guest by phone or e-mail, whose tickets an export and an erasure find, or a name that is erased after the
 * session.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { consoleCall, createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { type ExperienceTools, experienceTools } from "../../../../test/support/experiences.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { repeatUntilDetected } from "../../../../test/support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { asSystem } from "../../../compose/as-system.ts";
import { purgeExpired } from "../../../compose/retention.ts";
import { experienceJobs } from "./jobs.ts";

const NOW = "2026-11-14T12:00:00Z";
const AT_ONCE = 6;
const DAY_MS = 86_400_000;

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let tools: ExperienceTools;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  tools = experienceTools(app, lab, owner);
});
afterAll(() => app.close());
beforeEach(() => app.clock.set(NOW));

const guestOf = async (bookingId: number): Promise<number | null> => {
  const [row] = await app.database.asOwner<{ id: string | null }>("select guest_id as id from experience_bookings where id = $1", [
    bookingId,
  ]);
  return row?.id == null ? null : Number(row.id);
};
const profilesWith = (email: string) => app.database.asOwner("select id from guests where email_key = lower($1)", [email]);
const newAddress = (): string => `${randomUUID()}@buyers.example`;

test("a buyer with an e-mail address and no number is found by it, however it is written, or gets a profile; a name alone gets none", async () => {
  const session = await tools.session(9);
  const first = await tools.held(session.id, 1, { name: "Ada", email: "ada@buyers.example" });
  const again = await tools.held(session.id, 1, { name: "A. L.", email: "Ada@Buyers.example" });
  const called = await tools.held(session.id, 1, { phone: "+1 555 0150", email: "ada@buyers.example" });
  const ada = await guestOf(first.id);
  expect(ada).toEqual(expect.any(Number));
  expect([await guestOf(again.id), await guestOf(called.id)]).toEqual([ada, ada]);
  const [row] = await app.database.asOwner("select name, phone, email, marketing_opted_in from guests where id = $1", [ada]);
  expect(row).toEqual({ name: "Ada", phone: null, email: "ada@buyers.example", marketing_opted_in: false });
  expect(await guestOf((await tools.held(session.id, 1, { name: "Ada" })).id)).toBeNull();
});

test("a number finds its guest before the address finds another one", async () => {
  const session = await tools.session(9);
  const byAddress = await guestOf((await tools.held(session.id, 1, { email: "both@buyers.example" })).id);
  const byNumber = await guestOf((await tools.held(session.id, 1, { phone: "+1 555 0151" })).id);
  expect(byNumber).not.toBe(byAddress);
  expect(await guestOf((await tools.held(session.id, 1, { phone: "+1 555 0151", email: "both@buyers.example" })).id)).toBe(byNumber);
});

test("a refused sale to an address leaves no profile", async () => {
  const session = await tools.session(1);
  expect((await tools.hold(session.id, 2, { email: "refused@buyers.example" })).status).toBe(422);
  expect(await profilesWith("refused@buyers.example")).toEqual([]);
});

/** Sales at once to one new address. Returns how many profiles it has. */
const sellAtOnce = async (send: (path: string, body: object) => Promise<{ status: number }>): Promise<number> => {
  const [session, email] = [await tools.session(AT_ONCE), newAddress()];
  const body = { tickets: 1, name: "Ada", phone: null, email };
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => send(`/venues/${lab.slug}/experience-sessions/${session.id}/bookings`, body)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
  return (await profilesWith(email)).length;
};

test(`${AT_ONCE} first sales at once to one address make one profile`, async () => {
  const send = (path: string, body: object) => owner.call("POST", path, { body, headers: { "idempotency-key": randomUUID() } });
  for (let round = 0; round < 5; round++) expect(await sellAtOnce(send)).toBe(1);
});

test("planted: without the lock of the address the same check finds several profiles", async () => {
  const careless = faultInjectingPool(({ text, ...rest }) =>
    text.includes("pg_advisory_xact_lock") && text.includes("lower(") ? { ...rest, text: "select $1::text, $2::text" } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless, environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  const send = (path: string, body: object) =>
    consoleCall(faulty, "POST", path, { cookie: owner.cookie, body, headers: { "idempotency-key": randomUUID() } });
  const profiles = await repeatUntilDetected(
    () => sellAtOnce(send),
    (count) => count > 1,
  );
  await faulty.close();
  expect(profiles).toBeGreaterThan(1);
});

/** Tickets in each state, of one buyer. Returns the ids of their bookings, the earliest first. */
const buyInEveryState = async (contact: { name: string; email: string }): Promise<number[]> => {
  const session = await tools.session(20);
  const hold = () => tools.held(session.id, 1, contact);
  const expired = await hold();
  app.clock.advance(5 * 60_000);
  await experienceJobs["expire-ticket-hold"](asSystem(app.deps, lab.id), { booking_id: expired.id, hold_ends_at: expired.hold_ends_at });
  const [held, released, paid, refunded] = [await hold(), await hold(), await tools.paid(await hold()), await tools.paid(await hold())];
  await tools.act(released, "release");
  await tools.act(refunded, "refunds", { reason: `${contact.name} is ill` });
  return [expired.id, held.id, released.id, paid.id, refunded.id];
};

/** Bookings, events and reasons that hold this text. */
const placesWith = (text: string) =>
  app.database.asOwner(
    `select 'booking' as place from experience_bookings where concat_ws(' ', name, phone, email) ilike '%' || $1 || '%'
     union all select 'event' from events where body ilike '%' || $1 || '%'
     union all select 'refund' from refunds where reason ilike '%' || $1 || '%'
     union all select 'activity' from audit_entries where concat_ws(' ', reason, before, after) ilike '%' || $1 || '%'`,
    [text],
  );

const erase = async (guestId: number): Promise<{ experience_bookings: number }> => {
  const { version } = await tools.done("GET", `/guests/${guestId}`);
  return (await tools.done("POST", `/guests/${guestId}/erasure`, { seen_version: version })).erased;
};

test("an export and an erasure of a buyer by e-mail cover the tickets in every state, also those of a merged profile", async () => {
  const ids = await buyInEveryState({ name: "Quillon One", email: "one@quillon.example" });
  const others = await buyInEveryState({ name: "Quillon Two", email: "two@quillon.example" });
  const [kept, other] = [await guestOf(ids[0] ?? 0), await guestOf(others[0] ?? 0)];
  const versionOf = async (id: number | null) => (await tools.done("GET", `/guests/${id}`)).version;
  const seen = { seen_version: await versionOf(kept), other_seen_version: await versionOf(other) };
  await tools.done("POST", `/guests/${kept}/merge`, { other_id: other, ...seen });
  const exported = await tools.done("POST", `/guests/${kept}/export`, {});
  expect(exported.experience_bookings.map(({ id }: { id: number }) => id)).toEqual([...ids, ...others]);
  expect((await placesWith("quillon")).length).toBeGreaterThan(ids.length);
  expect((await erase(kept ?? 0)).experience_bookings).toBe(ids.length + others.length);
  expect(await placesWith("quillon")).toEqual([]);
});

test("planted: a booking that lost its guest is found after the erasure", async () => {
  const ids = await buyInEveryState({ name: "Zephyrine", email: "zephyrine@buyers.example" });
  const guest = await guestOf(ids[0] ?? 0);
  await app.database.asOwner("update experience_bookings set guest_id = null where id = $1", [ids[1]]);
  await erase(guest ?? 0);
  expect(await placesWith("zephyrine")).toEqual([{ place: "booking" }]);
});

test("a name without phone and e-mail is erased 30 days after the session, and no day before; a guest keeps the name, and the seats stay sold", async () => {
  const session = await tools.session(9);
  await tools.paid(await tools.held(session.id, 2, { name: "Nora" }));
  await tools.paid(await tools.held(session.id, 1, { name: "Paul", phone: "+1 555 0160" }));
  await tools.paid(await tools.held(session.id, 1, { name: "Mail", email: "mail@buyers.example" }));
  const beginnings = await app.database.asOwner<{ at: Date }>(
    "select distinct starts_at as at from experience_bookings where session_id = $1",
    [session.id],
  );
  expect(beginnings.map(({ at }) => at.toISOString())).toEqual([session.starts_at]);
  const namesAfter = async (ms: number): Promise<string[]> => {
    const began = new Date(app.clock.now().getTime() - ms);
    await app.database.asOwner("update experience_bookings set starts_at = $1 where session_id = $2", [began, session.id]);
    await purgeExpired(app.deps);
    return (await tools.sheet(session.id)).bookings.map(({ name }) => name).toSorted();
  };
  expect(await namesAfter(30 * DAY_MS)).toEqual(["Mail", "Nora", "Paul"]);
  expect(await namesAfter(30 * DAY_MS + 1)).toEqual(["Erased guest", "Mail", "Paul"]);
  expect(await tools.counts(session.id)).toEqual([4, 0]);
});

/** Counts in this database: tests of other files share the server. */
const countWaiting = async (): Promise<number> =>
  (
    await app.database.asOwner(
      "select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()",
    )
  ).length;

/** While the first of two bookings is being changed, `begin` waits for it. Whether the second one is free meanwhile. */
const isSecondFree = async (first: number, second: number, begin: () => Promise<{ status: number }>): Promise<boolean> => {
  const client = new pg.Client({ connectionString: app.database.ownerUrl });
  await client.connect();
  await client.query("begin");
  await client.query("select from app.experience_bookings where id = $1 for update", [first]);
  const begun = begin();
  await expect.poll(countWaiting).toBeGreaterThan(0);
  const { rowCount } = await client.query("select from app.experience_bookings where id = $1 for update skip locked", [second]);
  await client.query("rollback");
  await client.end();
  expect((await begun).status).toBe(200);
  return rowCount === 1;
};

const post = (by: TestApp, path: string, body: object) =>
  consoleCall(by, "POST", `/venues/${lab.slug}${path}`, { cookie: owner.cookie, body, headers: { "idempotency-key": randomUUID() } });

const isFreeDuringMerge = async (merging: TestApp): Promise<boolean> => {
  const [session, email] = [await tools.session(9), newAddress()];
  const hold = (address: string) => tools.held(session.id, 1, { email: address });
  const [first, second, another] = [await hold(email), await hold(email), await hold(newAddress())];
  const [other, kept] = [await guestOf(first.id), await guestOf(another.id)];
  const versionOf = async (id: number | null) => (await tools.done("GET", `/guests/${id}`)).version;
  const body = { other_id: other, seen_version: await versionOf(kept), other_seen_version: await versionOf(other) };
  return isSecondFree(first.id, second.id, () => post(merging, `/guests/${kept}/merge`, body));
};

const isFreeDuringHold = async (holding: TestApp): Promise<boolean> => {
  const session = await tools.session(9);
  const [first, second] = [await tools.held(session.id, 1), await tools.held(session.id, 1)];
  app.clock.advance(5 * 60_000);
  holding.clock.set(app.clock.now().toISOString());
  return isSecondFree(first.id, second.id, () => post(holding, `/experience-bookings/${second.id}/hold`, { seen_version: second.version }));
};

test("bookings are locked by id: a merge of guests, or tickets that are held again, hold no later one while they wait for an earlier one", async () => {
  expect(await isFreeDuringMerge(app)).toBe(true);
  expect(await isFreeDuringHold(app)).toBe(true);
});

test("planted: a merge that locks them the other way round, and tickets that are locked before earlier holds, are found", async () => {
  const backwards = faultInjectingPool(({ text, ...rest }) => {
    const isLock = text.includes("update experience_bookings b set guest_id") || text.includes("hold_ends_at <= $");
    return isLock ? { ...rest, text: text.replace("order by id for", "order by id desc for") } : null;
  });
  const faulty = await startApp({ database: app.database, pool: backwards, environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  expect(await isFreeDuringMerge(faulty)).toBe(false);
  expect(await isFreeDuringHold(faulty)).toBe(false);
  await faulty.close();
});

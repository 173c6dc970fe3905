/**
 * Two people tap at the same moment, over two processes: one order is moved once, one payment is taken once, and the loser gets the name of
 * the winner.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../support/console-bodies.ts";
import { consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const PAIRS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 1000 : 12));

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let people: [TestUser, TestUser];
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  people = [await createUser(app, lab.slug, "staff", "ann@lab.example"), await createUser(app, lab.slug, "staff", "ben@lab.example")];
  // A thousand pairs in a minute are more than two people may send.
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "200000" });
  for (let server = 0; server < 2; server++) await fleet.start();
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type TapAnswer = { status: number; text: string };
type PostAs = (who: TestUser, path: string, body: object) => Promise<TapAnswer>;

const overFleet: PostAs = (who, path, body) =>
  sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method: "POST",
    path: `/venues/${lab.slug}${path}`,
    headers: { cookie: `__Host-comanda=${who.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
    body,
  });

type DoubleTap = { orderId: string; answers: TapAnswer[] };

const tapTwice = async (post: PostAs, path: (orderId: string) => string, body: object): Promise<DoubleTap> => {
  const orderId = await placeLabOrder(app, lab);
  const answers = await Promise.all(people.map((person) => post(person, path(orderId), body)));
  return { orderId, answers };
};

const acceptTwice = (post: PostAs) => tapTwice(post, (id) => `/orders/${id}/status`, { seen_status: "placed", status: "accepted" });
const payTwice = (post: PostAs) =>
  tapTwice(post, (id) => `/orders/${id}/payments`, { method: "cash", amount_minor: 100, seen_paid_minor: 0 });

/** Effects in the database: moves in the audit log, events, payments. */
const effectsOf = async (orderId: string): Promise<{ moves: number; events: number; payments: number }> => {
  const [row] = await app.database.asOwner<{ moves: number; events: number; payments: number }>(
    `select (select count(*)::integer from audit_entries where subject_id = $1 and action = 'order.moved') as moves,
       (select count(*)::integer from events where type = 'order.status_changed' and position($1 in body) > 0) as events,
       (select count(*)::integer from payments where order_id = $1::uuid) as payments`,
    [orderId],
  );
  return row ?? { moves: 0, events: 0, payments: 0 };
};

const statusesOf = ({ answers }: DoubleTap): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);

test(`${PAIRS} double accepts and as many double payments: one effect each, and the loser is told who was faster`, {
  timeout: PAIRS * 2000 + 60_000,
}, async () => {
  for (let pair = 0; pair < PAIRS; pair++) {
    const accepted = await acceptTwice(overFleet);
    expect(statusesOf(accepted), JSON.stringify(accepted)).toEqual([200, 409]);
    expect(accepted.answers.find(({ status }) => status === 409)?.text).toMatch(/"state_changed".*"changed_by":"(ann|ben)"/);
    expect(await effectsOf(accepted.orderId)).toEqual({ moves: 1, events: 1, payments: 0 });
    const paid = await payTwice(overFleet);
    expect(statusesOf(paid), JSON.stringify(paid)).toEqual([201, 409]);
    expect(await effectsOf(paid.orderId)).toEqual({ moves: 0, events: 0, payments: 1 });
  }
});

test("planted: an accept that does not compare under a lock moves the order twice, and the same check says so", async () => {
  const careless = faultInjectingPool(({ text, ...rest }) =>
    /^\s*select id, status.* for update$/s.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless });
  faulty.clock.set(new Date().toISOString());
  const inProcess: PostAs = (who, path, body) =>
    consoleCall(faulty, "POST", `/venues/${lab.slug}${path}`, { cookie: who.cookie, body, headers: { "idempotency-key": randomUUID() } });
  const found = await repeatUntilDetected(
    () => acceptTwice(inProcess),
    (tap) => statusesOf(tap).every((status) => status === 200),
  );
  await faulty.close();
  expect(statusesOf(found)).toEqual([200, 200]);
  expect(await effectsOf(found.orderId)).toEqual({ moves: 2, events: 2, payments: 0 });
});

/**
 * Two screens bump the same ticket at once, or one bumps what the other recalls, over two processes: one effect, one audit entry, and the
 * loser gets the name of the winner. The short form has 10 pairs of each; `TEST_STRESS=1 npm test -- double-bump-race` has 1,000.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_BODIES, placeLabOrder } from "../support/console-bodies.ts";
import { consoleCall, createUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { pairScreen, type TestScreen } from "../support/paired-screen.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const PAIRS = process.env.TEST_STRESS ? 1000 : 10;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let screens: TestScreen[];
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  const manager = await createUser(app, lab.slug, "manager");
  screens = [await pairScreen(app, lab.slug, manager, { name: "Grill" }), await pairScreen(app, lab.slug, manager, { name: "Pass" })];
  // A thousand pairs in a minute are more than two screens may send.
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "200000" });
  for (let server = 0; server < 2; server++) await fleet.start();
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type BumpAnswer = { status: number; text: string };
type ChangeAs = (screen: TestScreen, ticket: number, body: object) => Promise<BumpAnswer>;

const overFleet: ChangeAs = ({ cookie }, ticket, body) =>
  sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method: "POST",
    path: `/screen/kitchen/tickets/${ticket}`,
    headers: { cookie: `__Host-comanda-screen=${cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
    body,
  });

const BUMP = { change: "bump", seen_state: "fired" };
const RECALL = { change: "recall", seen_state: "done" };

const fireTicket = async (): Promise<number> => {
  const order = await placeLabOrder(app, lab);
  expect((await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status: "accepted" } })).status).toBe(200);
  const [ticket] = await app.database.asOwner<{ id: string }>("select id from tickets where order_id = $1", [order]);
  return Number(ticket?.id);
};

const both = (change: ChangeAs, ticket: number, bodies: readonly object[]): Promise<BumpAnswer[]> =>
  Promise.all(screens.map((screen, index) => change(screen, ticket, bodies[index] ?? {})));
const statusesOf = (answers: BumpAnswer[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);

const effectsOf = async (ticket: number): Promise<string[]> => {
  const rows = await app.database.asOwner<{ action: string }>(
    "select action from audit_entries where action like 'ticket.%' and after ->> 'ticket_id' = $1 order by id",
    [String(ticket)],
  );
  return rows.map(({ action }) => action);
};

test(`${PAIRS} double bumps and as many bumps against recalls: one effect each, and the loser is told who was faster`, {
  timeout: PAIRS * 2000 + 60_000,
}, async () => {
  for (let pair = 0; pair < PAIRS; pair++) {
    const ticket = await fireTicket();
    const bumped = await both(overFleet, ticket, [BUMP, BUMP]);
    expect(statusesOf(bumped), JSON.stringify(bumped)).toEqual([200, 409]);
    expect(bumped.find(({ status }) => status === 409)?.text).toMatch(/"state_changed".*"changed_by":"(Grill|Pass)"/);
    expect(await effectsOf(ticket)).toEqual(["ticket.bumped"]);
    const [again, recalled] = await both(overFleet, ticket, [BUMP, RECALL]);
    // The recall is first or second; a bump before it saw a ticket that was done already.
    expect(recalled?.status).toBe(200);
    expect(await effectsOf(ticket)).toEqual(["ticket.bumped", "ticket.recalled", ...(again?.status === 200 ? ["ticket.bumped"] : [])]);
  }
});

test("planted: a bump that does not wait for the other's lock counts twice, and the same check says so", async () => {
  const careless = faultInjectingPool(({ text, ...rest }) =>
    text.endsWith(" for update") && /from (orders|tickets)/.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless });
  faulty.clock.set(new Date().toISOString());
  const inFaulty: ChangeAs = async ({ cookie }, ticket, body) => {
    const headers = { "idempotency-key": randomUUID() };
    return consoleCall(faulty, "POST", `/screen/kitchen/tickets/${ticket}`, { screen: cookie, body, headers });
  };
  let doubled = 0;
  for (let pair = 0; pair < 20 && doubled === 0; pair++) {
    const ticket = await fireTicket();
    await both(inFaulty, ticket, [CONSOLE_BODIES.changeTicket as object, BUMP]);
    if ((await effectsOf(ticket)).length > 1) doubled += 1;
  }
  expect(doubled).toBe(1);
  await faulty.close();
});

/** The till in the console: connected, changed and disconnected by managers, over HTTP. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { disconnectPos } from "./service.ts";

const URL = "https://pos.example/orders";
const OTHER = "https://till.example/in";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let second: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  second = await createUser(app, lab.slug, "manager", "mia@lab.example");
  const olga = await createUser(app, lab.slug, "owner", "olga@lab.example");
  await olga.call("GET", `/venues/${lab.slug}/board`);
});
afterAll(() => app.close());
beforeEach(async () => {
  await forVenue(app.deps, lab.slug, disconnectPos);
  await app.database.asOwner("delete from audit_entries where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("delete from security_alerts");
});

const path = (): string => `/venues/${lab.slug}/till`;
const till = async () => (await manager.call("GET", path())).body.data;
const connect = (seen_url: string | null, url: string, who = manager) => who.call("PUT", path(), { body: { seen_url, url } });
const disconnect = (seen_url: string, who = manager) =>
  who.call("DELETE", path(), { body: { seen_url }, headers: { "idempotency-key": randomUUID() } });
const entries = () =>
  app.database.asOwner("select action, actor_name from audit_entries where restaurant_id = $1 and action like 'pos.%' order by id", [
    lab.id,
  ]);

test("a till is connected with its secret shown once, receives new orders, is changed and disconnected", async () => {
  expect((await till()).till).toBeNull();
  const connected = await connect(null, URL);
  expect([connected.status, connected.body.data]).toEqual([201, { secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/) }]);
  const shown = await manager.call("GET", path());
  expect(shown.body.data.till).toEqual({ url: URL, connected_by: "max", connected_at: expect.any(String) });
  expect(shown.text).not.toContain(connected.body.data.secret);
  const order = await placeLabOrder(app, lab);
  expect((await till()).pushes[0]).toMatchObject({ order_id: order, state: "ready", attempts: 0, last_failure: null });
  const changed = await connect(URL, OTHER, second);
  expect(changed.body.data.secret).not.toBe(connected.body.data.secret);
  expect((await till()).till.url).toBe(OTHER);
  expect((await disconnect(OTHER)).status).toBe(200);
  const after = await till();
  expect([after.till, after.pushes[0].state, after.pushes[0].last_failure.code]).toEqual([null, "failed", "disconnected"]);
  expect(await entries()).toEqual([
    { action: "pos.connected", actor_name: "max" },
    { action: "pos.connected", actor_name: "mia" },
    { action: "pos.disconnected", actor_name: "max" },
  ]);
  const mails = await app.database.asOwner<{ kind: string; body: string }>("select kind, body from security_alerts order by id");
  // The owner of the sample has never opened the venue, and gets no message.
  expect(mails.map(({ kind }) => kind)).toEqual(Array.from({ length: 2 }, () => "till.connected"));
  expect(mails[0]?.body).toContain("connected a till");
});

test("of two who connect at once one is told what is connected; a till that is another one is not disconnected", async () => {
  const answers = await Promise.all([connect(null, URL), connect(null, OTHER, second)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  const { url } = (await till()).till;
  expect([lost.code, lost.details.till.till.url]).toEqual(["state_changed", url]);
  expect(["max", "mia"]).toContain(lost.details.changed_by);
  const refused = await disconnect("https://gone.example/");
  expect([refused.status, (await till()).till.url]).toEqual([409, url]);
});

test("422 for addresses to which nothing can be sent", async () => {
  for (const url of ["http://pos.example/", "https://10.0.0.1/", "ftp://x", "no address"]) {
    const refused = await connect(null, url);
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["url"]]);
  }
  expect((await till()).till).toBeNull();
});

test("staff neither see nor change it; a manager of another venue finds nothing", async () => {
  const staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  const outsider = await createUser(app, (await app.venue("trattoria")).slug, "owner", "eve@lab.example");
  for (const [who, status] of [
    [staff, 403],
    [outsider, 404],
  ] as const) {
    expect((await who.call("GET", path())).status).toBe(status);
    expect((await connect(null, URL, who)).status).toBe(status);
    expect((await disconnect(URL, who)).status).toBe(status);
  }
  expect(await entries()).toEqual([]);
});

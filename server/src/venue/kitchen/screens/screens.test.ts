/** Paired screens over HTTP: the code, who may pair, what a screen may see, and its end. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { consoleCall, createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { beginPairing, pairScreen, SCREEN_SETTINGS } from "../../../../test/support/paired-screen.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { missingParts, settingErrors } from "./rules.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let manager: TestUser;
let staff: TestUser;
let otherManager: TestUser;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  staff = await createUser(app, lab.slug, "staff");
});
// A person may try ten codes in a minute.
let number = 0;
beforeEach(async () => {
  number += 1;
  manager = await createUser(app, lab.slug, "manager", `manager${number}@lab.example`);
  otherManager = await createUser(app, cafe.slug, "manager", `manager${number}@cafe.example`);
});
afterAll(() => app.close());

const body = (code: string) => ({ code, ...SCREEN_SETTINGS });
const stateOf = async (cookie: string) => (await consoleCall(app, "GET", "/screen", { screen: cookie })).body.data;

test("a device shows eight characters, a manager types them, and the device is a screen of that venue", async () => {
  const { code, cookie } = await beginPairing(app);
  expect(code).toMatch(/^[0-9A-Z]{8}$/);
  expect(await stateOf(cookie)).toMatchObject({ state: "pairing", code, screen: null });
  expect((await consoleCall(app, "GET", "/screen/kitchen", { screen: cookie })).status).toBe(401);
  const paired = await manager.act("POST", `/venues/${lab.slug}/screens`, { body: body(code) });
  expect([paired.status, paired.body.data.name, paired.body.data.paired_by]).toEqual([201, "Kitchen", "manager1"]);
  expect(await stateOf(cookie)).toMatchObject({ state: "paired", code: null, screen: { id: paired.body.data.id } });
  const kitchen = await consoleCall(app, "GET", "/screen/kitchen", { screen: cookie });
  expect([kitchen.status, kitchen.body.data.screen.id]).toEqual([200, paired.body.data.id]);
  const { screens, stations } = (await manager.call("GET", `/venues/${lab.slug}/screens`)).body.data;
  // Categories without a station are cooked at this one.
  expect(stations).toContain("kitchen");
  expect(screens.map(({ id }: { id: number }) => id)).toContain(paired.body.data.id);
});

test("a code works once, for ten minutes, and only for a manager who gave the password", async () => {
  const { code, cookie } = await beginPairing(app);
  expect((await staff.call("POST", `/venues/${lab.slug}/screens`, { body: body(code) })).body.error.code).toBe("role_required");
  const fresh = await createUser(app, lab.slug, "manager", "without@password.example");
  await app.database.asOwner("update sessions set password_at = null where user_id = (select id from users where email = $1)", [
    fresh.email,
  ]);
  expect((await fresh.call("POST", `/venues/${lab.slug}/screens`, { body: body(code) })).body.error.code).toBe("password_required");
  app.clock.set(new Date(Date.now() + 10 * 60_000).toISOString());
  expect(await stateOf(cookie)).toMatchObject({ state: "none" });
  const late = await manager.act("POST", `/venues/${lab.slug}/screens`, { body: body(code) });
  expect([late.status, Object.keys(late.body.error.details)]).toEqual([422, ["code"]]);
  app.clock.set(new Date().toISOString());
  const first = await manager.act("POST", `/venues/${lab.slug}/screens`, { body: body(code) });
  const second = await manager.act("POST", `/venues/${lab.slug}/screens`, { body: body(code) });
  expect([first.status, second.status]).toEqual([201, 422]);
});

test("of two managers of different venues who type one code at once, one gets the device", async () => {
  for (let round = 0; round < 8; round++) {
    const { code } = await beginPairing(app);
    const answers = await Promise.all([
      manager.act("POST", `/venues/${lab.slug}/screens`, { body: body(code) }),
      otherManager.act("POST", `/venues/${cafe.slug}/screens`, { body: body(code) }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    for (const { status, body: answer } of answers)
      if (status === 201) await app.database.asOwner("update screens set ended_at = now() where id = $1", [answer.data.id]);
  }
});

test("a screen sees its own venue alone, a user's cookie opens no screen, and a screen's cookie opens nothing else", async () => {
  const order = await placeLabOrder(app, lab);
  await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status: "accepted" } });
  const [own, foreign] = [await pairScreen(app, lab.slug, manager), await pairScreen(app, cafe.slug, otherManager)];
  const ticket = (await own.call("GET", "/kitchen")).body.data.tickets.at(-1);
  expect(ticket.order_id).toBe(order);
  expect((await foreign.call("GET", "/kitchen")).body.data.tickets).toEqual([]);
  const bump = { body: { change: "bump", seen_state: "fired" } };
  expect((await foreign.call("POST", `/kitchen/tickets/${ticket.id}`, bump)).status).toBe(404);
  expect((await consoleCall(app, "GET", "/screen/kitchen", { cookie: manager.cookie })).status).toBe(401);
  expect((await consoleCall(app, "GET", "/screen/kitchen", { screen: manager.cookie })).status).toBe(401);
  expect((await consoleCall(app, "GET", `/venues/${lab.slug}/board`, { screen: own.cookie })).status).toBe(401);
  expect((await consoleCall(app, "GET", `/venues/${lab.slug}/board`, { cookie: own.cookie })).status).toBe(401);
});

test("an ended screen is refused at once; changing and ending are for the venue's managers", async () => {
  const screen = await pairScreen(app, lab.slug, manager);
  const path = `/venues/${lab.slug}/screens/${screen.id}`;
  expect((await otherManager.call("PATCH", `/venues/${cafe.slug}/screens/${screen.id}`, { body: { name: "Mine" } })).status).toBe(404);
  expect((await otherManager.act("DELETE", `/venues/${cafe.slug}/screens/${screen.id}`, { body: {} })).status).toBe(404);
  const changed = await manager.call("PATCH", path, { body: { name: "Grill", language: "ar", has_sound: false } });
  expect(changed.body.data).toMatchObject({ name: "Grill", language: "ar", has_sound: false, stations: [] });
  expect((await manager.call("PATCH", path, { body: { stations: ["nowhere"] } })).body.error.details).toHaveProperty("stations");
  expect((await manager.call("PATCH", path, { body: { branch_id: 1_000_000 } })).body.error.details).toHaveProperty("branch_id");
  expect((await manager.act("DELETE", path, { body: {} })).status).toBe(200);
  expect((await screen.call("GET", "/kitchen")).body.error.code).toBe("signed_out");
  expect(await stateOf(screen.cookie)).toMatchObject({ state: "none", screen: null, venue_name: null });
  expect((await manager.act("DELETE", path, { body: {} })).status).toBe(404);
});

test("pairings of one IPv6 /48 are counted as those of one address", async () => {
  const behindProxy = await startApp({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  const begin = async (from: string) => (await consoleCall(behindProxy, "POST", "/screen/pairing", { body: {}, from })).status;
  try {
    const statuses = [];
    for (let network = 0; network < 31; network++) statuses.push(await begin(`2001:db8:7:${network.toString(16)}::1`));
    expect(statuses).toEqual([...Array(30).fill(201), 429]);
    expect(await begin("2001:db8:8::1")).toBe(201);
  } finally {
    await behindProxy.close();
  }
});

test("pairings are counted by address", async () => {
  const statuses = [];
  for (let attempt = 0; attempt < 40; attempt++)
    statuses.push((await consoleCall(app, "POST", "/screen/pairing", { body: {}, from: "203.0.113.9" })).status);
  expect(statuses.at(-1)).toBe(429);
});

test("settings name branches and stations of the venue", () => {
  const choices = { branches: [{ id: 5, name: { en: "Old town" } }], stations: ["grill"] };
  expect(settingErrors({ branch_id: 5, stations: ["grill"] }, choices)).toEqual({});
  expect(Object.keys(settingErrors({ branch_id: 6, stations: ["bar"] }, choices))).toEqual(["branch_id", "stations"]);
  expect(settingErrors({ branch_id: null, stations: ["bar"] }, choices, ["bar"])).toEqual({});
  expect(missingParts({ branch_id: 5, stations: ["grill"] }, choices)).toEqual({ stations: [], is_branch_missing: false });
  expect(missingParts({ branch_id: null, stations: [] }, choices)).toEqual({ stations: [], is_branch_missing: false });
  expect(missingParts({ branch_id: 6, stations: ["bar", "grill"] }, choices)).toEqual({ stations: ["bar"], is_branch_missing: true });
});

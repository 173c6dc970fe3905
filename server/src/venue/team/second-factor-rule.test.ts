/** A venue that asks its owners and managers for a second factor: who is refused, what the session says, and how it ends. */
import { randomBytes } from "node:crypto";
import type { Membership } from "@comanda/contract/console/session.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeAt, stepAt } from "#lib/totp.ts";
import { type ConsoleAnswer, createUser, PASSWORD, type TestUser } from "../../../test/support/console-client.ts";
import { openStream } from "../../../test/support/console-stream.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let manager: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  [owner, manager, staff] = [
    await createUser(app, lab.slug, "owner"),
    await createUser(app, lab.slug, "manager"),
    await createUser(app, lab.slug, "staff"),
  ];
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const met = ({ status, body }: ConsoleAnswer): string => `${status} ${body.error?.code ?? ""}`.trim();
const rule = (by: TestUser, seen_is_required: boolean, is_required: boolean) =>
  by.act("PUT", `/venues/${lab.slug}/team/second-factor`, { body: { seen_is_required, is_required } });
const setUpFactor = async (person: TestUser): Promise<void> => {
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const confirmed = await person.call("PUT", "/second-factor", { body: { code: codeAt(secret, stepAt(app.clock.now())) } });
  expect(confirmed.status, confirmed.text).toBe(200);
};
const isMissing = async (person: TestUser): Promise<boolean[]> =>
  (await person.call("GET", "/session")).body.data.venues.map((venue: Membership) => venue.is_second_factor_missing);
const READ = () => `/venues/${lab.slug}/board`;

test("who has none cannot ask it of others", async () => {
  const refused = await rule(owner, false, true);
  expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["is_required"]]);
  expect([met(await manager.call("GET", READ())), await isMissing(manager)]).toEqual(["200", [false]]);
});

test("once it is asked for, managers without one are refused everywhere in the venue until it is set up; staff work on", async () => {
  await setUpFactor(owner);
  const [ended, going] = await Promise.all([manager, staff].map((person) => openStream(app, lab.slug, person)));
  expect((await rule(owner, false, true)).body.data).toEqual({ is_second_factor_required: true });
  await expect.poll(() => [ended?.isEnded(), going?.text().includes('"team"')]).toEqual([true, true]);
  expect(going?.isEnded()).toBe(false);
  going?.close();
  expect([await isMissing(owner), await isMissing(manager), await isMissing(staff)]).toEqual([[false], [true], [false]]);
  expect([met(await owner.call("GET", READ())), met(await staff.call("GET", READ()))]).toEqual(["200", "200"]);
  const refusals = [
    await manager.call("GET", READ()),
    await manager.call("GET", `/venues/${lab.slug}/live`),
    await manager.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "x", scopes: ["menu:read"] } }),
  ];
  expect(refusals.map(met)).toEqual(Array(3).fill("403 second_factor_setup_required"));
  await setUpFactor(manager);
  expect([met(await manager.call("GET", READ())), await isMissing(manager)]).toEqual(["200", [false]]);
});

test("it is recorded, a page that saw something else is refused, and taking it back lets everyone in", async () => {
  const other = await createUser(app, lab.slug, "manager", "other@lab.example");
  expect(met(await other.call("GET", READ()))).toBe("403 second_factor_setup_required");
  const late = await rule(owner, false, true);
  expect([met(late), late.body.error.details]).toMatchObject([
    "409 state_changed",
    { is_second_factor_required: true, changed_by: "owner" },
  ]);
  expect((await owner.call("GET", `/venues/${lab.slug}/team`)).body.data.is_second_factor_required).toBe(true);
  expect((await rule(owner, true, true)).status).toBe(200);
  expect((await rule(owner, true, false)).status).toBe(200);
  expect(met(await other.call("GET", READ()))).toBe("200");
  const { body } = await owner.call("GET", `/venues/${lab.slug}/activity?area=staff&rows=1`);
  expect(body.data[0]).toMatchObject({
    action: "staff.factor_rule_changed",
    before: { is_second_factor_required: true },
    after: { is_second_factor_required: false },
  });
});

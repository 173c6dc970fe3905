/** T3.9: an owner decides once, about exactly what was asked, for a venue of their own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestVenue } from "../../../test/app.ts";
import { hire, type TestPerson } from "../../../test/console.ts";
import {
  askConsent,
  authorizeUrl,
  exchangeForm,
  grant,
  install,
  newApp,
  newPkce,
  type Pair,
  postForm,
  refreshed,
} from "../../../test/marketplace.ts";
import type { NewSecret } from "../apps/service.ts";

let app: TestApp;
let venue: TestVenue;
let elsewhere: TestVenue;
let client: NewSecret;
let owner: TestPerson;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" } });
  venue = await app.venue("trattoria");
  elsewhere = await app.venue("gulf-cafe");
  owner = await hire(app, venue.slug, "owner");
  client = await newApp(app.deps);
});
afterAll(() => app.close());

const ask = (scope = "menu:read orders:read") => askConsent(app, authorizeUrl(client, newPkce(), { scope }));
const decide = (person: TestPerson, slug: string, request: string, scopes = ["menu:read"]) =>
  person.act("POST", `/venues/${slug}/consents`, { body: { request, scopes } });
const menuStatus = async (token: string): Promise<number> => (await app.call(token, "GET", "/menus")).status;

test("the screen is told who asks, for what, and where the owner will be sent", async () => {
  const { status, body } = await owner.call("POST", "/consents/read", { body: { request: await ask() } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    app: { client_id: client.client_id, name: "Table Talk", developer: "Talk Ltd", site: "https://app.example", is_listed: false },
    scopes: ["menu:read", "orders:read"],
    redirect_host: "app.example",
    venues: [{ slug: venue.slug, is_owner: true, granted: null }],
  });
});

test("scopes that the venue's plan has no use for are named", async () => {
  await app.database.asOwner("update restaurants set plan = 'essential' where id = $1", [venue.id]);
  const { body } = await owner.call("POST", "/consents/read", {
    body: { request: await ask("menu:read reservations:write reports:read") },
  });
  expect(body.data.venues[0].plan_lacks).toEqual(["reservations:write", "reports:read"]);
  await app.database.asOwner("update restaurants set plan = 'complete' where id = $1", [venue.id]);
});

describe("R5.2-04 who may allow", () => {
  test("R5.2-04 neither manager, staff, nor an owner of another venue; and nothing was spent by trying", async () => {
    const request = await ask();
    const manager = await hire(app, venue.slug, "manager");
    const staff = await hire(app, venue.slug, "staff");
    const stranger = await hire(app, elsewhere.slug, "owner");
    for (const person of [manager, staff]) expect((await decide(person, venue.slug, request)).body.error.code).toBe("role_required");
    expect((await decide(stranger, venue.slug, request)).status).toBe(404);
    expect((await decide(owner, elsewhere.slug, request)).status).toBe(404);
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
  });
  test("R5.2-04 the screen tells a manager that it takes an owner", async () => {
    const person = await hire(app, venue.slug, "manager", "second@manager.example");
    const { body } = await person.call("POST", "/consents/read", { body: { request: await ask() } });
    expect(body.data.venues).toMatchObject([{ slug: venue.slug, is_owner: false }]);
  });
});

describe("T3.9 one decision about one request", () => {
  test("T3.9 a second decision is refused, whichever it is", async () => {
    const request = await ask();
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
    expect((await decide(owner, venue.slug, request)).status).toBe(422);
    expect((await owner.call("POST", "/consents/deny", { body: { request } })).status).toBe(422);
    expect((await owner.call("POST", "/consents/read", { body: { request } })).status).toBe(422);
  });
  test("T3.9 twenty decisions at once: one counts", async () => {
    const request = await ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(owner, venue.slug, request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
  });
  test("T3.9 a scope that was not asked for is refused, and the request is as it was", async () => {
    const request = await ask("menu:read");
    expect((await decide(owner, venue.slug, request, ["menu:read", "guests:read"])).status).toBe(422);
    expect((await decide(owner, venue.slug, request, ["everything"])).status).toBe(422);
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
  });
  test("T3.9 an unknown, an altered and an expired request are refused alike", async () => {
    const request = await ask();
    for (const wrong of ["x", `${request.slice(0, -1)}${request.endsWith("a") ? "b" : "a"}`])
      expect((await decide(owner, venue.slug, wrong)).status).toBe(422);
    app.clock.advance(30 * 60 * 1000 + 1);
    expect((await decide(owner, venue.slug, request)).status).toBe(422);
  });
  test("R5.2-03 a no is sent back as access_denied, with state and iss", async () => {
    const { body } = await owner.call("POST", "/consents/deny", { body: { request: await ask() } });
    const { searchParams } = new URL(body.data.redirect_to);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "a state",
      iss: "http://localhost",
    });
  });
});

describe("consent given again", () => {
  const again = async (asked: string, ticked: string[]): Promise<Pair> => {
    const pkce = newPkce();
    const request = await askConsent(app, authorizeUrl(client, pkce, { scope: asked }));
    const { body } = await decide(owner, venue.slug, request, ticked);
    const redirect = new URL(body.data.redirect_to);
    const code = redirect.searchParams.get("code") ?? "";
    return (await postForm(app, "/oauth/token", exchangeForm(client, { code, pkce, redirect }))).body;
  };
  const ordersStatus = async (token: string): Promise<number> => (await app.call(token, "GET", "/orders")).status;

  test("what is unticked now ends for every token of the app, at once; what was not asked about stays", async () => {
    const first = await install(app, { owner, slug: venue.slug }, client, ["menu:read", "orders:read"]);
    const second = await again("menu:read", ["menu:read"]);
    expect([await ordersStatus(first.access_token), await menuStatus(second.access_token)]).toEqual([200, 200]);
    const third = await again("menu:read orders:read", ["menu:read"]);
    expect(third.scope).toBe("menu:read");
    expect([await ordersStatus(first.access_token), await menuStatus(first.access_token)]).toEqual([403, 200]);
    expect((await refreshed(app, client, first.refresh_token)).body.scope).toBe("menu:read");
    const { body } = await owner.call("GET", `/venues/${venue.slug}/apps`);
    expect(body.data.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([["menu:read"]]);
  });

  test("a grant of which everything was unticked gives nothing more", async () => {
    const visitor = { owner, slug: venue.slug };
    const another = await newApp(app.deps);
    const [pair, code] = [await install(app, visitor, another, ["menu:read"]), await grant(app, visitor, another, ["menu:read"])];
    const request = await askConsent(app, authorizeUrl(another, newPkce(), { scope: "menu:read orders:read" }));
    expect((await decide(owner, venue.slug, request, ["orders:read"])).status).toBe(200);
    expect(await menuStatus(pair.access_token)).toBe(403);
    for (const answer of [
      await refreshed(app, another, pair.refresh_token),
      await postForm(app, "/oauth/token", exchangeForm(another, code)),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
  });

  test("the activity log names who allowed what, and when it ended", async () => {
    const { body } = await owner.call("GET", `/venues/${venue.slug}/activity?area=app&rows=100`);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toContain("app.installed");
    expect(actions).toContain("app.allowed_again");
    expect(JSON.stringify(body)).not.toMatch(/svc_(ac|ort|oat|cs)_/);
  });
});

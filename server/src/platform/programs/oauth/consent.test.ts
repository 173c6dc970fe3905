/** T3.9: an owner decides once about one request, for a venue that the owner owns. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import {
  askConsent,
  authorizeUrl,
  exchangeForm,
  grant,
  type IssuedPair,
  install,
  newApp,
  newPkce,
  postForm,
  refreshed,
} from "../../../../test/support/marketplace.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import type { RegisteredClient } from "../apps/service.ts";

let app: TestApp;
let venue: TestVenue;
let elsewhere: TestVenue;
let client: RegisteredClient;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" } });
  venue = await app.venue("trattoria");
  elsewhere = await app.venue("gulf-cafe");
  owner = await createUser(app, venue.slug, "owner");
  client = await newApp(app.deps);
});
afterAll(() => app.close());

const ask = (scope = "menu:read orders:read") => askConsent(app, authorizeUrl(client, newPkce(), { scope }));
const decide = (person: TestUser, slug: string, request: string, scopes = ["menu:read"]) =>
  person.act("POST", `/venues/${slug}/consents`, { body: { request, scopes } });
const menuStatus = async (token: string): Promise<number> => (await app.call(token, "GET", "/menus")).status;

test("the consent screen shows the app, the scopes and the host of the redirect", async () => {
  const { status, body } = await owner.call("POST", "/consents/read", { body: { request: await ask() } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    app: { client_id: client.client_id, name: "Table Talk", developer: "Talk Ltd", site: "https://app.example", is_listed: false },
    scopes: ["menu:read", "orders:read"],
    redirect_host: "app.example",
    venues: [{ slug: venue.slug, is_owner: true, granted: null }],
  });
});

test("scopes without any operation in the venue's plan are listed", async () => {
  await app.database.asOwner("update restaurants set plan = 'essential' where id = $1", [venue.id]);
  const { body } = await owner.call("POST", "/consents/read", {
    body: { request: await ask("menu:read reservations:write reports:read") },
  });
  expect(body.data.venues[0].plan_lacks).toEqual(["reservations:write", "reports:read"]);
  await app.database.asOwner("update restaurants set plan = 'complete' where id = $1", [venue.id]);
});

describe("R5.2-04 who may allow", () => {
  test("R5.2-04 managers, staff and owners of other venues may not, and their attempts do not use the request", async () => {
    const request = await ask();
    const manager = await createUser(app, venue.slug, "manager");
    const staff = await createUser(app, venue.slug, "staff");
    const outsider = await createUser(app, elsewhere.slug, "owner");
    for (const person of [manager, staff]) expect((await decide(person, venue.slug, request)).body.error.code).toBe("role_required");
    expect((await decide(outsider, venue.slug, request)).status).toBe(404);
    expect((await decide(owner, elsewhere.slug, request)).status).toBe(404);
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
  });
  test("R5.2-04 the consent screen says that a manager is not an owner", async () => {
    const person = await createUser(app, venue.slug, "manager", "second@manager.example");
    const { body } = await person.call("POST", "/consents/read", { body: { request: await ask() } });
    expect(body.data.venues).toMatchObject([{ slug: venue.slug, is_owner: false }]);
  });
});

describe("one decision about one request", () => {
  test("422 for a second decision of any kind", async () => {
    const request = await ask();
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
    expect((await decide(owner, venue.slug, request)).status).toBe(422);
    expect((await owner.call("POST", "/consents/deny", { body: { request } })).status).toBe(422);
    expect((await owner.call("POST", "/consents/read", { body: { request } })).status).toBe(422);
  });
  test("of twenty concurrent decisions one succeeds", async () => {
    const request = await ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(owner, venue.slug, request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
  });
  test("422 for a scope that was not requested, and the request can still be decided", async () => {
    const request = await ask("menu:read");
    expect((await decide(owner, venue.slug, request, ["menu:read", "guests:read"])).status).toBe(422);
    expect((await decide(owner, venue.slug, request, ["everything"])).status).toBe(422);
    expect((await decide(owner, venue.slug, request)).status).toBe(200);
  });
  test("422 for an unknown, an altered and an expired request", async () => {
    const request = await ask();
    for (const wrong of ["x", `${request.slice(0, -1)}${request.endsWith("a") ? "b" : "a"}`])
      expect((await decide(owner, venue.slug, wrong)).status).toBe(422);
    app.clock.advance(30 * 60 * 1000 + 1);
    expect((await decide(owner, venue.slug, request)).status).toBe(422);
  });
  test("R5.2-03 a denial is sent to the app as access_denied, with state and iss", async () => {
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
  const again = async (asked: string, ticked: string[]): Promise<IssuedPair> => {
    const pkce = newPkce();
    const request = await askConsent(app, authorizeUrl(client, pkce, { scope: asked }));
    const { body } = await decide(owner, venue.slug, request, ticked);
    const redirect = new URL(body.data.redirect_to);
    const code = redirect.searchParams.get("code") ?? "";
    return (await postForm(app, "/oauth/token", exchangeForm(client, { code, pkce, redirect }))).body;
  };
  const ordersStatus = async (token: string): Promise<number> => (await app.call(token, "GET", "/orders")).status;

  test("a scope that is taken back ends for every token of the app at once; scopes that were not requested stay", async () => {
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

  test("400 invalid_grant for a grant without any scope left", async () => {
    const consenting = { owner, slug: venue.slug };
    const another = await newApp(app.deps);
    const [pair, code] = [await install(app, consenting, another, ["menu:read"]), await grant(app, consenting, another, ["menu:read"])];
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

describe("D137 an app in a sandbox", () => {
  const sandboxSlug = () => `${venue.slug}.sandbox`;
  const menusOf = async (token: string) => {
    const { status, headers, body } = await app.call(token, "GET", "/menus");
    return { status, isSandbox: headers.get("service-sandbox"), ids: body.data?.map(({ id }: { id: number }) => id) };
  };
  const installedIn = async (slug: string) => (await owner.call("GET", `/venues/${slug}/apps`)).body.data.length;

  test("it is installed beside the venue: its tokens see the sandbox alone, also after a reset and a new sandbox token, until it is uninstalled", async () => {
    const tried = await newApp(app.deps);
    const ofNobody = await owner.call("POST", "/consents/read", {
      body: { request: await askConsent(app, authorizeUrl(tried, newPkce())) },
    });
    expect(ofNobody.body.data.venues).toMatchObject([{ slug: venue.slug, sandbox: null }]);
    expect((await owner.call("GET", `/venues/${sandboxSlug()}/apps`)).status).toBe(404);
    const sandboxToken = (await owner.act("POST", `/venues/${venue.slug}/sandbox`, {})).body.data.token;
    const request = await askConsent(app, authorizeUrl(tried, newPkce()));
    const { body } = await owner.call("POST", "/consents/read", { body: { request } });
    expect(body.data.venues).toMatchObject([{ slug: venue.slug, granted: null, sandbox: { slug: sandboxSlug(), granted: null } }]);

    const before = await installedIn(venue.slug);
    const pair = await install(app, { owner, slug: sandboxSlug() }, tried, ["menu:read", "orders:write"]);
    expect(pair.access_token).toMatch(/^\d+\|svc_oat_/);
    const sandboxMenus = await menusOf(sandboxToken);
    expect(sandboxMenus).toMatchObject({ status: 200, isSandbox: "true" });
    expect(await menusOf(pair.access_token)).toEqual(sandboxMenus);
    expect(await menusOf(venue.token)).toMatchObject({ status: 200, isSandbox: null });
    expect([await installedIn(venue.slug), await installedIn(sandboxSlug())]).toEqual([before, 1]);
    const again = await owner.call("POST", "/consents/read", { body: { request: await askConsent(app, authorizeUrl(tried, newPkce())) } });
    expect(again.body.data.venues[0]).toMatchObject({ granted: null, sandbox: { granted: ["menu:read", "orders:write"] } });

    expect((await owner.act("POST", `/venues/${venue.slug}/sandbox/reset`, {})).status).toBe(200);
    const renewed = await owner.act("POST", `/venues/${venue.slug}/sandbox`, {});
    expect((await menusOf(sandboxToken)).status).toBe(401);
    const { body: second } = await refreshed(app, tried, pair.refresh_token);
    expect(await menusOf(second.access_token)).toEqual(await menusOf(renewed.body.data.token));

    const [{ id }] = (await owner.call("GET", `/venues/${sandboxSlug()}/apps`)).body.data;
    expect((await owner.act("DELETE", `/venues/${venue.slug}/apps/${id}`, { body: {} })).status).toBe(404);
    expect((await owner.act("DELETE", `/venues/${sandboxSlug()}/apps/${id}`, { body: {} })).status).toBe(200);
    expect((await menusOf(second.access_token)).status).toBe(401);
  });

  test("consents and tokens stay on the real clock when the sandbox's clock is ahead", async () => {
    const { token } = (await owner.act("POST", `/venues/${venue.slug}/sandbox`, {})).body.data;
    expect((await app.call(token, "POST", "/sandbox/clock", { body: { forward_seconds: 5 * 60 * 60 } })).status).toBe(200);
    const tried = await newApp(app.deps);
    const pair = await install(app, { owner, slug: sandboxSlug() }, tried, ["menu:read"]);
    expect((await menusOf(pair.access_token)).status).toBe(200);
    const { body } = await refreshed(app, tried, pair.refresh_token);
    expect((await menusOf(body.access_token)).status).toBe(200);
  });

  test("only owners of the venue may allow it there", async () => {
    const request = await ask();
    const manager = await createUser(app, venue.slug, "manager", "sandbox@manager.example");
    const outsider = await createUser(app, elsewhere.slug, "owner", "sandbox@outsider.example");
    expect((await decide(manager, sandboxSlug(), request)).body.error.code).toBe("role_required");
    expect((await decide(outsider, sandboxSlug(), request)).status).toBe(404);
    expect((await decide(owner, `${elsewhere.slug}.sandbox`, request)).status).toBe(404);
  });
});

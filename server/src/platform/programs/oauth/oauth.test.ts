/** The OAuth flow of the contract (§4.6, §5.2): consent, exchange, refresh, revoke, uninstall. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import {
  allow,
  askConsent,
  authorizeUrl,
  type ConsentingOwner,
  credentialsOf,
  exchangeForm,
  grant,
  type IssuedPair,
  install,
  newApp,
  newPkce,
  post,
  postForm,
  REDIRECT,
  refreshed,
  refreshForm,
} from "../../../../test/support/marketplace.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import type { RegisteredClient } from "../apps/service.ts";

let app: TestApp;
let venue: TestVenue;
let client: RegisteredClient;
let owner: TestUser;
let consenting: ConsentingOwner;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000" } });
  venue = await app.venue("trattoria");
  owner = await createUser(app, venue.slug, "owner");
  client = await newApp(app.deps);
  consenting = { owner, slug: venue.slug };
});
afterAll(() => app.close());

const menuStatus = async (token: string): Promise<number> => (await app.call(token, "GET", "/menus")).status;

test("R5.2-01 R4.6-02 R4.6-03 R5.2-14 an owner's consent gives a code, and the code a pair of tokens", async () => {
  const granted = await grant(app, consenting, client);
  expect(granted.redirect.href.startsWith(`${REDIRECT}?`)).toBe(true);
  expect(granted.redirect.searchParams.get("state")).toBe("a state");
  expect(granted.redirect.searchParams.get("iss")).toBe("http://localhost:80".replace(":80", ""));
  expect(granted.code).toMatch(/^svc_ac_[0-9A-Za-z]{40}$/);
  const answer = await postForm(app, "/oauth/token", exchangeForm(client, granted));
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[1-9][0-9]*\|svc_oat_[0-9A-Za-z]{48}$/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_ort_[0-9A-Za-z]{40}$/),
    scope: "menu:read orders:read",
  });
  expect(await menuStatus(answer.body.access_token)).toBe(200);
  const asJson = await grant(app, consenting, client);
  const json = await post(app, "/oauth/token", JSON.stringify(exchangeForm(client, asJson)), { "content-type": "application/json" });
  expect(json.status, json.text).toBe(200);
});

test("R5.2-07 a client authenticates by HTTP Basic with form-encoded id and secret (RFC 6749 §2.3.1)", async () => {
  const { client_id, client_secret, ...rest } = exchangeForm(client, await grant(app, consenting, client));
  const encoded = Buffer.from(`${String(client_id).replaceAll("_", "%5F")}:${encodeURIComponent(client_secret ?? "")}`).toString("base64");
  const answer = await postForm(app, "/oauth/token", { ...rest, client_id }, { authorization: `Basic ${encoded}` });
  expect(answer.status, answer.text).toBe(200);
});

test("R5.2-08 an access token is limited to its scopes and its venue", async () => {
  const pair = await install(app, consenting, client, ["menu:read"]);
  expect(await menuStatus(pair.access_token)).toBe(200);
  const refused = await app.call(pair.access_token, "GET", "/orders");
  expect([refused.status, refused.body.error.code]).toEqual([403, "insufficient_scope"]);
});

test("R5.2-09 an access token works at 3,599 s and not at 3,601 s", async () => {
  const pair = await install(app, consenting, client);
  app.clock.advance(3_599_000);
  expect(await menuStatus(pair.access_token)).toBe(200);
  app.clock.advance(2_000);
  expect(await menuStatus(pair.access_token)).toBe(401);
});

test("R5.2-10 a scope that the owner removes is not granted; without any scope the consent is denied", async () => {
  const pkce = newPkce();
  const request = await askConsent(app, authorizeUrl(client, pkce, { scope: "menu:read guests:read" }));
  const redirect = await allow(consenting, request, ["menu:read"]);
  const granted = { code: redirect.searchParams.get("code") ?? "", pkce, redirect };
  const answer = await postForm(app, "/oauth/token", exchangeForm(client, granted));
  expect(answer.body.scope).toBe("menu:read");
  const none = await allow(consenting, await askConsent(app, authorizeUrl(client, pkce)), []);
  expect([none.searchParams.get("error"), none.searchParams.get("code")]).toEqual(["access_denied", null]);
});

test("R5.2-11 a refresh replaces both tokens; the old ones are rejected", async () => {
  const pair = await install(app, consenting, client);
  const next = await refreshed(app, client, pair.refresh_token);
  expect(next.status, next.text).toBe(200);
  expect(next.body.access_token).not.toBe(pair.access_token);
  expect(next.body.refresh_token).not.toBe(pair.refresh_token);
  expect(await menuStatus(pair.access_token)).toBe(401);
  expect(await menuStatus(next.body.access_token)).toBe(200);
  const again = await refreshed(app, client, pair.refresh_token);
  expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
  expect((await refreshed(app, client, next.body.refresh_token)).status).toBe(200);
});

test("a refresh may narrow the access token; the grant keeps its scopes", async () => {
  const pair = await install(app, consenting, client);
  const narrow = await postForm(app, "/oauth/token", { ...refreshForm(client, pair.refresh_token), scope: "menu:read" });
  expect(narrow.body.scope).toBe("menu:read");
  expect((await app.call(narrow.body.access_token, "GET", "/orders")).status).toBe(403);
  const wide = await refreshed(app, client, narrow.body.refresh_token);
  expect(wide.body.scope).toBe("menu:read orders:read");
});

const REUSES: [string, number, boolean][] = [
  ["a moment later", 0, true],
  ["59 seconds later", 59_000, true],
  ["61 seconds later", 61_000, false],
  ["a day later", 86_400_000, false],
];
test.each(REUSES)("D152 a replaced refresh token is used again %s", async (_name, ms, survives) => {
  const first = await install(app, consenting, client);
  const second: IssuedPair = (await refreshed(app, client, first.refresh_token)).body;
  app.clock.advance(ms);
  expect((await refreshed(app, client, first.refresh_token)).body.error).toBe("invalid_grant");
  expect((await refreshed(app, client, second.refresh_token)).status).toBe(survives ? 200 : 400);
});

test("D152 a token of two rotations ago is a late retry within a minute; after it, the grant ends", async () => {
  const first = await install(app, consenting, client);
  const second: IssuedPair = (await refreshed(app, client, first.refresh_token)).body;
  app.clock.advance(30_000);
  const third: IssuedPair = (await refreshed(app, client, second.refresh_token)).body;
  app.clock.advance(29_000);
  expect((await refreshed(app, client, first.refresh_token)).status).toBe(400);
  const fourth = await refreshed(app, client, third.refresh_token);
  expect(fourth.status).toBe(200);
  app.clock.advance(2_000);
  expect((await refreshed(app, client, first.refresh_token)).status).toBe(400);
  expect((await refreshed(app, client, fourth.body.refresh_token)).status).toBe(400);
  expect(await menuStatus(fourth.body.access_token)).toBe(401);
});

test("R5.2-06 D150 a second use of a code ends the tokens of the first, also after a refresh", async () => {
  for (const refreshesBetween of [0, 1]) {
    const granted = await grant(app, consenting, client);
    let pair: IssuedPair = (await postForm(app, "/oauth/token", exchangeForm(client, granted))).body;
    if (refreshesBetween > 0) pair = (await refreshed(app, client, pair.refresh_token)).body;
    const again = await postForm(app, "/oauth/token", exchangeForm(client, granted));
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect(await menuStatus(pair.access_token)).toBe(401);
    expect((await refreshed(app, client, pair.refresh_token)).body.error).toBe("invalid_grant");
  }
});

test("D149 a rejected request does not use the code", async () => {
  const granted = await grant(app, consenting, client);
  const wrong = await postForm(app, "/oauth/token", { ...exchangeForm(client, granted), code_verifier: newPkce().verifier });
  expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_grant"]);
  expect((await postForm(app, "/oauth/token", exchangeForm(client, granted))).status).toBe(200);
});

test("D141 a code works at 299 s and not at 301 s", async () => {
  const [early, late] = [await grant(app, consenting, client), await grant(app, consenting, client)];
  app.clock.advance(299_000);
  expect((await postForm(app, "/oauth/token", exchangeForm(client, early))).status).toBe(200);
  app.clock.advance(2_000);
  expect((await postForm(app, "/oauth/token", exchangeForm(client, late))).body.error).toBe("invalid_grant");
});

test("R4.6-05 revoking a refresh token revokes its access token", async () => {
  const pair = await install(app, consenting, client);
  const answer = await postForm(app, "/oauth/revoke", { token: pair.refresh_token, ...credentialsOf(client) });
  expect([answer.status, answer.text, answer.headers["cache-control"]]).toEqual([200, "{}", "no-store"]);
  expect(await menuStatus(pair.access_token)).toBe(401);
  expect((await refreshed(app, client, pair.refresh_token)).body.error).toBe("invalid_grant");
});

test("R4.6-06 revoking an access token keeps its refresh token", async () => {
  const pair = await install(app, consenting, client);
  expect((await postForm(app, "/oauth/revoke", { token: pair.access_token, ...credentialsOf(client) })).text).toBe("{}");
  expect(await menuStatus(pair.access_token)).toBe(401);
  const next = await refreshed(app, client, pair.refresh_token);
  expect(next.status).toBe(200);
  expect(await menuStatus(next.body.access_token)).toBe(200);
});

test("R4.6-07 an app cannot use, refresh or revoke the tokens of another app", async () => {
  const other = await newApp(app.deps, { name: "Other" });
  const granted = await grant(app, consenting, client);
  const unknown = (await postForm(app, "/oauth/token", { ...exchangeForm(other, granted), code: `svc_ac_${"0".repeat(39)}1` })).text;
  expect((await postForm(app, "/oauth/token", exchangeForm(other, granted))).text).toBe(unknown);
  const pair: IssuedPair = (await postForm(app, "/oauth/token", exchangeForm(client, granted))).body;
  expect((await refreshed(app, other, pair.refresh_token)).text).toBe(unknown);
  for (const token of [pair.refresh_token, pair.access_token, venue.token, "svc_ort_", "nonsense"]) {
    const answer = await postForm(app, "/oauth/revoke", { token, ...credentialsOf(other) });
    expect([answer.status, answer.text]).toEqual([200, "{}"]);
  }
  expect(await menuStatus(pair.access_token)).toBe(200);
  expect(await menuStatus(venue.token)).toBe(200);
  expect((await refreshed(app, client, pair.refresh_token)).status).toBe(200);
});

test("R5.2-13 an uninstalled app is rejected from the next request on", async () => {
  const [one, two] = [await install(app, consenting, client), await install(app, consenting, client)];
  const unused = await grant(app, consenting, client);
  const { body } = await owner.call("GET", `/venues/${venue.slug}/apps`);
  const [installed] = body.data.filter((row: { app: { client_id: string } }) => row.app.client_id === client.client_id);
  expect(installed.granted_by).toBe("owner");
  expect((await owner.call("DELETE", `/venues/${venue.slug}/apps/${installed.id}`)).status).toBe(200);
  for (const pair of [one, two]) {
    expect(await menuStatus(pair.access_token)).toBe(401);
    expect((await refreshed(app, client, pair.refresh_token)).body.error).toBe("invalid_grant");
  }
  expect((await postForm(app, "/oauth/token", exchangeForm(client, unused))).body.error).toBe("invalid_grant");
  expect((await owner.call("DELETE", `/venues/${venue.slug}/apps/${installed.id}`)).status).toBe(404);
});

test("D41 D43 the tokens of an installation share the rate limit and the idempotency keys", async () => {
  const own = await newApp(app.deps, { name: "Counter" });
  const [one, two] = [
    await install(app, consenting, own, ["orders:write", "menu:read"]),
    await install(app, consenting, own, ["orders:write"]),
  ];
  const remaining = async (token: string) => Number((await app.call(token, "GET", "/menus")).headers.get("x-ratelimit-remaining"));
  const before = await remaining(one.access_token);
  expect(await remaining(two.access_token)).toBe(before - 1);
  const { data } = (await app.call(venue.token, "GET", "/items?available=true&per_page=100")).body;
  const plain = data.find(
    (item: { price_minor: number | null; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  );
  const body = {
    type: "pickup",
    channel: "web",
    customer_name: "Ada",
    customer_phone: "+39 1",
    lines: [{ item_id: plain.id, quantity: 1 }],
  };
  const place = (token: string) => app.call(token, "POST", "/orders", { body, headers: { "Idempotency-Key": "shared" } });
  const first = await place(one.access_token);
  const again = await place(two.access_token);
  expect([first.status, again.status], first.text).toEqual([first.status, first.status]);
  expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
  const foreign = await place(venue.token);
  expect(foreign.headers.get("idempotent-replayed")).toBeNull();
});

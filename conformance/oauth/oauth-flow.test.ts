/** OAuth for marketplace apps (contract §4.6, §5.2, §7.2). */
import { afterAll, expect, test } from "vitest";
import { call } from "../client.ts";
import { target } from "../target.ts";
import {
  allowed,
  authorizePath,
  canShowAddresses,
  client,
  closeBrowser,
  credentials,
  decide,
  exchangeFields,
  expectError,
  newPkce,
  other,
  refresh,
  revoke,
  send,
  tokens,
} from "./flow.ts";

afterAll(closeBrowser);

const menuStatus = async (token: string): Promise<number> => (await call(token, "GET", "/menus")).status;
const basic = (id: string, secret: string): string => `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;

test("R4.6-01 the endpoints are at the root, need no bearer token, and are not under the prefix", async () => {
  for (const path of ["/oauth/token", "/oauth/revoke"]) {
    expectError(await send(path, { fields: {} }), "invalid_client");
    expect((await call(target.venues[0]?.tokens.full ?? null, "POST", path)).status).toBe(404);
  }
});

test("R4.6-02 R4.6-03 R4.6-04 R5.2-01 R5.2-14 consent, code, exchange: as a form and as JSON", async () => {
  for (const as of ["form", "json"] as const) {
    const grant = await allowed();
    expect(`${grant.redirect.origin}${grant.redirect.pathname}`).toBe(client.redirect_uri);
    expect(grant.redirect.searchParams.get("state")).toBe("state of the test");
    expect(grant.code).toMatch(/^svc_ac_/);
    const answer = await send("/oauth/token", as === "form" ? { fields: exchangeFields(grant) } : { json: exchangeFields(grant) });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^\d+\|svc_oat_/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^svc_ort_/),
      scope: "menu:read orders:read",
    });
    expect(answer.headers["cache-control"]).toContain("no-store");
  }
  expect([client.client_id, client.client_secret]).toEqual([expect.stringMatching(/^svc_app_/), expect.stringMatching(/^svc_cs_/)]);
});

test("R4.6-05 a revoked refresh token is gone, and its access token with it", async () => {
  const pair = await tokens();
  expect(await menuStatus(pair.access_token)).toBe(200);
  const answer = await revoke(pair.refresh_token);
  expect([answer.status, answer.text]).toEqual([200, "{}"]);
  expect(await menuStatus(pair.access_token)).toBe(401);
  expectError(await refresh(pair.refresh_token), "invalid_grant");
});

test("R4.6-06 a revoked access token goes alone", async () => {
  const pair = await tokens();
  expect((await revoke(pair.access_token)).text).toBe("{}");
  expect(await menuStatus(pair.access_token)).toBe(401);
  expect((await refresh(pair.refresh_token)).status).toBe(200);
});

test("R4.6-07 revoking what is unknown, gone or another client's is 200 and has no effect", async () => {
  const pair = await tokens();
  for (const token of [pair.access_token, pair.refresh_token, "nonsense", `svc_ort_${"a".repeat(40)}`, `1|svc_oat_${"a".repeat(48)}`]) {
    const answer = await revoke(token, credentials(other));
    expect([answer.status, answer.text]).toEqual([200, "{}"]);
  }
  expect(await menuStatus(pair.access_token)).toBe(200);
  await revoke(pair.refresh_token);
  expect((await revoke(pair.refresh_token)).text).toBe("{}");
});

test("R4.6-08 R7.2-02 revoking without a token is 400, with wrong credentials 401; forms and JSON", async () => {
  expectError(await send("/oauth/revoke", { fields: credentials(client) }), "invalid_request");
  expectError(await send("/oauth/revoke", { json: credentials(client) }), "invalid_request");
  expectError(await revoke("x", { client_secret: "svc_cs_wrong" }), "invalid_client");
  const pair = await tokens();
  expect((await send("/oauth/revoke", { json: { token: pair.access_token, ...credentials(client) } })).text).toBe("{}");
  expect(await menuStatus(pair.access_token)).toBe(401);
});

test("R5.2-02 an unknown client or address gets an error page and no redirect", async () => {
  for (const changes of [
    { client_id: `svc_app_${"A".repeat(24)}` },
    { redirect_uri: "https://evil.example/" },
    { redirect_uri: `${client.redirect_uri}/` },
  ]) {
    const answer = await send(authorizePath(newPkce(), changes), { method: "GET" });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  }
});

test("R5.2-03 what else is wrong goes back to the app with its state", async () => {
  const cases = [
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: "everything" }, "invalid_scope"],
  ] as const;
  for (const [changes, error] of cases) {
    const { searchParams } = new URL(String((await send(authorizePath(newPkce(), changes), { method: "GET" })).headers.location));
    expect([searchParams.get("error"), searchParams.get("state")]).toEqual([error, "state of the test"]);
  }
  const { redirect_to = "" } = await decide({ allow: null, authorize_url: `${target.root_url}${authorizePath(newPkce())}` });
  const { searchParams } = new URL(redirect_to);
  expect([searchParams.get("error"), searchParams.get("state")]).toEqual(["access_denied", "state of the test"]);
});

test("R5.2-04 neither a manager nor an owner of another venue can allow it", async () => {
  for (const person of ["manager", "stranger"] as const) {
    const decision = await decide({ allow: ["menu:read"], person, authorize_url: `${target.root_url}${authorizePath(newPkce())}` });
    expect(decision.redirect_to).toBeUndefined();
    expect(decision.refused).toBeDefined();
  }
});

test("R5.2-05 the verifier must be the right one, and nothing may be missing", async () => {
  const grant = await allowed();
  expectError(await send("/oauth/token", { fields: exchangeFields(grant, { code_verifier: "w".repeat(43) }) }), "invalid_grant");
  for (const name of ["code_verifier", "code", "redirect_uri"])
    expectError(await send("/oauth/token", { fields: exchangeFields(grant, { [name]: undefined }) }), "invalid_request");
  expect((await send("/oauth/token", { fields: exchangeFields(grant) })).status).toBe(200);
});

test("R5.2-06 another address or client is refused; a second use ends what the first gave", async () => {
  const grant = await allowed();
  expectError(
    await send("/oauth/token", { fields: exchangeFields(grant, { redirect_uri: "https://app.example/other" }) }),
    "invalid_grant",
  );
  expectError(await send("/oauth/token", { fields: exchangeFields(grant, credentials(other)) }), "invalid_grant");
  const pair = (await send("/oauth/token", { fields: exchangeFields(grant) })).body as { access_token: string };
  expectError(await send("/oauth/token", { fields: exchangeFields(grant) }), "invalid_grant");
  expect(await menuStatus(pair.access_token)).toBe(401);
});

test("R5.2-07 R7.2-01 R7.2-02 the client by Basic or in the body, not both; wrong or none is 401", async () => {
  const grant = await allowed();
  const bare = exchangeFields(grant, { client_id: undefined, client_secret: undefined });
  const header = { authorization: basic(client.client_id, client.client_secret) };
  expectError(await send("/oauth/token", { fields: bare }), "invalid_client");
  expectError(await send("/oauth/token", { fields: exchangeFields(grant, { client_secret: "svc_cs_wrong" }) }), "invalid_client");
  expectError(await send("/oauth/token", { fields: exchangeFields(grant, { client_id: "svc_app_wrong" }) }), "invalid_client");
  expectError(await send("/oauth/token", { fields: exchangeFields(grant), headers: header }), "invalid_request");
  expect((await send("/oauth/token", { fields: bare, headers: header })).status).toBe(200);
});

test("R5.2-08 the token works within its scopes and for the installing venue alone", async () => {
  const { access_token } = await tokens(["menu:read"]);
  const mine = await call(access_token, "GET", "/menus");
  const own = await call(target.venues.find(({ slug }) => slug === target.oauth?.venue)?.tokens.full ?? null, "GET", "/menus");
  expect(mine.body).toEqual(own.body);
  const beyond = await call(access_token, "GET", "/orders");
  expect([beyond.status, beyond.text.includes("insufficient_scope")]).toEqual([403, true]);
});

test("R5.2-10 what the owner unticks is not in the answer's scope", async () => {
  const grant = await allowed(["menu:read"], ["menu:read", "guests:read"]);
  expect((await send("/oauth/token", { fields: exchangeFields(grant) })).body.scope).toBe("menu:read");
});

test("R5.2-11 a refresh gives a new pair, and the old one is refused", async () => {
  const pair = await tokens();
  const next = await refresh(pair.refresh_token);
  expect(next.status, next.text).toBe(200);
  const fresh = next.body as typeof pair;
  expect([fresh.access_token === pair.access_token, fresh.refresh_token === pair.refresh_token]).toEqual([false, false]);
  expect([await menuStatus(pair.access_token), await menuStatus(fresh.access_token)]).toEqual([401, 200]);
  expectError(await refresh(pair.refresh_token), "invalid_grant");
  expect((await refresh(fresh.refresh_token)).status).toBe(200);
});

test("R5.2-12 R7.2-02 another client cannot refresh it; grant types are those two", async () => {
  const pair = await tokens();
  expectError(await refresh(pair.refresh_token, credentials(other)), "invalid_grant");
  expectError(await refresh(pair.refresh_token, { grant_type: "password" }), "unsupported_grant_type");
  expectError(await refresh(pair.refresh_token, { grant_type: undefined }), "invalid_request");
});

test("R5.2-13 uninstalled, the app is out", async () => {
  const pair = await tokens();
  expect((await decide({ uninstall: client.client_id })).done).toBe(true);
  expect(await menuStatus(pair.access_token)).toBe(401);
  expectError(await refresh(pair.refresh_token), "invalid_grant");
});

test.runIf(canShowAddresses)("R7.2-03 too many from one address is 429 with a message; another address is unaffected", async () => {
  const ask = (from: string) => send("/oauth/token", { fields: {}, from });
  let last = await ask("127.0.99.1");
  for (let count = 0; last.status !== 429 && count < 1000; count++) last = await ask("127.0.99.1");
  expect([last.status, Object.keys(last.body)]).toEqual([429, ["message"]]);
  expect(Number(last.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect((await ask("127.0.99.2")).status).toBe(401);
});

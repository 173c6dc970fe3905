/** Two published OAuth client libraries: discovery, consent in a browser, exchange, refresh, revocation. */
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FORM } from "../../server/test/support/marketplace.ts";
import { openBrowser } from "./browser.ts";
import { type FakeApp, startFakeApp } from "./fake-app.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, callFrom, signInByInvitation } from "./sign-in.ts";

const SCOPE = "menu:read orders:read";

let server: RealServer;
let browser: Browser;
let fakeApp: FakeApp;
let page: Page;
let client: { client_id: string; client_secret: string };
beforeAll(async () => {
  [server, browser, fakeApp] = await Promise.all([startRealServer(), openBrowser(), startFakeApp()]);
  const slug = await server.venue("trattoria");
  ({ page } = await signInByInvitation(browser, server, await server.invite(slug, "owner@example.com")));
  const { json } = await callFrom(page, "POST", "/apps", { ...FORM, redirect_uris: [fakeApp.back] });
  client = (json as { data: typeof client }).data;
});
afterAll(async () => {
  await browser?.close();
  await fakeApp?.close();
  await server?.close();
});

/** Allows the request in the browser and returns the redirect URL. */
const allowInBrowser = async (address: URL): Promise<URL> => {
  await page.goto(address.href);
  await button(page, "Allow").click();
  await page.getByRole("heading", { name: "Back at the app" }).waitFor();
  return new URL(page.url());
};

const menuStatus = async (token: string): Promise<number> =>
  (await fetch(`${server.url}/api/v1/menus`, { headers: { authorization: `Bearer ${token}` } })).status;

const insecure = { [oauth.allowInsecureRequests]: true };

const METHODS = { client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost };

test.each(Object.entries(METHODS))("oauth4webapi with %s", async (_name, method) => {
  const issuer = new URL(server.url);
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }));
  const me: oauth.Client = { client_id: client.client_id };
  const proof = method(client.client_secret);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const address = new URL(as.authorization_endpoint ?? "");
  for (const [name, value] of Object.entries({
    response_type: "code",
    client_id: me.client_id,
    redirect_uri: fakeApp.back,
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }))
    address.searchParams.set(name, value);
  const back = oauth.validateAuthResponse(as, me, await allowInBrowser(address), state);
  const given = await oauth.processAuthorizationCodeResponse(
    as,
    me,
    await oauth.authorizationCodeGrantRequest(as, me, proof, back, fakeApp.back, verifier, insecure),
  );
  expect([given.token_type, given.expires_in, given.scope]).toEqual(["bearer", 3600, SCOPE]);
  expect(await menuStatus(given.access_token)).toBe(200);
  const next = await oauth.processRefreshTokenResponse(
    as,
    me,
    await oauth.refreshTokenGrantRequest(as, me, proof, given.refresh_token ?? "", insecure),
  );
  expect([await menuStatus(given.access_token), await menuStatus(next.access_token)]).toEqual([401, 200]);
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, me, proof, next.refresh_token ?? "", insecure));
  expect(await menuStatus(next.access_token)).toBe(401);
  const dead = await oauth.refreshTokenGrantRequest(as, me, proof, next.refresh_token ?? "", insecure);
  await expect(oauth.processRefreshTokenResponse(as, me, dead)).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
});

test("openid-client", async () => {
  const config = await openid.discovery(new URL(server.url), client.client_id, client.client_secret, undefined, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });
  const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: fakeApp.back,
    scope: SCOPE,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const back = await allowInBrowser(address);
  const given = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
  expect(await menuStatus(given.access_token)).toBe(200);
  const next = await openid.refreshTokenGrant(config, given.refresh_token ?? "");
  expect([await menuStatus(given.access_token), await menuStatus(next.access_token)]).toEqual([401, 200]);
  await openid.tokenRevocation(config, next.refresh_token ?? "");
  expect(await menuStatus(next.access_token)).toBe(401);
  await expect(openid.refreshTokenGrant(config, next.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
});

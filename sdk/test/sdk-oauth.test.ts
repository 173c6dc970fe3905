/** An app with the SDK: asks, exchanges, renews once for many, and goes on when its token was refused. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../../server/test/support/console-client.ts";
import { allow, askConsent, type ConsentingOwner, newApp, REDIRECT } from "../../server/test/support/marketplace.ts";
import {
  type AppCredentials,
  askOwner,
  createClient,
  exchangeCode,
  OAuthError,
  renewingToken,
  revokeToken,
  type TokenPair,
  type TokenStore,
} from "../src/index.ts";
import { type RunningService, startService } from "./running-service.ts";

let service: RunningService;
let app: AppCredentials;
let consentingOwner: ConsentingOwner;
beforeAll(async () => {
  service = await startService({ OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" });
  const { client_id, client_secret } = await newApp(service.app.deps);
  app = { rootUrl: service.rootUrl, clientId: client_id, clientSecret: client_secret };
  consentingOwner = { owner: await createUser(service.app, service.venue.slug, "owner"), slug: service.venue.slug };
});
afterAll(() => service.close());

const install = async (): Promise<TokenPair> => {
  const { url, state, codeVerifier } = await askOwner(app, REDIRECT, ["menu:read"]);
  const request = await askConsent(service.app, url.slice(service.rootUrl.length));
  const back = await allow(consentingOwner, request, ["menu:read"]);
  expect(back.searchParams.get("state")).toBe(state);
  return exchangeCode(app, { code: back.searchParams.get("code") ?? "", redirectUri: REDIRECT, codeVerifier });
};

const storeOf = (pair: TokenPair, saved: TokenPair[]): TokenStore => ({
  load: () => saved.at(-1) ?? pair,
  save: (next) => void saved.push(next),
});

test("from asking to a call, and to the end", async () => {
  const pair = await install();
  expect(pair.scope).toBe("menu:read");
  const client = createClient({ rootUrl: service.rootUrl, token: pair.accessToken });
  expect((await client.menus.list()).data.length).toBeGreaterThan(0);
  await revokeToken(app, pair.refreshToken);
  await expect(client.menus.list()).rejects.toMatchObject({ status: 401 });
  await expect(renewingToken(app, { load: () => pair, save: () => undefined })({ isRejected: true })).rejects.toBeInstanceOf(OAuthError);
});

test("fifty calls with a token that is over: one refresh, saved before it is used", async () => {
  const pair = await install();
  const saved: TokenPair[] = [];
  const token = renewingToken(app, storeOf({ ...pair, expiresAt: Date.now() }, saved));
  const client = createClient({ rootUrl: service.rootUrl, token });
  const answers = await Promise.all(Array.from({ length: 50 }, () => client.menus.list()));
  expect([answers.length, saved.length]).toEqual([50, 1]);
  expect(saved[0]?.refreshToken).not.toBe(pair.refreshToken);
});

test("a token that was refused before its time is renewed, and the call goes on", async () => {
  const pair = await install();
  await revokeToken(app, pair.accessToken);
  const saved: TokenPair[] = [];
  const client = createClient({ rootUrl: service.rootUrl, token: renewingToken(app, storeOf(pair, saved)) });
  await Promise.all([client.menus.list(), client.menus.list(), client.items.list()]);
  expect(saved.length).toBeGreaterThanOrEqual(1);
  expect((await client.menus.list()).data.length).toBeGreaterThan(0);
});

test("a client refused with a token that was refreshed meanwhile uses the new one and does not refresh again", async () => {
  const pair = await install();
  await revokeToken(app, pair.accessToken);
  const saved: TokenPair[] = [];
  const token = renewingToken(app, storeOf(pair, saved));
  const late = pair.accessToken;
  const renewed = await token({ isRejected: true, rejected: late });
  expect(await token({ isRejected: true, rejected: late })).toBe(renewed);
  expect(saved).toHaveLength(1);
});

test("a pair that could not be saved is not lost: the next who asks saves it", async () => {
  const pair = await install();
  const saved: TokenPair[] = [];
  const save = (next: TokenPair): void => {
    saved.push(next);
    if (saved.length === 1) throw new Error("the disk is full");
  };
  const token = renewingToken(app, { load: () => ({ ...pair, expiresAt: 0 }), save });
  await expect(token({ isRejected: false })).rejects.toThrow("the disk is full");
  const client = createClient({ rootUrl: service.rootUrl, token });
  expect((await client.menus.list()).data.length).toBeGreaterThan(0);
  expect(saved[1]).toEqual(saved[0]);
});

/** Processes with one store: each loads before any has refreshed, and the store is slow to save. */
const race = async (pair: TokenPair, processes: number, isShared: boolean): Promise<{ saves: number; results: string[] }> => {
  const saved: TokenPair[] = [];
  let loads = 0;
  const load = async (): Promise<TokenPair> => {
    loads++;
    while (loads < processes) await new Promise((resolve) => setTimeout(resolve, 5));
    return isShared ? (saved.at(-1) ?? pair) : pair;
  };
  const save = async (next: TokenPair): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    saved.push(next);
  };
  const tokens = Array.from({ length: processes }, () => renewingToken(app, { load, save }));
  const asked = tokens.map((token) => createClient({ rootUrl: service.rootUrl, token }).menus.list());
  const settled = await Promise.allSettled(asked);
  return { saves: saved.length, results: settled.map((one) => (one.status === "fulfilled" ? "works" : (one.reason as OAuthError).code)) };
};

test("eight processes refresh at the same moment: one wins, the others read its pair from the store", async () => {
  const pair = { ...(await install()), expiresAt: 0 };
  expect(await race(pair, 8, true)).toEqual({ saves: 1, results: Array(8).fill("works") });
});

test("planted: with a store that is not shared, the losers of the race fail", async () => {
  const { saves, results } = await race({ ...(await install()), expiresAt: 0 }, 2, false);
  expect([saves, results.toSorted()]).toEqual([1, ["invalid_grant", "works"]]);
});

test("a token of text that is refused is an error at once", async () => {
  const client = createClient({ rootUrl: service.rootUrl, token: "1|svc_nonsense" });
  await expect(client.menus.list()).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
});

/** T3.1–T3.5, T3.8: every row of what must be refused, with the request's right form going through afterwards. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { createUser } from "../support/console-client.ts";
import {
  authorizeUrl,
  type Changes,
  type ConsentingOwner,
  credentialsOf,
  exchangeForm,
  FORM_TYPE,
  grant,
  install,
  newApp,
  newPkce,
  post,
  postForm,
  REDIRECT,
  refreshForm,
  type TokenAnswer,
} from "../support/marketplace.ts";
import {
  BODY_ROWS,
  CLIENT_ROWS,
  EXCHANGE_ROWS,
  type OAuthCase,
  REFRESH_ROWS,
  REVOKE_ROWS,
  type WrongRequest,
} from "../support/oauth-cases.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
let client: RegisteredClient;
let other: RegisteredClient;
let approver: ConsentingOwner;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" } });
  const { slug } = await app.venue("trattoria");
  approver = { owner: await createUser(app, slug, "owner"), slug };
  client = await newApp(app.deps);
  other = await newApp(app.deps, { name: "Other" });
});
afterAll(() => app.close());

const send = (path: string, right: Changes, wrong: WrongRequest): Promise<TokenAnswer> => {
  const url = path + (wrong.path ?? "");
  if (wrong.raw === undefined) return postForm(app, url, { ...right, ...wrong.form }, wrong.headers as Record<string, string>);
  const type = wrong.type ?? FORM_TYPE["content-type"];
  return post(app, url, wrong.raw, { ...(type === "" ? {} : { "content-type": type }), ...wrong.headers });
};

/** Counted as they are seen, so that the figure says what happened and not what was planned. */
const seen = { refused: 0, accepted: 0 };

const expectRefused = (answer: TokenAnswer, error: string): void => {
  expect([answer.status, answer.body.error], answer.text).toEqual([error === "invalid_client" ? 401 : 400, error]);
  expect(Object.keys(answer.body)).toEqual(["error", "error_description"]);
  expect(answer.body.error_description.length).toBeGreaterThan(10);
  expect([answer.headers["cache-control"], answer.headers.pragma]).toEqual(["no-store", "no-cache"]);
  expect(answer.headers["x-ratelimit-remaining"]).toBeDefined();
  if (error === "invalid_client") expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
  seen.refused++;
};

const titled = (rows: OAuthCase[]) => rows.map((row) => [`${row[0]}: ${row[1]}`, row] as const);

describe("T3.8 R7.2-01 R7.2-02 exchanging a code", () => {
  test.each(titled([...CLIENT_ROWS, ...BODY_ROWS, ...EXCHANGE_ROWS]))("%s", async (_title, [, , change, error]) => {
    const granted = await grant(app, approver, client);
    const right = { ...exchangeForm(client, granted), challenge: granted.pkce.challenge };
    expectRefused(await send("/oauth/token", right, change({ client, other, right })), error);
    expect((await send("/oauth/token", right, {})).status).toBe(200);
    seen.accepted++;
  });
});

describe("T3.6 R5.2-12 refreshing", () => {
  test.each(titled([...CLIENT_ROWS, ...REFRESH_ROWS]))("%s", async (_title, [, , change, error]) => {
    const pair = await install(app, approver, client);
    const right = { ...refreshForm(client, pair.refresh_token), access: pair.access_token };
    expectRefused(await send("/oauth/token", right, change({ client, other, right })), error);
    expect((await app.call(pair.access_token, "GET", "/menus")).status).toBe(200);
    expect((await send("/oauth/token", right, {})).status).toBe(200);
    seen.accepted++;
  });
});

describe("R4.6-08 revoking", () => {
  test.each(titled([...CLIENT_ROWS, ...REVOKE_ROWS]))("%s", async (_title, [, , change, error]) => {
    const pair = await install(app, approver, client);
    const right: Changes = { token: pair.access_token, ...credentialsOf(client) };
    expectRefused(await send("/oauth/revoke", right, change({ client, other, right })), error);
    expect((await app.call(pair.access_token, "GET", "/menus")).status).toBe(200);
    expect((await send("/oauth/revoke", right, {})).text).toBe("{}");
    seen.accepted++;
    expect((await app.call(pair.access_token, "GET", "/menus")).status).toBe(401);
  });
});

/** What is wrong with an authorization request whose client and address are right, and the error that the app gets. */
const AUTHORIZE_ROWS: [string, string, Changes, string][] = [
  ["RFC 6749 §4.1.1", "response_type missing", { response_type: undefined }, "invalid_request"],
  ["RFC 6749 §3.1.1", "response_type token", { response_type: "token" }, "unsupported_response_type"],
  ["RFC 6749 §3.1.1", "response_type id_token", { response_type: "id_token" }, "unsupported_response_type"],
  ["RFC 6749 §3.1.1", "response_type code token", { response_type: "code token" }, "unsupported_response_type"],
  ["RFC 6749 §3.1.1", "response_type in capitals", { response_type: "CODE" }, "unsupported_response_type"],
  ["RFC 7636 §4.4.1", "code_challenge missing", { code_challenge: undefined }, "invalid_request"],
  ["RFC 7636 §4.4.1", "code_challenge empty", { code_challenge: "" }, "invalid_request"],
  ["RFC 7636 §4.2", "code_challenge too short", { code_challenge: "a".repeat(42) }, "invalid_request"],
  ["RFC 7636 §4.2", "code_challenge too long", { code_challenge: "a".repeat(44) }, "invalid_request"],
  ["RFC 7636 §4.2", "code_challenge with padding", { code_challenge: `${"a".repeat(42)}=` }, "invalid_request"],
  ["RFC 7636 §4.2", "code_challenge in plain base64", { code_challenge: `${"a".repeat(42)}+` }, "invalid_request"],
  ["RFC 9700 §2.1.1", "code_challenge_method plain", { code_challenge_method: "plain" }, "invalid_request"],
  ["RFC 7636 §4.3", "code_challenge_method missing, which means plain", { code_challenge_method: undefined }, "invalid_request"],
  ["RFC 7636 §4.3", "code_challenge_method S512", { code_challenge_method: "S512" }, "invalid_request"],
  ["RFC 7636 §4.3", "code_challenge_method in small letters", { code_challenge_method: "s256" }, "invalid_request"],
  ["RFC 6749 §3.3", "an unknown scope", { scope: "menu:read all" }, "invalid_scope"],
  ["RFC 6749 §3.3", "scopes separated by commas", { scope: "menu:read,orders:read" }, "invalid_scope"],
  ["RFC 6749 §3.3", "a scope in capitals", { scope: "MENU:READ" }, "invalid_scope"],
  ["RFC 6749 §3.3", "a scope that the app is not registered for", { scope: "guests:read" }, "invalid_scope"],
  ["RFC 9101 §6.3", "a request object", { request: "eyJ" }, "invalid_request"],
  ["RFC 9101 §6.3", "an address of a request object", { request_uri: "https://evil.example" }, "invalid_request"],
  ["RFC 6749 A.5", "U+0000 in the state", { state: "a\0b" }, "invalid_request"],
];
const REPEATED = ["response_type", "scope", "state", "code_challenge", "code_challenge_method"];

describe("R5.2-03 T3.5 an authorization request that is not right", () => {
  let narrow: RegisteredClient;
  beforeAll(async () => {
    narrow = await newApp(app.deps, { scopes: ["menu:read", "orders:read"] });
  });
  const expectError = async (url: string, error: string, state: string | null): Promise<void> => {
    const answer = await app.app.http.inject({ method: "GET", url });
    expect(answer.statusCode).toBe(302);
    const location = new URL(String(answer.headers.location));
    expect(`${location.origin}${location.pathname}`).toBe(REDIRECT);
    const { searchParams } = location;
    expect([searchParams.get("error"), searchParams.get("state"), searchParams.get("code")]).toEqual([error, state, null]);
    expect(searchParams.get("error_description")?.length).toBeGreaterThan(5);
    expect(searchParams.get("iss")).toBe("http://localhost");
    seen.refused++;
  };
  test.each(AUTHORIZE_ROWS.map((row) => [`${row[0]}: ${row[1]}`, row] as const))("%s", async (_title, [, , changes, error]) => {
    await expectError(authorizeUrl(narrow, newPkce(), changes), error, changes.state ?? "a state");
  });
  test.each(REPEATED)("RFC 6749 §3.1: repeated %s", async (name) => {
    const url = authorizeUrl(narrow, newPkce());
    const value = new URL(url, "http://x").searchParams.get(name) ?? "";
    await expectError(`${url}&${name}=${encodeURIComponent(value)}`, "invalid_request", name === "state" ? null : "a state");
  });
  test("the same without a fault leads to the consent page", async () => {
    const answer = await app.app.http.inject({ method: "GET", url: authorizeUrl(narrow, newPkce()) });
    expect([answer.statusCode, String(answer.headers.location)]).toEqual([302, expect.stringMatching(/^\/console\/consent\/\w{43}$/)]);
    expect(answer.headers["x-frame-options"]).toBe("DENY");
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });
});

test("the table is as long as it should be", () => {
  const count =
    3 * CLIENT_ROWS.length +
    BODY_ROWS.length +
    EXCHANGE_ROWS.length +
    REFRESH_ROWS.length +
    REVOKE_ROWS.length +
    AUTHORIZE_ROWS.length +
    REPEATED.length;
  console.info(`${count} rows: ${seen.refused} refused as they should be, ${seen.accepted} right forms accepted afterwards`);
  expect(count).toBeGreaterThanOrEqual(120);
});

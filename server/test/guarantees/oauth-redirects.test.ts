/** T3.4: the service redirects only to an address that equals a registered one byte for byte; and which addresses can be registered. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { authorizeUrl, newApp, newPkce } from "../support/marketplace.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const REGISTERED = "https://app.example/back/home?kind=oauth";

const VARIANTS = [
  "https://APP.example/back/home?kind=oauth",
  "HTTPS://app.example/back/home?kind=oauth",
  "http://app.example/back/home?kind=oauth",
  "https://app.example:443/back/home?kind=oauth",
  "https://app.example:8443/back/home?kind=oauth",
  "https://app.example/back/home",
  "https://app.example/back/home?",
  "https://app.example/back/home/?kind=oauth",
  "https://app.example/back/home?kind=oauth&next=https://evil.example",
  "https://app.example/back/home?kind=OAUTH",
  "https://app.example/back/home?kind=oauth#",
  "https://app.example/back/home?kind=oauth#https://evil.example",
  "https://app.example/back/home?kind%3Doauth",
  "https://app.example/back/home%3Fkind=oauth",
  "https://app.example/back/hom%65?kind=oauth",
  "https://app.example/back%2Fhome?kind=oauth",
  "https://app.example/back/../back/home?kind=oauth",
  "https://app.example/back/./home?kind=oauth",
  "https://app.example/back//home?kind=oauth",
  "https://app.example//back/home?kind=oauth",
  "https://app.example\\back\\home?kind=oauth",
  "https://app.example/back/home;x?kind=oauth",
  "https://app.example/Back/home?kind=oauth",
  "https://evil.example/back/home?kind=oauth",
  "https://app.example.evil.example/back/home?kind=oauth",
  "https://evil-app.example/back/home?kind=oauth",
  "https://sub.app.example/back/home?kind=oauth",
  "https://app.example@evil.example/back/home?kind=oauth",
  "https://user:secret@app.example/back/home?kind=oauth",
  "https://evil.example\\@app.example/back/home?kind=oauth",
  "https://evil.example#@app.example/back/home?kind=oauth",
  "https://app.example.:443/back/home?kind=oauth",
  "https://app.example%2eevil.example/back/home?kind=oauth",
  "//app.example/back/home?kind=oauth",
  "/back/home?kind=oauth",
  "app.example/back/home?kind=oauth",
  "javascript:alert(1)//https://app.example/back/home?kind=oauth",
  "data:text/html,https://app.example/back/home?kind=oauth",
  "urn:ietf:wg:oauth:2.0:oob",
  " https://app.example/back/home?kind=oauth",
  "https://app.example/back/home?kind=oauth ",
  "https://app.example/back/home?kind=oauth\r\nLocation: https://evil.example",
  "https://app.example/back/home?kind=oauth\0",
  "https://аpp.example/back/home?kind=oauth",
  "https://app.example/back/home?kind=oauth,https://evil.example",
];

let app: TestApp;
let client: RegisteredClient;
beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000" } });
  client = await newApp(app.deps, { redirect_uris: [REGISTERED] });
});
afterAll(() => app.close());

const seen = { requests: 0, redirects: 0 };

const visit = (url: string) => app.app.http.inject({ method: "GET", url, headers: { "accept-language": "en" } });

describe("R5.2-02 T3.4 an address that is not the registered one", () => {
  test.each(VARIANTS)("%j leads nowhere", async (redirect_uri) => {
    // Each kind of fault is added as well: an error must not be sent there either.
    for (const changes of [{}, { response_type: "token" }, { scope: "nonsense" }, { code_challenge: undefined }]) {
      const answer = await visit(authorizeUrl(client, newPkce(), { ...changes, redirect_uri }));
      seen.requests++;
      if (answer.headers.location !== undefined) seen.redirects++;
      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(answer.payload).not.toContain("evil");
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    }
  });
  test("there are forty of them, and the registered one does lead on", async () => {
    expect(VARIANTS.length).toBeGreaterThanOrEqual(40);
    console.info(`${VARIANTS.length} addresses, ${seen.requests} requests: ${seen.redirects} redirects`);
    expect((await visit(authorizeUrl(client, newPkce(), { redirect_uri: REGISTERED }))).statusCode).toBe(302);
    const wrong = await visit(authorizeUrl(client, newPkce(), { redirect_uri: REGISTERED, response_type: "token" }));
    expect(wrong.headers.location).toMatch(/^https:\/\/app\.example\/back\/home\?kind=oauth&error=unsupported_response_type&/);
  });
  test.each([
    ["no client_id", { client_id: undefined }],
    ["an unknown client_id", { client_id: `svc_app_${"A".repeat(24)}` }],
    ["a client_id with U+0000", { client_id: "svc_app_\0" }],
    ["no redirect_uri", { redirect_uri: undefined }],
    ["an empty redirect_uri", { redirect_uri: "" }],
  ])("%s leads nowhere", async (_name, changes) => {
    const answer = await visit(authorizeUrl(client, newPkce(), { redirect_uri: REGISTERED, ...changes }));
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });
  test.each(["client_id", "redirect_uri"])("%s twice leads nowhere", async (name) => {
    const url = authorizeUrl(client, newPkce(), { redirect_uri: REGISTERED });
    for (const value of [new URL(url, "http://x").searchParams.get(name) ?? "", "https://evil.example"])
      expect((await visit(`${url}&${name}=${encodeURIComponent(value)}`)).statusCode).toBe(400);
  });
});

const UNREGISTRABLE = [
  "http://app.example/back",
  "https://app.example/back#part",
  "https://app.example/back#",
  "https://user@app.example/back",
  "https://APP.example/back",
  "https://app.example/a/../back",
  "https://app.example:443/back",
  "myapp://back",
  "javascript:alert(1)",
  "data:text/html,x",
  "/back",
  "app.example/back",
  "http://127.0.0.1.evil.example/back",
  "http://localhost.evil.example/back",
  "file:///back",
];
const REGISTRABLE = [
  "https://app.example",
  "https://app.example/",
  "https://app.example/a?b=c",
  "http://127.0.0.1:8123/back",
  "http://localhost/back",
  "http://[::1]:9/back",
];

test.each(UNREGISTRABLE)("D144 %j cannot be registered", async (uri) => {
  await expect(newApp(app.deps, { redirect_uris: [uri] })).rejects.toMatchObject({ code: "validation_failed" });
});
test.each(REGISTRABLE)("D144 %j can be registered, and is met letter by letter", async (uri) => {
  const own = await newApp(app.deps, { redirect_uris: [uri] });
  expect((await visit(authorizeUrl(own, newPkce(), { redirect_uri: uri }))).statusCode).toBe(302);
});

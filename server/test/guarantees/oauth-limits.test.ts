/** T3.10: the limit is the address's own, whatever a client says about where it comes from. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { authorizeUrl, credentialsOf, newApp, newPkce, postForm } from "../support/marketplace.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const GUESSES = 1000;

let app: TestApp;
let client: RegisteredClient;
beforeAll(async () => {
  app = await startApp();
  client = await newApp(app.deps);
});
afterAll(() => app.close());

const forged = (index: number): string => `${(index % 223) + 1}.${index % 251}.${(index * 7) % 253}.${(index * 13) % 254}`;

const guess = (server: TestApp, index: number, remoteAddress = "192.0.2.7") =>
  server.app.http.inject({
    method: "POST",
    url: "/oauth/token",
    remoteAddress,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": forged(index),
      forwarded: `for=${forged(index)}`,
      "x-real-ip": forged(index),
    },
    payload: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "x",
      client_id: client.client_id,
      client_secret: `svc_cs_${index}`,
    }).toString(),
  });

test("R7.2-03 a thousand wrong secrets with a thousand forged addresses: sixty are looked at", async () => {
  const answers = [];
  for (let index = 0; index < GUESSES; index++) answers.push(await guess(app, index));
  const counts = Object.groupBy(answers, ({ statusCode }) => statusCode);
  console.info(`${GUESSES} guesses: ${counts[401]?.length} looked at, ${counts[429]?.length} refused unread`);
  expect([counts[401]?.length, counts[429]?.length]).toEqual([60, GUESSES - 60]);
  const [refused] = counts[429] ?? [];
  expect(Object.keys(refused?.json() ?? {})).toEqual(["message"]);
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(refused?.headers["x-ratelimit-limit"]).toBe("60");
  expect([refused?.headers["cache-control"], refused?.headers.pragma]).toEqual(["no-store", "no-cache"]);
  // Another address, and the other endpoints, are not held to it.
  expect((await guess(app, 1, "192.0.2.8")).statusCode).toBe(401);
  expect((await postForm(app, "/oauth/revoke", { token: "x", ...credentialsOf(client) })).status).toBe(200);
  expect((await app.app.http.inject({ method: "GET", url: authorizeUrl(client, newPkce()), remoteAddress: "192.0.2.7" })).statusCode).toBe(
    302,
  );
});

test("planted: a server that believes everybody looks at every guess", async () => {
  const credulous = await startApp({ database: app.database, environment: { TRUSTED_PROXIES: "192.0.2.0/24" } });
  try {
    const statuses = new Set<number>();
    for (let index = 0; index < 200; index++) statuses.add((await guess(credulous, index)).statusCode);
    expect([...statuses]).toEqual([401]);
  } finally {
    await credulous.close();
  }
});

test("D154 what is refused unread is not parsed either, and 405 counts as well", async () => {
  const own = await startApp({ database: app.database, environment: { OAUTH_RATE_PER_MINUTE: "3" } });
  const from = { remoteAddress: "192.0.2.9" };
  try {
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const answer = await own.app.http.inject({ method, url: "/oauth/token", ...from });
      expect([answer.statusCode, answer.headers.allow, Object.keys(answer.json())]).toEqual([405, "POST", ["error", "error_description"]]);
    }
    const answer = await own.app.http.inject({
      method: "POST",
      url: "/oauth/token",
      ...from,
      headers: { "content-type": "nonsense" },
      payload: "x",
    });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([429, ["message"]]);
  } finally {
    await own.close();
  }
});

/** A request waits in the queue of its address until it is authenticated, whatever it brings along. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { currentQueueScope } from "../../src/db/queue-scope.ts";
import { newTokenSecret } from "../../src/lib/token-format.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
const queues: (string | null)[] = [];

beforeAll(async () => {
  const pool = faultInjectingPool(({ text }) => {
    if (text.includes("authenticate(") || text.includes("sessions")) queues.push(currentQueueScope()?.queue ?? null);
    return null;
  });
  app = await startApp({ pool, environment: { UNAUTHENTICATED_RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const seen = async (ask: () => Promise<unknown>): Promise<(string | null)[]> => {
  queues.length = 0;
  await ask();
  return [...new Set(queues)];
};

const strange = (index: number) => `${1024 * (index + 1)}|${newTokenSecret("api")}`;
const get = (url: string, headers: Record<string, string>) =>
  app.app.http.inject({ method: "GET", url, headers, remoteAddress: "192.0.2.7" });

test("made-up tokens and cookies get no queue of their own", async () => {
  const asked = await seen(async () => {
    for (let index = 0; index < 5; index++) {
      const cookie = `__Host-comanda=${String(index).repeat(43)}`;
      await get("/api/v1/menus", { authorization: `Bearer ${strange(index)}`, cookie });
      await get("/console/api/session", { cookie, "sec-fetch-site": "same-origin" });
    }
  });
  expect(asked).toEqual(["address 192.0.2.7"]);
});

test("a path that cannot be decoded waits like any other, and its answer has the headers of any other", async () => {
  let headers: Record<string, unknown> = {};
  const asked = await seen(async () => {
    const answer = await get("/api/v1/%zz", { authorization: `Bearer ${strange(9)}` });
    headers = answer.headers;
    expect(answer.statusCode).toBe(401);
  });
  expect(asked).toEqual(["address 192.0.2.7"]);
  expect(headers).toMatchObject({ "x-request-id": expect.any(String), "x-content-type-options": "nosniff" });
});

test("a token that was seen before waits in the queue of its venue", async () => {
  const authorization = `Bearer ${lab.token}`;
  await get("/api/v1/menus", { authorization });
  expect(await seen(() => get("/api/v1/menus", { authorization }))).toEqual([`venue ${lab.id}`]);
  expect(await seen(() => get("/api/v1/%zz", { authorization }))).toEqual([`venue ${lab.id}`]);
});

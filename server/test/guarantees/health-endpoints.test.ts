/** The operator's endpoints: on a listener of their own, and under no spelling on the public one. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spellingsOf } from "../support/path-spellings.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const PATHS = ["/livez", "/readyz", "/metrics"];

let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await startApp();
  port = Number(new URL(await app.app.http.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(() => app.close());

/** Sent as it is written: `fetch` would tidy the path first. */
const ask = (path: string, at = port): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: at, path, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.once("error", reject);
    asked.end();
  });

test("alive, ready, metrics by route and never by raw path", async () => {
  expect((await app.ops.inject("/livez")).json()).toEqual({ status: "alive" });
  expect((await app.ops.inject("/readyz")).json()).toEqual({ status: "ready" });
  await app.call(null, "GET", "/items/12345");
  const metrics = (await app.ops.inject("/metrics")).payload;
  expect(metrics).toContain('route="/api/v1/items/:item"');
  expect(metrics).not.toMatch(/="[^"]*12345/);
});

test("a process whose connections are all busy is ready: one venue must not take it from the others", async () => {
  const { pool } = app.deps;
  const busy = Array.from({ length: pool.options.max }, () => pool.query("select pg_sleep(2)"));
  expect((await app.ops.inject("/readyz")).json()).toEqual({ status: "ready" });
  expect(pool.idleCount).toBe(0);
  await Promise.all(busy);
});

test("probes and scrapes are not part of the histogram of requests", async () => {
  for (const path of PATHS) await app.ops.inject(path);
  expect((await app.ops.inject("/metrics")).payload).not.toMatch(/route="\/(livez|readyz|metrics)"/);
});

test("the public listener has none of them, however they are written", async () => {
  const spellings = spellingsOf(...PATHS);
  expect(spellings.length).toBeGreaterThan(40);
  for (const path of spellings) {
    const { status, text } = await ask(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toMatch(/"(alive|ready|not ready)"|comanda_request_seconds/);
  }
});

test("planted: an endpoint on the public listener would be found by its other spellings", async () => {
  const opsPort = Number(new URL(await app.opsUrl()).port);
  const found = [];
  for (const path of spellingsOf("/metrics")) if ((await ask(path, opsPort)).status === 200) found.push(path);
  expect(found).toEqual(expect.arrayContaining(["/metrics", "/metrics/", "/metrics?a=b", "/%6detrics", "/%6detrics/"]));
});

test("what stops is not ready, and still alive", async () => {
  const stopping = await startApp({ environment: { SHUTDOWN_GRACE_MS: "300" } });
  await stopping.app.http.listen({ host: "127.0.0.1", port: 0 });
  const stopped = stopping.app.stop();
  expect((await stopping.ops.inject("/readyz")).statusCode).toBe(503);
  expect((await stopping.ops.inject("/livez")).statusCode).toBe(200);
  await stopped;
  await stopping.close();
});

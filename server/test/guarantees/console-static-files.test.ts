/** The console's pages as they are sent, on a small build made for the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addConsoleFiles } from "#http/console/static-files.ts";
import { sendApiError } from "#http/errors.ts";

const folder = `${mkdtempSync(join(tmpdir(), "comanda-console-"))}/`;
const serve = (built: string): FastifyInstance => {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => sendApiError(request, reply, error));
  addConsoleFiles(app, built);
  return app;
};
const app = serve(folder);

beforeAll(() => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), '<script nonce="__NONCE__"></script><meta nonce="__NONCE__">');
  writeFileSync(join(folder, "assets/main-1a2b.js"), "plain");
  writeFileSync(join(folder, "service-worker.js"), "worker");
  writeFileSync(join(folder, "assets/main-1a2b.js.gz"), gzipSync("plain"));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test("every page has a nonce of its own, a strict policy, and is kept nowhere", async () => {
  const [first, second] = await Promise.all([app.inject("/console"), app.inject("/console/v/trattoria/tokens?x=1")]);
  const nonceOf = (text: string) => /nonce="([\w-]{20,})"/.exec(text)?.[1];
  expect(nonceOf(first.body)).not.toBe(nonceOf(second.body));
  for (const page of [first, second]) {
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain("__NONCE__");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain(`script-src 'self' 'nonce-${nonceOf(page.body)}';`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
  }
});

test.each(["gzip;q=0", "gzip; q=0.000, deflate", "identity"])("an asset comes plain to a browser that accepts %s", async (accepted) => {
  const { body, headers } = await app.inject({ url: "/console/assets/main-1a2b.js", headers: { "accept-encoding": accepted } });
  expect(body).toBe("plain");
  expect(headers["content-encoding"]).toBeUndefined();
});

test("assets are immutable and come compressed to those who ask", async () => {
  const [plain, zipped] = await Promise.all([
    app.inject("/console/assets/main-1a2b.js"),
    app.inject({ url: "/console/assets/main-1a2b.js", headers: { "accept-encoding": "deflate, gzip;q=0.8" } }),
  ]);
  expect(plain.body).toBe("plain");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers["cache-control"]).toContain("immutable");
  expect(zipped.headers["content-encoding"]).toBe("gzip");
  expect(zipped.headers["content-type"]).toContain("javascript");
});

test("answers that clients leave unread share the bytes of their file, also of requests that come at once", async () => {
  const bytes = 8_000_000;
  writeFileSync(join(folder, "assets/large-3c4d.js"), Buffer.alloc(bytes, "x"));
  const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
  const before = process.memoryUsage().arrayBuffers;
  const sockets = Array.from({ length: 50 }, () => connect(Number(port), "127.0.0.1"));
  for (const socket of sockets) socket.pause().write("GET /console/assets/large-3c4d.js HTTP/1.1\r\nHost: x\r\n\r\n");
  await app.inject("/console/assets/large-3c4d.js");
  await sleep(500);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * bytes);
  for (const socket of sockets) socket.destroy();
});

test("the service worker is asked for at every use, stays in its folder, and runs no other code", async () => {
  const { statusCode, body, headers } = await app.inject("/console/service-worker.js");
  expect([statusCode, body]).toEqual([200, "worker"]);
  expect(headers["content-type"]).toContain("javascript");
  expect(headers).toMatchObject({
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; connect-src 'self'",
    "x-content-type-options": "nosniff",
  });
  // A wider scope than its folder would need this header.
  expect(headers["service-worker-allowed"]).toBeUndefined();
  const page = await app.inject("/console");
  expect(page.headers["content-security-policy"]).toContain("; worker-src 'self';");
});

test("nothing outside of the build is sent, and no page in place of a call", async () => {
  for (const url of [
    "/console/assets/..%2Findex.html",
    "/console/assets/%2e%2e%2findex.html",
    "/console/assets/none.js",
    "/console/assets/main-1a2b.js.gz",
    "/console/api/nothing",
    "/console/api",
  ])
    expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404]);
});

test("503 without a build, with the command that makes one", async () => {
  const unbuilt = serve(join(folder, "nowhere/"));
  const page = await unbuilt.inject("/console");
  expect(page.statusCode).toBe(503);
  expect(page.body).toContain("npm run build");
  await unbuilt.close();
});

/**
 * Public documents are built once, compressed and tagged; no cache keeps a path that a caller invented.
 *
 * @own-process It replaces a module of the contract.
 */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import * as contract from "@comanda/contract/openapi/document.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApp, type TestApp } from "../support/test-app.ts";

const built = vi.hoisted(() => ({ count: 0 }));
vi.mock("@comanda/contract/openapi/document.ts", async (original) => {
  const whole = await original<typeof contract>();
  return {
    ...whole,
    openapiDocument: (...given: Parameters<typeof contract.openapiDocument>) => {
      built.count++;
      return whole.openapiDocument(...given);
    },
  };
});

const PUBLIC_URL = "https://api.comanda.example";

let app: TestApp;
let unset: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { PUBLIC_URL } });
  unset = await startApp({ database: app.database });
});
afterAll(async () => {
  await unset.close();
  await app.close();
});

const get = (url: string, headers: Record<string, string> = {}, from = app) => from.app.http.inject({ url, headers });

const DOCUMENTS = [
  "/openapi.json",
  "/llms.txt",
  "/docs",
  "/docs/start.js",
  "/docs/reference.js",
  "/docs/guide/errors.md",
  "/docs/guide/venue-file.schema.json",
];

test.each(DOCUMENTS)("%s is the same in every encoding, and a client that has it gets 304", async (url) => {
  const plain = await get(url);
  expect([plain.statusCode, plain.headers["content-encoding"], plain.headers.vary]).toEqual([200, undefined, "Accept-Encoding"]);
  const ways: [string, string, (bytes: Buffer) => Buffer][] = [
    ["gzip, deflate, br", "br", (bytes) => brotliDecompressSync(bytes)],
    ["gzip;q=1.0, br;q=0", "gzip", (bytes) => gunzipSync(bytes)],
  ];
  const tags = new Set([plain.headers.etag]);
  for (const [accepted, encoding, open] of ways) {
    const packed = await get(url, { "accept-encoding": accepted });
    expect([packed.headers["content-encoding"], packed.headers["content-type"]]).toEqual([encoding, plain.headers["content-type"]]);
    expect(open(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    const again = await get(url, { "accept-encoding": accepted, "if-none-match": `"other", W/${packed.headers.etag}` });
    expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, "", packed.headers.etag]);
    expect((await get(url, { "accept-encoding": accepted, "if-none-match": '"other"' })).statusCode).toBe(200);
    tags.add(packed.headers.etag);
  }
  expect(tags.size).toBe(3);
});

test("the OpenAPI document is built once, however often it is asked for and under whatever name", async () => {
  await Promise.all([get("/openapi.json"), get("/openapi.json", {}, unset)]);
  const before = built.count;
  for (let n = 0; n < 20; n++) {
    await get("/openapi.json", { "accept-encoding": n % 2 ? "br" : "identity" });
    await get("/openapi.json", { host: `host-${n}.example` }, unset);
  }
  expect(built.count).toBe(before);
  // Its examples are of days to come, so there is another one every day.
  for (const from of [app, unset]) from.clock.advance(24 * 60 * 60 * 1000);
  for (let n = 0; n < 5; n++) await Promise.all([get("/openapi.json"), get("/openapi.json", {}, unset)]);
  expect(built.count).toBe(before + 2);
});

test("without a setting the document follows the Host header and is not cached; with one it does not", async () => {
  for (const url of ["/openapi.json", "/llms.txt"]) {
    const false_ = await get(url, { host: "evil.example", "accept-encoding": "br" }, unset);
    expect([url, false_.payload.includes("http://evil.example"), false_.headers["cache-control"], false_.headers.etag]).toEqual([
      url,
      true,
      "no-store",
      undefined,
    ]);
    const true_ = await get(url, { host: "evil.example" });
    expect([url, true_.payload.includes("evil.example"), true_.headers["cache-control"]]).toEqual([url, false, "public, max-age=300"]);
  }
  const { payload } = await get("/openapi.json", { host: "localhost:4000" }, unset);
  const today = unset.clock.now().toISOString().slice(0, 10);
  expect(payload).toBe(JSON.stringify(contract.openapiDocument("http://localhost:4000", today)));
});

test("a Host with characters that no name has is not repeated", async () => {
  for (const host of ['a"b.example', "a'b.example", "a{b}.example", "a;b.example", "a`b.example"]) {
    const { statusCode, payload } = await get("/openapi.json", { host }, unset);
    expect([host, statusCode, payload.includes("b.example"), payload.includes("b}.example")]).toEqual([host, 200, false, false]);
    expect(() => JSON.parse(payload)).not.toThrow();
  }
});

/** The guides as the service serves them to programs, and to readers of /llms.txt. Their pages are in docs/test/site.test.ts. */
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode, helpPathOf } from "@comanda/contract/errors.ts";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAuth } from "#http/api/auth-state.ts";
import { addGuides } from "#http/docs/site.ts";
import type { ApiError } from "#lib/errors.ts";
import { READERS, readGuides } from "../../src/http/docs/guide-files.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { PUBLIC_URL: "https://api.example" } });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url, headers });
const NAMES = readGuides()
  .map(({ name }) => name)
  .filter((name) => name !== "sdk");

test("every guide is there as Markdown, and says not to be fetched again", async () => {
  expect(NAMES.length).toBeGreaterThan(14);
  for (const name of [...NAMES, "sdk"]) {
    const markdown = await get(`/docs/guide/${name}.md`);
    expect([markdown.statusCode, markdown.headers["content-type"]], name).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(markdown.payload).toMatch(/^# /);
    expect(markdown.headers["cache-control"]).toBe("public, max-age=300");
    const again = await get(`/docs/guide/${name}.md`, { "if-none-match": String(markdown.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, ""]);
  }
  for (const path of [
    "/docs/guide/unknown",
    "/docs/guide/unknown.md",
    "/docs/guide/..%2f..%2fpackage.json",
    "/docs/guide/reference/..%2f..%2findex",
  ])
    expect((await get(path)).statusCode, path).toBe(404);
});

test("without a build each page says how to build and leads to the Markdown, and the rest works", async () => {
  const http = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  http.addHook("onRequest", async (request) => startAuth(request));
  http.setErrorHandler((error, _request, reply) => reply.code((error as ApiError).status ?? 500).send({}));
  addGuides(http, app.deps, "/nowhere/");
  for (const path of ["/docs/guide/", "/docs/guide/orders", "/docs/guide/reference/orders"]) {
    const page = await http.inject(path);
    expect([page.statusCode, page.headers["cache-control"]], path).toEqual([503, "no-store"]);
    expect(page.payload).toContain("npm run build");
    const links = [...page.payload.matchAll(/href="(\/[^"]+)"/g)].map(([, link = ""]) => link);
    expect(links).toHaveLength(NAMES.length + 1);
    for (const link of links) expect((await http.inject(link)).statusCode, link).toBe(200);
  }
  expect((await http.inject("/docs/guide")).headers.location).toBe("/docs/guide/");
  for (const path of ["/docs/guide/unknown", "/docs/guide/assets/app.js", "/docs/guide/assets/chunks/app.js"])
    expect((await http.inject(path)).statusCode, path).toBe(404);
  await http.close();
});

test("the pictures of a guide are served beside it, and no other picture is", async () => {
  const { payload } = await get("/docs/guide/kitchen-screen.md");
  const sources = [...payload.matchAll(/!\[[^\]]{20,}\]\(([^)]+)\)/g)].map(([, source = ""]) => source);
  expect(sources).toHaveLength(4);
  for (const source of sources) {
    const picture = await get(source);
    expect([picture.statusCode, picture.headers["content-type"]], source).toEqual([200, "image/webp"]);
    expect(picture.rawPayload.subarray(8, 12).toString()).toBe("WEBP");
  }
  expect((await get("/docs/guide/board-light.webp")).statusCode).toBe(404);
});

test("no link of a guide's Markdown leads to something that the service does not have", async () => {
  let followed = 0;
  for (const name of [...NAMES, "sdk"]) {
    const { payload } = await get(`/docs/guide/${name}.md`);
    for (const [, target = ""] of payload.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = ""] = target.split("#");
      if (path === "" || /^(https?|data):/.test(target)) continue;
      followed += 1;
      expect((await get(path)).statusCode, `${name}: ${target}`).toBe(200);
    }
  }
  expect(followed).toBeGreaterThan(100);
});

test("every code of the API has a part of the guide, to which the header of its errors leads", async () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !CONSOLE_ERROR_CODES.includes(code));
  expect(codes.length).toBeGreaterThan(14);
  const missing = async (guideOf: (code: ErrorCode) => string): Promise<ErrorCode[]> => {
    const found = await Promise.all(
      codes.map(async (code) => {
        const [path = "", anchor = ""] = guideOf(code).split("#");
        const { statusCode, payload } = await get(`${path}.md`);
        return statusCode === 200 && anchor === code && payload.includes(`\n### \`${code}\`\n`);
      }),
    );
    return codes.filter((_, index) => !found[index]);
  };
  expect(await missing(helpPathOf)).toEqual([]);
  expect(await missing((code) => helpPathOf(code).replace("plan_", "")), "planted").toEqual(["plan_feature_unavailable", "plan_lapsed"]);
  const refused = await get("/api/v1/menus");
  expect(refused.headers.link).toBe('</docs/guide/errors#unauthenticated>; rel="help"');
  expect((await get("/console/api/session")).headers.link).toBeUndefined();
});

test("/llms.txt is kept by caches only if its addresses come from the settings: a false Host must not stay for others", async () => {
  expect((await get("/llms.txt")).headers["cache-control"]).toBe("public, max-age=300");
  const unset = await startApp({ database: app.database });
  const { payload, headers } = await unset.app.http.inject({ url: "/llms.txt", headers: { host: "evil.example" } });
  expect([payload.includes("http://evil.example/"), headers["cache-control"]]).toEqual([true, "no-store"]);
  await unset.close();
});

test("/llms.txt says what this is, and every address in it answers", async () => {
  const { payload, headers, statusCode } = await get("/llms.txt");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(payload).toMatch(/^# Comanda\n\n> .+\n/);
  const links = [...payload.matchAll(/^- \[([^\]]+)\]\(https:\/\/api\.example([^)]+)\)/gm)].map(([, , path = ""]) => path);
  expect(links.filter((path) => path.endsWith(".md"))).toHaveLength(NAMES.length - READERS.length);
  for (const path of links) expect((await get(path)).statusCode, path).toBe(200);
  expect(links.filter((path) => path.endsWith(".md")).at(0)).toBe("/docs/guide/quick-start.md");
  expect(links.at(-1)).toBe("/docs/guide/sdk.md");
  expect(payload).toContain(": from nothing to an order that moves");
});

test("requests in a guide have the address under which it is read, and are kept by caches only if that is set", async () => {
  const unset = await startApp({ database: app.database });
  for (const name of [...NAMES, "sdk"]) {
    expect((await get(`/docs/guide/${name}.md`)).payload, name).not.toMatch(/http:\/\/127\.0\.0\.1:4000/);
    const read = await unset.app.http.inject({ url: `/docs/guide/${name}.md`, headers: { host: "kitchen.example:4610" } });
    expect([name, read.payload.includes("127.0.0.1:4000/"), read.headers["cache-control"]]).toEqual([name, false, "no-store"]);
  }
  expect((await get("/docs/guide/quick-start.md")).payload).toContain("API=https://api.example/api/v1");
  await unset.close();
});

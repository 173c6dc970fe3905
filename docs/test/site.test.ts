/**
 * The documentation site as the service sends it. A browser looks at it in console/e2e/guide-pages.test.ts.
 *
 * @long It builds the site if the guides are newer.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode, helpPathOf } from "@comanda/contract/errors.ts";
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildSite, isSiteStale } from "../../server/src/dev/builds.ts";
import { INDEX, readGuides } from "../../server/src/http/docs/guide-files.ts";
import { SITE } from "../../server/src/http/docs/site.ts";
import { startApp, type TestApp } from "../../server/test/support/test-app.ts";
import { diagramOf } from "../site/diagrams/mermaid.ts";
import { escaped } from "../site/pages.ts";
import { guidePath, ROOT, readPage } from "./blocks.ts";

let app: TestApp;
let pages: Map<string, string>;
beforeAll(async () => {
  if (isSiteStale()) expect(await buildSite()).toBe(true);
  app = await startApp({ environment: { PUBLIC_URL: "https://api.example" } });
  pages = new Map(await Promise.all(NAMES().map(async (name) => [name, (await get(`/docs/guide/${name}`)).payload] as const)));
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}, from = app) => from.app.http.inject({ url, headers });
const NAMES = (): string[] =>
  ["", "reference/"].flatMap((folder) =>
    readdirSync(`${SITE}${folder}`)
      .filter((name) => name.endsWith(".html") && name !== "404.html")
      .map((name) => `${folder}${name.replace(/\.html$/, "").replace(/^index$/, "")}`),
  );
const source = (name: string): string => readFileSync(`${ROOT}/${guidePath(name)}`, "utf8");
const text = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

test("every guide and every part of the contract is a page, and a page is kept and compressed as other documents are", async () => {
  const guides = readGuides().filter(({ name }) => name !== INDEX);
  expect([...pages.keys()]).toEqual(expect.arrayContaining(["", ...guides.map(({ name }) => name)]));
  for (const [name, page] of pages) {
    expect(page, name).toMatch(/<h1 /);
    expect(page).toMatch(/^<!DOCTYPE html>/i);
  }
  const plain = await get("/docs/guide/orders");
  expect([plain.statusCode, plain.headers["content-type"], plain.headers["cache-control"]]).toEqual([
    200,
    "text/html; charset=utf-8",
    "public, max-age=300",
  ]);
  const packed = await get("/docs/guide/orders", { "accept-encoding": "br" });
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect((await get("/docs/guide/orders", { "if-none-match": String(plain.headers.etag) })).statusCode).toBe(304);
});

test("operations, event types and error codes of the contract are all there, and lead to the reference and to the guide", () => {
  const operations = text(
    [...pages]
      .filter(([name]) => name.startsWith("reference/"))
      .map(([, page]) => page)
      .join("\n"),
  );
  for (const [, { method, path }] of apiOperationEntries) expect(operations).toContain(`${method} /api/v1${path}`);
  const events = pages.get("reference/event-types") ?? "";
  for (const type of EVENT_TYPES) expect(events, type).toMatch(new RegExp(`<h2 id="[^"]*"[^>]*>${type} `));
  const errors = pages.get("reference/error-codes") ?? "";
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    expect([code, errors.includes(`errors#${code}`)]).toEqual([code, !CONSOLE_ERROR_CODES.includes(code)]);
  for (const code of (Object.keys(ERRORS) as ErrorCode[]).filter((one) => !CONSOLE_ERROR_CODES.includes(one)))
    expect(pages.get("errors"), code).toMatch(new RegExp(`<h3 id="${helpPathOf(code).split("#")[1]}"`));
});

test("the policy of a page names exactly its own scripts, and needs nothing unsafe", async () => {
  const faults = (page: string, policy: string): string[] => {
    const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => script);
    const missing = scripts.filter((script) => !policy.includes(`'sha256-${createHash("sha256").update(script).digest("base64")}'`));
    return [
      ...missing,
      ...(page.match(
        / style="[^"]*"|<style| on[a-z]+="[^"]*"|(?:src|href)="(?:https?:)?\/\/(?!api\.example|www\.rfc|jqlang|datatracker|nodejs|www\.postgres|spec\.open|github)[^"]*"/g,
      ) ?? []),
    ];
  };
  for (const [name, page] of pages) {
    const policy = String((await get(`/docs/guide/${name}`)).headers["content-security-policy"]);
    expect(faults(page, policy), name).toEqual([]);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    expect(policy).not.toContain("unsafe");
    expect(faults(page.replace("<body>", "<body><script>alert(1)</script>"), policy), "planted").toEqual(["alert(1)"]);
  }
});

test("scripts, styles and pictures come compressed and are kept for ever, and nothing outside of the build is sent", async () => {
  const assets = [
    ...new Set([...(pages.get("orders") ?? "").matchAll(/(?:src|href)="(\/docs\/guide\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)),
  ];
  expect(assets.length).toBeGreaterThan(4);
  for (const path of assets) {
    const plain = await get(path);
    expect([plain.statusCode, plain.headers["cache-control"]], path).toEqual([200, "public, max-age=31536000, immutable"]);
    const br = await get(path, { "accept-encoding": "gzip, br" });
    expect([br.headers["content-encoding"], brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)]).toEqual(["br", true]);
    const gzip = await get(path, { "accept-encoding": "gzip" });
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
  for (const path of ["assets/nothing.js", "assets/..%2findex.html", "assets/chunks/..%2f..%2findex.html", "vp-icons.css", "404"])
    expect([path, (await get(`/docs/guide/${path}`)).statusCode]).toEqual([path, 404]);
});

test("at an unknown address a browser gets a page in the site's look, and a program gets the error", async () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  for (const path of ["unknown", "reference/unknown", "a/b/c", "orders.html", "404"]) {
    const page = await get(`/docs/guide/${path}`, BROWSER);
    expect([path, page.statusCode, page.headers["content-type"]]).toEqual([path, 404, "text/html; charset=utf-8"]);
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    // The part that is shown without scripts.
    expect(page.payload).toMatch(/<noscript><main[\s\S]*<h1>Page not found<\/h1>[\s\S]*href="\/docs\/guide\/"/);
    for (const accept of ["application/json", "*/*"]) {
      const program = await get(`/docs/guide/${path}`, { accept });
      expect([accept, program.statusCode, program.json().error.code]).toEqual([accept, 404, "not_found"]);
    }
  }
  expect((await get("/docs/guide/orders", BROWSER)).statusCode).toBe(200);
});

test("the site's script can ask for the newest list of pages", async () => {
  const map = await get("/docs/guide/hashmap.json");
  expect([map.statusCode, map.headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(Object.keys(map.json())).toEqual(expect.arrayContaining(["orders.md", "reference_orders.md"]));
});

/** Links of all pages that lead nowhere. */
const deadLinks = async (all: Map<string, string>): Promise<string[]> => {
  const anchors = new Map([...all].map(([name, page]) => [name, new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id))]));
  const dead: string[] = [];
  for (const [name, page] of all)
    for (const [, target = ""] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|data):/.test(target)) continue;
      const { pathname, hash } = new URL(target, `https://api.example/docs/guide/${name}`);
      const other = pathname.startsWith("/docs/guide/") ? pathname.slice("/docs/guide/".length) : null;
      const status = other !== null && all.has(other) ? 200 : (await get(pathname)).statusCode;
      if (status >= 400 && !["/docs", "/console"].includes(pathname)) dead.push(`${name}: ${target}`);
      const known = other === null ? undefined : anchors.get(other);
      if (hash !== "" && known && !known.has(decodeURIComponent(hash.slice(1)))) dead.push(`${name}: ${target}`);
    }
  return dead;
};

test("no link of a page leads to something that the service does not have", async () => {
  expect(await deadLinks(pages)).toEqual([]);
  const planted = new Map(pages).set("orders", `${pages.get("orders")}<a href="./gone"></a><a href="#gone"></a>`);
  expect(await deadLinks(planted)).toEqual(["orders: ./gone", "orders: #gone"]);
});

test("requests in a page have the address under which it is read", async () => {
  for (const [name, page] of pages) expect(page, name).not.toContain("http://127.0.0.1:4000");
  expect(text(pages.get("quick-start") ?? "")).toContain("API=https://api.example/api/v1");
  const unset = await startApp({ database: app.database });
  const page = await get("/docs/guide/quick-start", { host: "kitchen.example:4610" }, unset);
  expect(text(page.payload)).toContain("API=http://kitchen.example:4610/api/v1");
  expect(page.headers["cache-control"]).toBe("no-store");
  const odd = await get("/docs/guide/quick-start", { host: "<script>x</script>" }, unset);
  expect(odd.payload).not.toContain("<script>x");
  await unset.close();
});

test("without scripts every sentence, block and tab of a guide is in the page", () => {
  const words = (given: string): string => given.replaceAll(/\s+/g, " ");
  for (const name of ["quick-start", "orders", "webhooks", "errors"]) {
    const shown = words(
      text(pages.get(name) ?? "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">"),
    );
    for (const block of readPage(guidePath(name)).blocks.filter(({ language }) => language !== "mermaid"))
      expect(shown, `${name}:${block.line}`).toContain(words(block.text.replaceAll("http://127.0.0.1:4000", "https://api.example")));
  }
});

test("the site stays small", () => {
  const files = readdirSync(SITE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => ({ name, bytes: statSync(join(parentPath, name)).size }));
  const sum = (wanted: (name: string) => boolean): number =>
    sizes.filter(({ name }) => wanted(name)).reduce((total, { bytes }) => total + bytes, 0);
  const first = [...(pages.get("orders") ?? "").matchAll(/(?:src|href)="\/docs\/guide\/assets\/(?:chunks\/)?([^"]+)"/g)].map(
    ([, name = ""]) => `${name}.br`,
  );
  const index = sum((name) => /^@localSearchIndex.*\.br$/.test(name));
  console.info(
    `the site: ${sizes.length} files, ${sum(() => true)} bytes; first page ${sum((name) => first.includes(name))}, search ${index} bytes compressed`,
  );
  expect(sum(() => true)).toBeLessThan(7_000_000);
  expect(sum((name) => first.includes(name))).toBeLessThan(110_000);
  expect(index).toBeLessThan(90_000);
});

describe("diagrams", () => {
  test.each(["orders", "bookings", "oauth-apps"])(
    "the diagram of %s is drawn, with every state and every arrow, and told as a list",
    (name) => {
      const page = (pages.get(name) ?? "").replaceAll("&#39;", "'");
      const [, block = ""] = /```mermaid\n([\s\S]*?)```/.exec(source(name)) ?? [];
      const arrows = block.split("\n").filter((line) => /-->|->>/.test(line));
      const [, drawn = "", told = ""] =
        /<figure class="diagram">(<svg.*?<\/svg>)<figcaption class="unseen">([\s\S]*?)<\/figcaption>/.exec(page) ?? [];
      expect(drawn.split('<path class="way"').length - 1).toBe(arrows.length);
      const words =
        name === "oauth-apps" ? ["Owner's browser", "Your app", "Comanda"] : arrows.flatMap((line) => line.trim().split(" --> "));
      for (const word of words.filter((one) => one !== "[*]"))
        expect([word, drawn.includes(`>${word}</text>`), told.includes(word)]).toEqual([word, true, true]);
      expect(drawn).not.toMatch(/NaN|undefined|style=/);
    },
  );

  test.each(["orders", "bookings"])("no two states of %s overlap, and all are inside the picture", (name) => {
    const page = pages.get(name) ?? "";
    const [, width = 0, height = 0] = /<figure class="diagram"><svg viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(page)?.map(Number) ?? [];
    const states = [...page.matchAll(/<rect class="state" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(
      ([, ...numbers]) => {
        const [x = 0, y = 0, wide = 0, high = 0] = numbers.map(Number);
        return { left: x, right: x + wide, top: y, bottom: y + high };
      },
    );
    expect(states).toHaveLength(6);
    for (const [index, a] of states.entries()) {
      expect(a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height).toBe(true);
      for (const b of states.slice(index + 1))
        expect(a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top).toBe(true);
    }
  });

  test("a diagram with a way back is told as a list, and no text of it is markup", () => {
    const drawn = (lines: string): string | null => diagramOf(lines.split("\n"), escaped);
    expect(drawn("stateDiagram-v2\n  [*] --> <a>\n  <a> --> b\n  b --> <a>")).toBe(
      '<div class="diagram"><ul><li>the start → <code>&lt;a&gt;</code></li>\n<li><code>&lt;a&gt;</code> → <code>b</code></li>\n<li><code>b</code> → <code>&lt;a&gt;</code></li></ul></div>',
    );
    const sequence = drawn("sequenceDiagram\n  participant A as Your <app>\n  participant C as Comanda\n  A->>C: code & {{ more }}");
    expect(sequence).toContain("<li>Your &lt;app&gt; → Comanda: code &amp; &#123;&#123; more }}</li>");
    expect(sequence).not.toContain("<app>");
    expect(drawn("pie")).toBeNull();
  });
});

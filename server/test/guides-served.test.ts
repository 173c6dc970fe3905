/** The guides as the service shows them: to people, to programs, and to whoever begins at /llms.txt. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlOf } from "#http/markdown.ts";
import { startApp, type TestApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { PUBLIC_URL: "https://api.example" } });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url, headers });
const NAMES = readdirSync(new URL("../../docs/guide/", import.meta.url))
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -3));

test("every guide is there as Markdown and as a page, and says not to be fetched again", async () => {
  expect(NAMES.length).toBeGreaterThan(14);
  for (const name of [...NAMES, "sdk"]) {
    const markdown = await get(`/docs/guide/${name}.md`);
    expect([markdown.statusCode, markdown.headers["content-type"]], name).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(markdown.payload).toMatch(/^# /);
    expect(markdown.headers["cache-control"]).toBe("public, max-age=300");
    const again = await get(`/docs/guide/${name}.md`, { "if-none-match": String(markdown.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, ""]);
    const page = await get(`/docs/guide/${name}`);
    expect([page.statusCode, page.headers["content-type"]], name).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.payload).not.toMatch(/<script|<img|```|\*\*|\]\(|language-mermaid/);
    expect(page.headers.etag).not.toBe(markdown.headers.etag);
  }
  for (const path of ["/docs/guide/nobody", "/docs/guide/nobody.md", "/docs/guide/..%2f..%2fpackage.json"])
    expect((await get(path)).statusCode, path).toBe(404);
});

test("no link of a served guide leads to something that the service does not have", async () => {
  const anchors = new Map<string, Set<string>>();
  for (const name of ["", ...NAMES.map((one) => `/${one}`), "/sdk"]) {
    const { payload } = await get(`/docs/guide${name}`);
    anchors.set(`/docs/guide${name}`, new Set([...payload.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)));
  }
  let followed = 0;
  for (const name of [...NAMES, "sdk"])
    for (const ending of ["", ".md"]) {
      const { payload } = await get(`/docs/guide/${name}${ending}`);
      const found = ending === "" ? payload.matchAll(/href="([^"]+)"/g) : payload.matchAll(/\]\(([^)\s]+)\)/g);
      for (const [, target = ""] of found) {
        const [path = "", anchor] = target.split("#");
        if (/^(https?|data):/.test(target)) continue;
        followed += 1;
        if (path !== "") expect((await get(path)).statusCode, `${name}${ending}: ${target}`).toBe(200);
        const page = path === "" ? `/docs/guide/${name}` : path.replace(/\.md$/, "");
        if (anchor !== undefined) expect([...(anchors.get(page) ?? [])], `${name}${ending}: ${target}`).toContain(anchor);
      }
    }
  expect(followed).toBeGreaterThan(100);
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
  expect(links.filter((path) => path.endsWith(".md"))).toHaveLength(NAMES.length);
  for (const path of links) expect((await get(path)).statusCode, path).toBe(200);
  expect(links.filter((path) => path.endsWith(".md")).at(0)).toBe("/docs/guide/quick-start.md");
  expect(links.at(-1)).toBe("/docs/guide/sdk.md");
  expect(payload).toContain(": from nothing to an order that moves");
});

describe("Markdown", () => {
  const html = (text: string): string => htmlOf(text, (target) => (target === "gone.md" ? null : target));

  test("becomes what it says, and nothing of it runs", () => {
    expect(html("# A `b`\n\nOne **two**\nthree [four](five.md#six).")).toBe(
      '<h1 id="a-b">A <code>b</code></h1>\n<p>One <strong>two</strong>\nthree <a href="five.md#six">four</a>.</p>',
    );
    expect(html("- a\n  b\n- c\n\n1. d")).toBe("<ul><li>a b</li>\n<li>c</li></ul>\n<ol><li>d</li></ol>");
    expect(html("| a | b |\n| - | - |\n| `x\\|y` | <z> |")).toContain("<td><code>x|y</code></td><td>&lt;z&gt;</td>");
    expect(html("```ts no-run: why\na < b\n```\nend")).toBe('<pre><code class="language-ts">a &lt; b</code></pre>\n<p>end</p>');
    expect(html("```mermaid\nstateDiagram-v2\n  [*] --> a\n  a --> b\n  a --> c\n  b --> [*]\n```")).toBe(
      '<ul class="diagram"><li>the start → <code>a</code></li>\n<li><code>a</code> → <code>b</code> or <code>c</code></li>\n<li><code>b</code> → the end</li></ul>',
    );
    expect(html("```mermaid\nsequenceDiagram\n  participant A as Your <app>\n  participant C as Comanda\n  A->>C: code & more\n```")).toBe(
      '<ol class="diagram"><li>Your &lt;app&gt; → Comanda: code &amp; more</li></ol>',
    );
    expect(html("```mermaid\npie\n```")).toBe('<pre><code class="language-mermaid">pie</code></pre>');
    expect(html('<script>x</script> [a](gone.md) [b](")')).toBe('<p>&lt;script&gt;x&lt;/script&gt; a <a href="&quot;">b</a></p>');
  });
});

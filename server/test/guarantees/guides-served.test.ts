/** The guides as the service serves them: to browsers, to programs, and to readers of /llms.txt. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlOf } from "#http/docs/markdown.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { PUBLIC_URL: "https://api.example" } });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url, headers });
const NAMES = readdirSync(new URL("../../../docs/guide/", import.meta.url))
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
    expect(page.payload).not.toMatch(/<script|```|\*\*|\]\(|language-mermaid/);
    expect(page.headers.etag).not.toBe(markdown.headers.etag);
  }
  for (const path of ["/docs/guide/unknown", "/docs/guide/unknown.md", "/docs/guide/..%2f..%2fpackage.json"])
    expect((await get(path)).statusCode, path).toBe(404);
});

test("the pictures of a guide are shown in its page and served beside it, and no other picture is", async () => {
  const { payload } = await get("/docs/guide/kitchen-screen");
  const sources = [...payload.matchAll(/<img src="([^"]+)" alt="[^"]{20,}"/g)].map(([, source = ""]) => source);
  expect(sources).toHaveLength(3);
  for (const source of sources) {
    const picture = await get(source);
    expect([picture.statusCode, picture.headers["content-type"]], source).toEqual([200, "image/png"]);
    expect(picture.rawPayload.subarray(1, 4).toString()).toBe("PNG");
    expect(await get("/docs/guide/kitchen-screen.md")).toHaveProperty("payload", expect.stringContaining(`](${source})`));
  }
  expect((await get("/docs/guide/orders-board.png")).statusCode).toBe(404);
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
      const found = ending === "" ? payload.matchAll(/(?:href|src)="([^"]+)"/g) : payload.matchAll(/\]\(([^)\s]+)\)/g);
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

test("requests in a guide have the address under which it is read, and are kept by caches only if that is set", async () => {
  const unset = await startApp({ database: app.database });
  for (const [ending, pattern] of [
    ["", /http:\/\/127\.0\.0\.1:4000/],
    [".md", /http:\/\/127\.0\.0\.1:4000/],
  ] as const)
    for (const name of [...NAMES, "sdk"]) {
      expect((await get(`/docs/guide/${name}${ending}`)).payload, name).not.toMatch(pattern);
      const read = await unset.app.http.inject({ url: `/docs/guide/${name}${ending}`, headers: { host: "kitchen.example:4610" } });
      expect([name, read.payload.includes("127.0.0.1:4000/"), read.headers["cache-control"]]).toEqual([name, false, "no-store"]);
    }
  expect((await get("/docs/guide/quick-start.md")).payload).toContain("API=https://api.example/api/v1");
  const page = await unset.app.http.inject({ url: "/docs/guide/quick-start", headers: { host: "kitchen.example:4610" } });
  expect(page.payload).toContain("API=http://kitchen.example:4610/api/v1");
  const odd = await unset.app.http.inject({ url: "/docs/guide/quick-start", headers: { host: "<script>x</script>" } });
  expect(odd.payload).not.toContain("<script");
  await unset.close();
});

describe("pictures", () => {
  const ways = (payload: string): number => payload.split('<path class="way"').length - 1;
  const source = (name: string): string => readFileSync(new URL(`../../../docs/guide/${name}.md`, import.meta.url), "utf8");

  test.each(["orders", "bookings", "oauth-apps"])(
    "the diagram of %s is drawn, with every state and every arrow, and told as a list",
    async (name) => {
      const { payload } = await get(`/docs/guide/${name}`);
      const [, block = ""] = /```mermaid\n([\s\S]*?)```/.exec(source(name)) ?? [];
      const arrows = block.split("\n").filter((line) => /-->|->>/.test(line));
      expect([payload.split("<svg ").length - 1, ways(payload)]).toEqual([1, arrows.length]);
      const [, drawn = "", told = ""] =
        /<figure class="diagram">(<svg.*?<\/svg>)<figcaption class="unseen">([\s\S]*?)<\/figcaption>/.exec(payload) ?? [];
      const words =
        name === "oauth-apps"
          ? ["Owner&#39;s browser".replace("&#39;", "'"), "Your app", "Comanda"]
          : arrows.flatMap((line) => line.trim().split(" --> "));
      for (const word of words.filter((one) => one !== "[*]"))
        expect([word, drawn.includes(`>${word}</text>`), told.includes(word)]).toEqual([word, true, true]);
      expect(drawn).not.toMatch(/NaN|undefined|style=/);
    },
  );

  /** Boxes of the states of a picture. */
  const boxes = (payload: string) =>
    [...payload.matchAll(/<rect class="state" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(([, ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
      return { left: x, right: x + width, top: y, bottom: y + height };
    });

  test.each(["orders", "bookings"])("no two states of %s overlap, and all are inside the picture", async (name) => {
    const { payload } = await get(`/docs/guide/${name}`);
    const [, width = 0, height = 0] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(payload)?.map(Number) ?? [];
    const states = boxes(payload);
    expect(states).toHaveLength(6);
    for (const [index, a] of states.entries()) {
      expect(a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height).toBe(true);
      for (const b of states.slice(index + 1))
        expect(a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top).toBe(true);
    }
  });

  test("a diagram with a way back is told as a list, and no text of it is markup", () => {
    const html = htmlOf("```mermaid\nstateDiagram-v2\n  [*] --> <a>\n  <a> --> b\n  b --> <a>\n```", (target) => target);
    expect(html).toBe(
      '<div class="diagram"><ul><li>the start → <code>&lt;a&gt;</code></li>\n<li><code>&lt;a&gt;</code> → <code>b</code></li>\n<li><code>b</code> → <code>&lt;a&gt;</code></li></ul></div>',
    );
    const sequence = htmlOf(
      "```mermaid\nsequenceDiagram\n  participant A as Your <app>\n  participant C as Comanda\n  A->>C: code & more\n```",
      (target) => target,
    );
    expect(sequence).toContain("<li>Your &lt;app&gt; → Comanda: code &amp; more</li>");
    expect(sequence).toContain(">code &amp; more</text>");
    expect(sequence).not.toContain("<app>");
  });
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
    expect(html("```mermaid\npie\n```")).toBe('<pre><code class="language-mermaid">pie</code></pre>');
    expect(html('<script>x</script> [a](gone.md) [b](")')).toBe('<p>&lt;script&gt;x&lt;/script&gt; a <a href="&quot;">b</a></p>');
  });
});

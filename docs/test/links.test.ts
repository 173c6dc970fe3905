/** Every link in every Markdown file has a target: a file, a heading, a path of the service, or a known host. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { slugOf } from "../../server/src/http/docs/guide-files.ts";
import { startApp, type TestApp } from "../../server/test/support/test-app.ts";
import { ROOT } from "./blocks.ts";

const SERVICE = "http://127.0.0.1:4000";
/** Other servers are not fetched, because a test must not depend on them. */
const KNOWN_HOSTS = [
  "jqlang.org",
  "www.rfc-editor.org",
  "datatracker.ietf.org",
  "nodejs.org",
  "www.postgresql.org",
  "spec.openapis.org",
  "github.com",
];
const SKIPPED = ["node_modules", "dist", ".source", ".git", ".comanda", ".results"];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const markdownFiles = (folder = ""): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return markdownFiles(path);
      return path.endsWith(".md") ? [path] : [];
    });

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

const linksOf = (text: string): string[] => [
  ...[...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target),
  ...[...withoutCode(text).matchAll(/<(https?:\/\/[^>\s]+)>/g)].map(([, target = ""]) => target),
];

/** A heading that occurs twice gets a number the second time. */
const anchorsOf = (text: string): string[] => {
  const seen = new Map<string, number>();
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = ""]) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
};

const relativeFault = (from: string, target: string, read = (path: string) => readFileSync(join(ROOT, path), "utf8")): string | null => {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, path))) return `${from}: there is no ${target}`;
  if (anchor === undefined || !path.endsWith(".md")) return null;
  return anchorsOf(read(path)).includes(anchor) ? null : `${from}: ${target} has no such heading`;
};

const faultOf = async (from: string, target: string): Promise<string | null> => {
  if (target.startsWith(`${SERVICE}/`)) {
    const { statusCode } = await app.app.http.inject(target.slice(SERVICE.length));
    // The console is built by another command; its page is there all the same.
    return [200, 503].includes(statusCode) ? null : `${from}: the service answers ${statusCode} to ${target}`;
  }
  if (/^https?:/.test(target)) return KNOWN_HOSTS.includes(new URL(target).host) ? null : `${from}: the host of ${target} is not known`;
  if (/^[a-z]+:/.test(target)) return `${from}: ${target} is no link that we use`;
  return relativeFault(from, target);
};

test("every link resolves", async () => {
  const files = markdownFiles();
  const faults: string[] = [];
  let followed = 0;
  for (const from of files)
    for (const target of linksOf(readFileSync(join(ROOT, from), "utf8"))) {
      followed += 1;
      const fault = await faultOf(from, target);
      if (fault !== null) faults.push(fault);
    }
  console.info(`${followed} links in ${files.length} files`);
  expect(faults).toEqual([]);
  expect(followed).toBeGreaterThan(100);
});

test("planted: a file, a heading, a path and a host that are not there are seen", async () => {
  const page = "docs/guide/developer/orders.md";
  for (const target of [
    "order.md",
    "webhooks.md#nothing",
    "#nothing",
    `${SERVICE}/dosc`,
    "https://somewhere.invalid/",
    "mailto:you@example.com",
  ])
    expect(await faultOf(page, target), target).toContain(page);
  for (const target of ["webhooks.md#replay", "#move-it-along", "../../open-points/README.md", `${SERVICE}/docs`])
    expect(await faultOf(page, target)).toBeNull();
  expect(linksOf("[a](b.md) `[c](d.md)` <http://127.0.0.1:4000/docs>\n```\n[e](f.md)\n```")).toEqual([
    "b.md",
    "http://127.0.0.1:4000/docs",
  ]);
  expect(anchorsOf("# A\n## A\n## B & c")).toEqual(["a", "a-1", "b--c"]);
});

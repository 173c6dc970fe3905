/** What is published: nothing of Node in it, small, and usable from its tarball by somebody who has only that. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "./shop.ts";

const SDK = fileURLToPath(new URL("..", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const CORE_BYTES_MAX = 5 * 1024;

let folder: string;
let shop: Shop;
/** Not in this thread: the service answers from here. */
const run = async (command: string, parameters: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(command, parameters, { cwd, env: { ...process.env, npm_config_loglevel: "error" } })).stdout;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "comanda-sdk-"));
  // As it will be packed: a copy with its own dist, so that tests side by side do not meet.
  for (const name of ["package.json", "README.md"]) writeFileSync(join(folder, name), readFileSync(join(SDK, name)));
  await run(TSC, ["-p", SDK, "--outDir", join(folder, "dist")], SDK);
  shop = await openShop();
});
afterAll(async () => {
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});

const bundle = async (code: string): Promise<{ bytes: number; gzip: number }> => {
  const entry = join(folder, `entry-${code.length}.js`);
  writeFileSync(entry, code);
  const built = await build({
    root: folder,
    logLevel: "silent",
    configFile: false,
    build: { write: false, minify: true, target: "es2022", lib: { entry, formats: ["es"] } },
  });
  const [{ output }] = [built].flat() as unknown as [{ output: { code: string }[] }];
  const text = output.map((part) => part.code).join("");
  return { bytes: text.length, gzip: gzipSync(text).length };
};

test("nothing of Node, and no other package, is in it", () => {
  const files = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) {
    const text = readFileSync(join(folder, "dist", name), "utf8");
    expect(text.match(/from "(?!\.\/)[^"]+"|\bnode:|\bprocess\.|\bBuffer\b|\brequire\(/g) ?? [], name).toEqual([]);
  }
});

test("the client takes at most 5 kB, and webhooks alone are smaller still", async () => {
  const client = await bundle('export { createClient } from "./dist/index.js";');
  const webhooks = await bundle('export { verifyWebhook } from "./dist/index.js";');
  const all = await bundle('export * from "./dist/index.js";');
  console.info(`gzip: client ${client.gzip} B, webhooks ${webhooks.gzip} B, everything ${all.gzip} B`);
  expect(client.gzip).toBeLessThanOrEqual(CORE_BYTES_MAX);
  expect(webhooks.gzip).toBeLessThan(client.gzip);
});

test("installed from its tarball it has types, and places an order", async () => {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", private: true, type: "module" }));
  const [packed] = JSON.parse(await run("npm", ["pack", "--json"], folder)) as { filename: string; files: { path: string }[] }[];
  expect(packed?.files.map(({ path }) => path).filter((path) => !path.startsWith("dist/"))).toEqual(["README.md", "package.json"]);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, packed?.filename ?? "")], project);
  writeFileSync(
    join(project, "shop.ts"),
    `import { createClient, type Order } from "@comanda/sdk";
const comanda = createClient({ rootUrl: "${shop.rootUrl}", token: "${shop.venue.token}" });
let cheapest = null as null | number;
for await (const item of comanda.items.list({ available: "true", per_page: 50 }))
  if (item.price_minor === 1000 && item.modifier_groups.length === 0) cheapest ??= item.id;
const { data }: { data: Order } = await comanda.orders.create({
  type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: cheapest ?? 0, quantity: 1 }],
});
// @ts-expect-error: no such status
void (() => comanda.orders.move(data.id, { status: "eaten" }));
console.log(data.status);
`,
  );
  const options = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--strict",
    "--skipLibCheck",
    "false",
    "--lib",
    "es2023,dom,dom.asynciterable",
    "--types",
    "",
  ];
  await run(TSC, ["shop.ts", ...options], project);
  expect((await run(process.execPath, ["shop.js"], project)).trim()).toBe("placed");
});

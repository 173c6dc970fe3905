/** What is published: nothing of Node in it, small, and usable from its tarball alone. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { apiOperations } from "@comanda/contract/operations.ts";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { METHODS } from "../src/methods.generated.ts";
import type { OperationId } from "../src/types.generated.ts";
import { wordsAt } from "./editor-words.ts";
import { type RunningService, startService } from "./running-service.ts";

const SDK = fileURLToPath(new URL("..", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const ATTW = fileURLToPath(new URL("../../node_modules/.bin/attw", import.meta.url));
const CORE_BYTES_MAX = 5 * 1024;

let folder: string;
let service: RunningService;
/** The program runs in another process, because the service answers from this thread. */
const run = async (command: string, parameters: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(command, parameters, { cwd, env: { ...process.env, npm_config_loglevel: "error" } })).stdout;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "comanda-sdk-"));
  // Packs a copy with its own dist, so that tests side by side do not meet.
  for (const name of ["package.json", "README.md"]) writeFileSync(join(folder, name), readFileSync(join(SDK, name)));
  await run(TSC, ["-p", SDK, "--outDir", join(folder, "dist")], SDK);
  service = await startService();
});
afterAll(async () => {
  await service?.close();
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
  const receiver = await bundle('export * from "./dist/webhooks.js";');
  console.info(`gzip: client ${client.gzip} B, webhooks ${webhooks.gzip} B, all of webhooks ${receiver.gzip} B, everything ${all.gzip} B`);
  expect(readFileSync(join(SDK, "README.md"), "utf8")).toContain(`(${(receiver.gzip / 1000).toFixed(1)} kB, gzip)`);
  expect(client.gzip).toBeLessThanOrEqual(CORE_BYTES_MAX);
  expect(webhooks.gzip).toBeLessThan(client.gzip);
});

test("an editor shows the contract's words beside every method of the published types", async () => {
  const methods = Object.entries(METHODS).flatMap(([resource, entries]) =>
    Object.entries(entries as Record<string, readonly [OperationId, ...string[]]>).map(([name, [id]]) => ({
      place: `client.${resource}.${name}`,
      id,
    })),
  );
  const lines = ['import { createClient } from "./dist/index.js";', 'const client = createClient({ rootUrl: "", token: "" });'];
  writeFileSync(join(folder, "shown.ts"), [...lines, ...methods.map(({ place }) => place)].join("\n"));
  const shown = await wordsAt(
    folder,
    "shown.ts",
    methods.map(({ place }, index) => [lines.length + index, place.length - 1]),
  );
  const wanted = methods.map(({ id }) => `${apiOperations[id].summary}. ${apiOperations[id].description}`);
  expect(methods.filter((_, index) => !shown[index]?.includes(wanted[index] ?? "-"))).toEqual([]);
});

/** What publint says of the tarball, and attw of the way to its types; it fails by itself when it finds something. */
const problemsOf = async (packed: string): Promise<string[]> => {
  const [{ filename = "" } = {}] = JSON.parse(await run("npm", ["pack", "--json"], packed)) as { filename?: string }[];
  const manifest = JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as Record<string, unknown>;
  const { buffer } = new Uint8Array(readFileSync(join(packed, filename)));
  const { messages } = await publint({ strict: true, pack: { tarball: buffer } });
  const said = messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`);
  const parameters = [filename, "--profile", "esm-only", "--no-definitely-typed", "--format", "ascii", "--no-emoji", "--no-color"];
  try {
    expect(await run(ATTW, parameters, packed)).toContain('"@comanda/sdk/webhooks"');
    return said;
  } catch (error) {
    return [...said, `attw: ${(error as { stdout?: string }).stdout ?? String(error)}`];
  }
};

test("publint and attw find nothing; planted: without the types of a subpath, both do", async () => {
  expect(await problemsOf(folder)).toEqual([]);
  const planted = join(folder, "planted");
  mkdirSync(planted);
  for (const name of ["package.json", "README.md", "dist"]) cpSync(join(folder, name), join(planted, name), { recursive: true });
  rmSync(join(planted, "dist/webhooks.d.ts"));
  const problems = await problemsOf(planted);
  expect(problems).toContainEqual(expect.stringMatching(/^publint: .*webhooks\.d\.ts/));
  expect(problems).toContainEqual(expect.stringMatching(/^attw: [\s\S]*webhooks"\s+node16 \(from ESM\): (?!OK)/));
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
import { signWebhook, verifyWebhook } from "@comanda/sdk/webhooks";
const comanda = createClient({ rootUrl: "${service.rootUrl}", token: "${service.venue.token}" });
let cheapest = null as null | number;
for await (const item of comanda.items.list({ available: true, per_page: 50 }))
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

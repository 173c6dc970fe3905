/** The built SDK, unchanged, on every runtime it is meant for, each in a process of its own against a running service. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EVENT_SAMPLES } from "@comanda/contract/event-samples.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureOf } from "../../server/src/platform/webhooks/sign.ts";
import { hire } from "../../server/test/console.ts";
import { install, newApp, type Visitor } from "../../server/test/marketplace.ts";
import type { Setting } from "../runtimes/walk.ts";
import { isInstalled, type Outcome, RUNTIMES, type Runtime, startChild } from "./runtimes.ts";
import { openShop, type Shop } from "./shop.ts";
import { openStreet } from "./street.ts";

const SDK = fileURLToPath(new URL("..", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const SECRET = `whsec_${"aB3".repeat(13)}x`;
const CHECK_COUNT = 14;
const isRequired = process.env.RUNTIMES === "required";

let folder: string;
let shop: Shop;
let client: Awaited<ReturnType<typeof newApp>>;
let visitor: Visitor;
const table: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "comanda-runtimes-"));
  await promisify(execFile)(TSC, ["-p", SDK, "--outDir", join(folder, "dist")], { cwd: SDK, timeout: 100_000 });
  const written = readFileSync(join(SDK, "runtimes/walk.ts"), "utf8");
  writeFileSync(join(folder, "walk.js"), stripTypeScriptTypes(written).replace('"../src/index.ts"', '"./dist/index.js"'));
  shop = await openShop({ OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" });
  client = await newApp(shop.app.deps);
  visitor = { owner: await hire(shop.app, shop.venue.slug, "owner"), slug: shop.venue.slug };
});
afterAll(async () => {
  console.info(`\nThe SDK on\n${table.join("\n")}\n`);
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});

const settingFor = async (rootUrl: string): Promise<Setting> => {
  type Dish = { id: number; price_minor: number; variants: unknown[]; modifier_groups: unknown[]; is_available: boolean };
  const items = (await shop.app.call(shop.venue.token, "GET", "/items?per_page=100")).body.data as Dish[];
  const dish = items.find(
    (item) => item.is_available && item.price_minor === 1000 && item.variants.length + item.modifier_groups.length === 0,
  );
  const body = JSON.stringify(EVENT_SAMPLES["order.created"]);
  const signedAt = new Date();
  const pair = await install(shop.app, visitor, client, ["menu:read"]);
  return {
    rootUrl,
    token: shop.venue.token,
    order: { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: dish?.id ?? 0, quantity: 1 }] },
    itemIds: items.map(({ id }) => id),
    app: { clientId: client.client_id, clientSecret: client.client_secret },
    pair: { accessToken: pair.access_token, refreshToken: pair.refresh_token, expiresAt: 0, scope: pair.scope },
    message: { body, header: signatureOf(body, [SECRET], signedAt), secret: SECRET, signedAtMs: signedAt.getTime() },
  };
};

type Plant = { file: string; from: string; to: string };

const walkOn = async (runtime: Runtime, plant?: Plant): Promise<Outcome> => {
  const stage = mkdtempSync(join(folder, "stage-"));
  cpSync(join(folder, "walk.js"), join(stage, "walk.js"));
  mkdirSync(join(stage, "dist"));
  const modules = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".js"));
  for (const name of modules) cpSync(join(folder, "dist", name), join(stage, "dist", name));
  if (plant) {
    const path = join(stage, "dist", plant.file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(plant.from);
    writeFileSync(path, text.replace(plant.from, plant.to));
  }
  const street = await openStreet(shop.rootUrl, stage);
  try {
    writeFileSync(join(stage, "setting.js"), `export const setting = ${JSON.stringify(await settingFor(street.rootUrl))};\n`);
    return await runtime.walk({ folder: stage, rootUrl: street.rootUrl, modules: modules.map((name) => `dist/${name}`) });
  } finally {
    await street.close();
  }
};

const faultsOf = ({ checks }: Outcome): string[] => checks.flatMap(({ name, fault }) => (fault === null ? [] : [`${name}: ${fault}`]));

describe.each(RUNTIMES)("$name", (runtime) => {
  const isThere = isInstalled(runtime);

  test("the whole walk", async (context) => {
    if (!isThere) {
      table.push(`  ${runtime.name.padEnd(9)} NOT TRIED: not installed`);
      if (isRequired) throw new Error(`${runtime.name} is not at ${runtime.program}`);
      return context.skip(`${runtime.name} is not installed: npm run runtimes`);
    }
    const startedAt = performance.now();
    const outcome = await walkOn(runtime).catch((error: unknown) => {
      table.push(`  ${runtime.name.padEnd(9)} gave no answer`);
      throw error;
    });
    const faults = faultsOf(outcome);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    table.push(
      `  ${runtime.name.padEnd(9)} ${outcome.version.padEnd(16)} ${outcome.checks.length - faults.length} of ${outcome.checks.length} checks, ${seconds} s`,
    );
    expect(faults).toEqual([]);
    expect(outcome.checks).toHaveLength(CHECK_COUNT);
  });

  test.skipIf(!isThere)("planted: a key that is made anew for each attempt turns it red", async () => {
    const faults = faultsOf(
      await walkOn(runtime, {
        file: "transport.js",
        from: 'headers["idempotency-key"] = key',
        to: 'headers["idempotency-key"] = crypto.randomUUID()',
      }),
    );
    expect(faults).toEqual([expect.stringContaining("an order over 503 and 429 is placed once: Error: keys: 3 instead of 1")]);
  });
});

describe.each(RUNTIMES.filter(({ name }) => name === "workerd" || name === "Chromium"))("$name", (runtime) => {
  test.skipIf(!isInstalled(runtime))("planted: something of Node in the SDK turns it red", async () => {
    const plant = { file: "transport.js", from: "import ", to: 'import "node:os";\nimport ' };
    await expect(walkOn(runtime, plant)).rejects.toThrow(/gave no answer[\s\S]*node:os/);
  });
});

test("a child that hangs is killed with what it started, and what it wrote is kept", async () => {
  const code = 'import { spawn } from "node:child_process"; console.log(spawn("sleep", ["60"]).pid); setInterval(() => {}, 1000);';
  const child = startChild(process.execPath, ["--input-type=module", "-e", code], { folder }, 1500);
  expect(await child.ended).toBeNull();
  expect(child.errors()).toContain("[killed after 1500 ms]");
  const grandchild = Number(child.output());
  expect(grandchild).toBeGreaterThan(0);
  const isAlive = () => existsSync(`/proc/${grandchild}`) && !/\) Z /.test(readFileSync(`/proc/${grandchild}/stat`, "utf8"));
  await expect.poll(isAlive).toBe(false);
});

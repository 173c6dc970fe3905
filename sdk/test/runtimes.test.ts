/** The built SDK, unchanged, on every runtime it is meant for, each in a process of its own against a running service. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureOf } from "../../server/src/platform/events/webhooks/sign.ts";
import { createUser } from "../../server/test/support/console-client.ts";
import { type ConsentingOwner, install, newApp } from "../../server/test/support/marketplace.ts";
import type { CheckSettings } from "../runtimes/sdk-checks.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import { type RunningService, startService } from "./running-service.ts";
import { isInstalled, RUNTIMES, type Runtime, type RuntimeResult, startChild } from "./runtimes.ts";

const SDK = fileURLToPath(new URL("..", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const SECRET = `whsec_${"aB3".repeat(13)}x`;
const CHECK_COUNT = 16;
const isRequired = process.env.TEST_RUNTIMES === "required";

let folder: string;
let service: RunningService;
let client: Awaited<ReturnType<typeof newApp>>;
let installer: ConsentingOwner;
const table: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "comanda-runtimes-"));
  await promisify(execFile)(TSC, ["-p", SDK, "--outDir", join(folder, "dist")], { cwd: SDK, timeout: 250_000 });
  const written = readFileSync(join(SDK, "runtimes/sdk-checks.ts"), "utf8");
  writeFileSync(join(folder, "sdk-checks.js"), stripTypeScriptTypes(written).replace('"../src/index.ts"', '"./dist/index.js"'));
  service = await startService({ OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" });
  client = await newApp(service.app.deps);
  installer = { owner: await createUser(service.app, service.venue.slug, "owner"), slug: service.venue.slug };
});
afterAll(async () => {
  console.info(`\nThe SDK on\n${table.join("\n")}\n`);
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const settingsFor = async (rootUrl: string): Promise<CheckSettings> => {
  type OrderableItem = { id: number; price_minor: number; variants: unknown[]; modifier_groups: unknown[]; is_available: boolean };
  const items = (await service.app.call(service.venue.token, "GET", "/items?per_page=100")).body.data as OrderableItem[];
  const item = items.find(
    (item) => item.is_available && item.price_minor === 1000 && item.variants.length + item.modifier_groups.length === 0,
  );
  const body = JSON.stringify(EVENT_SAMPLES["order.created"]);
  const signedAt = new Date();
  const pair = await install(service.app, installer, client, ["menu:read"]);
  return {
    rootUrl,
    token: service.venue.token,
    order: { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: item?.id ?? 0, quantity: 1 }] },
    itemIds: items.map(({ id }) => id),
    app: { clientId: client.client_id, clientSecret: client.client_secret },
    pair: { accessToken: pair.access_token, refreshToken: pair.refresh_token, expiresAt: 0, scope: pair.scope },
    message: { body, header: signatureOf(body, [SECRET], signedAt), secret: SECRET, signedAtMs: signedAt.getTime() },
  };
};

type SdkFault = { file: string; from: string; to: string };

const runOn = async (runtime: Runtime, sdkFault?: SdkFault): Promise<RuntimeResult> => {
  const place = mkdtempSync(join(folder, "stage-"));
  cpSync(join(folder, "sdk-checks.js"), join(place, "sdk-checks.js"));
  mkdirSync(join(place, "dist"));
  const modules = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".js"));
  for (const name of modules) cpSync(join(folder, "dist", name), join(place, "dist", name));
  if (sdkFault) {
    const path = join(place, "dist", sdkFault.file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(sdkFault.from);
    writeFileSync(path, text.replace(sdkFault.from, sdkFault.to));
  }
  const proxy = await startFaultyProxy(service.rootUrl, place);
  try {
    writeFileSync(join(place, "settings.js"), `export const settings = ${JSON.stringify(await settingsFor(proxy.rootUrl))};\n`);
    return await runtime.runChecks({ folder: place, rootUrl: proxy.rootUrl, modules: modules.map((name) => `dist/${name}`) });
  } finally {
    await proxy.close();
  }
};

const faultsOf = ({ checks }: RuntimeResult): string[] =>
  checks.flatMap(({ name, fault }) => (fault === null ? [] : [`${name}: ${fault}`]));

describe.each(RUNTIMES)("$name", (runtime) => {
  const isThere = isInstalled(runtime);

  test("passes every check", async (context) => {
    if (!isThere) {
      table.push(`  ${runtime.name.padEnd(9)} NOT TRIED: not installed`);
      if (isRequired) throw new Error(`${runtime.name} is not at ${runtime.program}`);
      return context.skip(`${runtime.name} is not installed: npm run runtimes`);
    }
    const startedAt = performance.now();
    const outcome = await runOn(runtime).catch((error: unknown) => {
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

  test.skipIf(!isThere || runtime.isOlder)("planted: a new key for each attempt is found", async () => {
    const faults = faultsOf(
      await runOn(runtime, {
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
    const sdkFault = { file: "transport.js", from: "import ", to: 'import "node:os";\nimport ' };
    await expect(runOn(runtime, sdkFault)).rejects.toThrow(/gave no answer[\s\S]*node:os/);
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

/** Runs the examples in their own processes against a running service. Each test file has its own service. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { type RunningService, startService } from "../../sdk/test/running-service.ts";

export const HERE = fileURLToPath(new URL("..", import.meta.url));
const SDK = join(HERE, "../sdk");
export const EXAMPLES = ["web-shop-checkout.ts", "kitchen-printer.ts", "printer-behind-router.ts", "nightly-sales-export.ts"] as const;
type ExampleFile = (typeof EXAMPLES)[number];
export const RUN_MS_MAX = 30_000;

export let service: RunningService;
let folder: string;
let itemId: number;

/** Each file calls it once: files that share a process share this module too, so hooks beside the imports would run for the first file only. */
export const startExamples = (): void => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "comanda-examples-"));
    // A folder of its own: another file of tests may build the SDK at the same moment.
    const sdk = join(folder, "node_modules/@comanda/sdk");
    await promisify(execFile)(join(HERE, "../node_modules/.bin/tsc"), ["-p", SDK, "--outDir", join(sdk, "dist")], { timeout: 250_000 });
    copyFileSync(join(SDK, "package.json"), join(sdk, "package.json"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    service = await startService({ ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` });
    const { body } = await service.app.call(service.venue.token, "GET", "/items?per_page=100&available=true");
    itemId = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id;
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });
};

/** A copy of the example beside the built SDK, with faults in it where a test wants them. */
export type SourceFault = [from: string, to: string];
export const fileOf = (name: ExampleFile, faults: SourceFault[] = []): string => {
  let text = readFileSync(join(HERE, name), "utf8");
  for (const [from, to] of faults) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  const path = join(newFolder("example"), name);
  writeFileSync(path, text);
  return path;
};

export const environment = (own: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  COMANDA_URL: service.rootUrl,
  COMANDA_TOKEN: service.venue.token,
  ...own,
});

export type ProcessResult = { code: number; stdout: string; stderr: string };
type RunOptions = { parameters?: string[]; faults?: SourceFault[] };
export const run = (
  name: ExampleFile,
  own: Record<string, string> = {},
  { parameters = [], faults = [] }: RunOptions = {},
): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const options = { env: environment(own), timeout: RUN_MS_MAX, killSignal: "SIGKILL" as const };
    const child = execFile(process.execPath, [fileOf(name, faults), ...parameters], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

export const call = async (method: string, path: string, body?: unknown) => {
  const answer = await service.app.call(service.venue.token, method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data;
};
export const place = (note: string | null = null): Promise<{ id: string; total_minor: number }> =>
  call("POST", "/orders", {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    note,
    lines: [{ item_id: itemId, quantity: 2 }],
  });
export const countOrders = async (): Promise<number> => (await call("GET", "/orders?per_page=100")).length;
export const newFolder = (name: string): string => mkdtempSync(join(folder, `${name}-`));

/**
 * What is published: both packages from their tarballs in a folder of their own, on each supported Node, from a new machine to the first event.
 *
 * @long
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/src/index.ts";
import { isNodeInstalled, NODES } from "../../sdk/test/node-versions.ts";
import { type RunningService, startService } from "../../sdk/test/running-service.ts";
import { type InstalledCli, installCli, newMachine, runCommand, startCommand } from "./installed-cli.ts";
import { startLocalReceiver } from "./local-receiver.ts";

const FIRST_EVENT_MS_MAX = 60_000;
const isRequired = process.env.TEST_RUNTIMES === "required";

let cli: InstalledCli;
let service: RunningService;
let dishId: number;
let tarballs: string[];

const npm = async (parameters: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)("npm", parameters, { cwd, env: { ...process.env, npm_config_loglevel: "error" } })).stdout;

const pack = async (folder: string): Promise<string> => {
  const [packed] = JSON.parse(await npm(["pack", "--json"], folder)) as { filename: string }[];
  return join(folder, packed?.filename ?? "");
};

beforeAll(async () => {
  [cli, service] = await Promise.all([installCli(), startService({ RATE_PER_MINUTE: "1000000" })]);
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  tarballs = [await pack(cli.packages.sdk), await pack(cli.packages.cli)];
});
afterAll(async () => {
  await service?.close();
  cli?.remove();
});

const newProject = async (name: string): Promise<string> => {
  const project = join(cli.folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true }));
  await npm(["install", "--offline", "--no-audit", "--no-fund", ...tarballs], project);
  return project;
};

test("the tarball has the built files, its only package is the SDK, and publint finds nothing", async () => {
  const manifest = JSON.parse(readFileSync(join(cli.packages.cli, "package.json"), "utf8"));
  expect(manifest.dependencies).toEqual({
    "@comanda/sdk": JSON.parse(readFileSync(join(cli.packages.sdk, "package.json"), "utf8")).version,
  });
  const { buffer } = new Uint8Array(readFileSync(tarballs[1] ?? ""));
  expect((await publint({ strict: true, pack: { tarball: buffer } })).messages).toEqual([]);
  for (const name of readdirSync(join(cli.packages.cli, "dist"))) {
    const imported = [...readFileSync(join(cli.packages.cli, "dist", name), "utf8").matchAll(/ from "([^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(
      imported.filter((path) => !/^(node:|[.]\/|@comanda\/sdk$)/.test(path)),
      name,
    ).toEqual([]);
  }
});

describe.each(NODES)("Node $major", (node) => {
  test("from a new machine to the first forwarded event within a minute", async (context) => {
    if (!isNodeInstalled(node)) {
      if (isRequired) throw new Error(`Node ${node.major} is not at ${node.program}`);
      return context.skip(`Node ${node.major} is not installed: npm run runtimes`);
    }
    const startedAt = performance.now();
    const project = await newProject(`new-machine-${node.major}`);
    const main = realpathSync(join(project, "node_modules/.bin/comanda"));
    expect(main.startsWith(join(project, "node_modules/@comanda/cli/"))).toBe(true);
    const machine = newMachine(cli.folder);
    const login = ["login", "--url", service.rootUrl, "--token", service.venue.token];
    expect(await runCommand(main, machine, login, { program: node.program })).toMatchObject({ code: 0, stderr: "" });
    const receiver = await startLocalReceiver();
    const listening = startCommand(main, machine, ["listen", "--forward-to", receiver.url, "--types", "order.created"], node.program);
    await expect.poll(listening.stdout).toContain("Forwarding");
    const lines = [{ item_id: dishId, quantity: 1 }];
    const body = { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines };
    const { id } = (await service.app.call(service.venue.token, "POST", "/orders", { body })).body.data;
    await expect.poll(() => receiver.received.length).toBe(1);
    const seconds = (performance.now() - startedAt) / 1000;
    console.info(`Node ${node.major}: ${seconds.toFixed(1)} s from an empty folder to the first forwarded event`);
    const [message] = receiver.received;
    const secret = /Signing secret: (\S+)/.exec(listening.stdout())?.[1] ?? "";
    expect(await verifyWebhook({ body: message?.body ?? "", headers: message?.headers ?? {}, secret })).toMatchObject({
      data: { order: { id } },
    });
    listening.child.kill("SIGTERM");
    expect([await listening.ended, listening.stderr()]).toEqual([0, ""]);
    await receiver.close();
    expect(seconds * 1000).toBeLessThan(FIRST_EVENT_MS_MAX);
    const version = await promisify(execFile)(node.program, ["--version"]);
    expect(version.stdout).toMatch(new RegExp(`^v${node.major}\\.`));
  });
});

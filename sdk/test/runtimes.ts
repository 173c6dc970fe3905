/** Starts each runtime with a time limit and reports its output. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { SdkCheckResult } from "../runtimes/sdk-checks.ts";
import { OLDER_NODES } from "./node-versions.ts";

/** A folder with `sdk-checks.js`, `settings.js` and the built SDK; the proxy serves it. */
export type RuntimeFolder = { folder: string; rootUrl: string; modules: string[] };
export type RuntimeResult = { version: string; checks: SdkCheckResult[] };
export type Runtime = { name: string; program: string; isOlder?: true; runChecks(place: RuntimeFolder): Promise<RuntimeResult> };

const RUN_MS_MAX = 60_000;
const INSTALLED = fileURLToPath(new URL("../runtimes/node_modules/", import.meta.url));
const isArm = process.arch === "arm64";

type Child = { output(): string; errors(): string; ended: Promise<number | null>; kill(): void };

/** A child in a group of its own that is killed, with all it started, when its time is over. */
export const startChild = (
  program: string,
  parameters: string[],
  { folder }: Pick<RuntimeFolder, "folder">,
  limitMs = RUN_MS_MAX,
): Child => {
  const child = spawn(program, parameters, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  const timer = setTimeout(() => {
    errors += `\n[killed after ${limitMs} ms]`;
    kill();
  }, limitMs);
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve(code);
    };
    child.once("error", (error) => {
      errors += String(error);
      end(null);
    });
    child.once("close", end);
  });
  return { output: () => output, errors: () => errors, ended, kill };
};

const failureText = (name: string, child: Child): string =>
  `${name} gave no answer. It wrote:\n${child.output().slice(-4000)}\n${child.errors().slice(-4000)}`;

const versionOf = async (program: string, place: RuntimeFolder): Promise<string> => {
  const child = startChild(program, ["--version"], place, 10_000);
  await child.ended;
  return /\d[\d.-]+\d/.exec(child.output())?.[0] ?? "?";
};

/** Node, Deno and Bun: run a file, which prints one line. */
const commandLine = (name: string, program: string, parameters: string[]): Runtime => ({
  name,
  program,
  async runChecks(place) {
    writeFileSync(
      join(place.folder, "main.js"),
      'import { settings } from "./settings.js";\nimport { runChecks } from "./sdk-checks.js";\nconsole.log(JSON.stringify(await runChecks(settings)));\n',
    );
    const child = startChild(program, [...parameters, "main.js"], place);
    const code = await child.ended;
    const line = child.output().trim().split("\n").at(-1) ?? "";
    if (code !== 0 || !line.startsWith("[")) throw new Error(failureText(`${name} (exit ${code})`, child));
    return { version: await versionOf(program, place), checks: JSON.parse(line) as SdkCheckResult[] };
  },
});

const WORKER = `import { settings } from "./settings.js";
import { runChecks } from "./sdk-checks.js";
export default { fetch: async () => Response.json(await runChecks(settings)) };
`;

/** Every file as a module of its own, unchanged. The date is old on purpose: newer ones lend a worker the modules of Node. */
const workerConfig = (modules: string[]): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "here", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
${modules.map((name) => `    (name = "${name}", esModule = embed "${name}"),`).join("\n")}
  ],
  compatibilityDate = "2025-01-01",
  globalOutbound = "here",
);
`;

const workerd: Runtime = {
  name: "workerd",
  program: join(INSTALLED, `@cloudflare/workerd-linux-${isArm ? "arm64" : "64"}/bin/workerd`),
  async runChecks(place) {
    writeFileSync(join(place.folder, "worker.js"), WORKER);
    writeFileSync(join(place.folder, "config.capnp"), workerConfig(["worker.js", "sdk-checks.js", "settings.js", ...place.modules]));
    const child = startChild(this.program, ["serve", "--control-fd=1", "config.capnp"], place);
    let isOver = false;
    void child.ended.then(() => {
      isOver = true;
    });
    try {
      const port = (): string | undefined => /"event":"listen","socket":"http","port":(\d+)/.exec(child.output())?.[1];
      while (!port() && !isOver) await sleep(20);
      if (!port()) throw new Error(failureText("workerd", child));
      const answer = await fetch(`http://127.0.0.1:${port()}/`, { signal: AbortSignal.timeout(RUN_MS_MAX) }).catch((error: unknown) => {
        throw new Error(failureText("workerd", child), { cause: error });
      });
      if (!answer.ok) throw new Error(failureText(`workerd (${answer.status})`, child));
      return { version: await versionOf(this.program, place), checks: (await answer.json()) as SdkCheckResult[] };
    } finally {
      child.kill();
      await child.ended;
    }
  },
};

const PAGE = `<!doctype html><title>running</title><script type="module">
try {
  const [{ settings }, { runChecks }] = await Promise.all([import("./settings.js"), import("./sdk-checks.js")]);
  document.title = JSON.stringify(await runChecks(settings));
} catch (error) {
  document.title = String(error);
}
</script>`;

const browser: Runtime = {
  name: "Chromium",
  program: process.env.CHROMIUM ?? "/usr/bin/chromium",
  async runChecks({ folder, rootUrl }) {
    writeFileSync(join(folder, "index.html"), PAGE);
    const opened = await chromium.launch({ executablePath: this.program, args: ["--no-sandbox", "--disable-gpu"], timeout: 120_000 });
    // Whatever the page does, everything that waits for it fails then.
    const timer = setTimeout(() => void opened.close(), RUN_MS_MAX);
    const notes: string[] = [];
    try {
      const page = await opened.newPage();
      page.on("console", (message) => notes.push(message.text()));
      await page.goto(`${rootUrl}/`, { timeout: 120_000 });
      let title = "running";
      for (; title === "running"; title = await page.title()) await sleep(50);
      if (!title.startsWith("[")) throw new Error(title);
      return { version: opened.version(), checks: JSON.parse(title) as SdkCheckResult[] };
    } catch (error) {
      throw new Error(`Chromium gave no answer. The page said:\n${notes.join("\n")}\n${String(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
      await opened.close();
    }
  },
};

const denoPermissions = ["run", "--no-config", "--no-lock", "--no-prompt", "--no-remote", "--allow-net=127.0.0.1"];

export const RUNTIMES: Runtime[] = [
  commandLine("Node", process.execPath, []),
  // Older Nodes have the same engine, so a planted fault is shown on the newest alone.
  ...OLDER_NODES.map(({ major, program }): Runtime => ({ ...commandLine(`Node ${major}`, program, []), isOlder: true })),
  commandLine("Deno", join(INSTALLED, `@deno/linux-${isArm ? "arm64" : "x64"}-glibc/deno`), denoPermissions),
  commandLine("Bun", join(INSTALLED, `@oven/bun-linux-${isArm ? "aarch64" : "x64"}/bin/bun`), ["--no-install"]),
  workerd,
  browser,
];

export const isInstalled = ({ program }: Runtime): boolean => existsSync(program);

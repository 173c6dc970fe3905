/**
 * `npm run first-order`: how long a newcomer waits for the first order. Clones the project, follows README.md's "Start" word by word
 * with the Node and npm of the system, and counts until the order is answered with 201. PORT says where, 4000 by default as in the text.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROJECT = dirname(import.meta.dirname);
const PORT = process.env.PORT ?? "4000";
const WAIT_MS_MAX = 10 * 60_000;
const MINUTES_MAX = 5;

/** Without the project's own Node, because a newcomer does not have it. */
const PATH = (process.env.PATH ?? "")
  .split(":")
  .filter((part) => !part.includes("node_modules"))
  .join(":");
const environment = { PATH, HOME: process.env.HOME, PORT, npm_config_update_notifier: "false" };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const start = performance.now();
const elapsed = (): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;

/** The blocks below a heading, as a reader would paste them. */
const blocksBelow = (heading: string): string[] => {
  const text = readFileSync(join(PROJECT, "README.md"), "utf8");
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).split("\n## ")[1] ?? "";
  return [...section.matchAll(/```sh[^\n]*\n(.*?)```/gs)].map(([, block = ""]) => block);
};

const untilItSays = async (output: () => string, sign: RegExp): Promise<string> => {
  for (; performance.now() - start < WAIT_MS_MAX; await sleep(100)) {
    const found = sign.exec(output());
    if (found) return found[1] ?? found[0];
  }
  throw new Error(`${sign} was never printed:\n${output().slice(-2000)}`);
};

const follow = async (folder: string): Promise<boolean> => {
  const [run = "", order = ""] = blocksBelow("Start");
  say(`Node ${execFileSync("node", ["--version"], { env: environment, encoding: "utf8" }).trim()} of the system`);
  const service = spawn("sh", ["-c", run], { cwd: folder, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [service.stdout, service.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  try {
    await untilItSays(() => printed, /added \d+ packages/);
    say(`${elapsed()}: installed`);
    const token = await untilItSays(() => printed, /(\d+\|svc_\w+)/);
    say(`${elapsed()}: a token is printed`);
    const script = order.replace(/^TOKEN=.*$/m, `TOKEN='${token}'`).replaceAll("127.0.0.1:4000", `127.0.0.1:${PORT}`);
    const answers = execFileSync("sh", ["-c", script], { cwd: folder, env: environment, encoding: "utf8" });
    const isPlaced = answers.includes("HTTP/1.1 201");
    say(`${elapsed()}: ${isPlaced ? "201, the first order" : `no order:\n${answers}`}`);
    return isPlaced && performance.now() - start <= MINUTES_MAX * 60_000;
  } finally {
    if (service.pid) process.kill(-service.pid, "SIGINT");
    await new Promise((resolve) => service.once("exit", resolve));
  }
};

const folder = mkdtempSync(join(tmpdir(), "comanda-newcomer-"));
// Started as root, PostgreSQL runs as another user, which must be able to enter this folder.
chmodSync(folder, 0o755);
execFileSync("git", ["clone", "-q", PROJECT, folder]);
say(`${elapsed()}: cloned`);
const isQuick = await follow(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
say(isQuick ? `Within ${MINUTES_MAX} minutes.` : `Not within ${MINUTES_MAX} minutes.`);
process.exitCode = isQuick ? 0 : 1;

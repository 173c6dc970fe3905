/** Several `listen` start at once on the lock of an ended process. Two never run at the same time. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InstalledCli, installCli } from "./installed-cli.ts";

const RIVALS = 6;
const ROUNDS = process.env.TEST_STRESS ? 1000 : 60;
const HOLD_MS = 4;
const STALE = "2147483646";
const [ROOT_URL, FORWARD_TO] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
const LOCK = `${createHash("sha256").update(`${ROOT_URL}\n${FORWARD_TO}`).digest("hex").slice(0, 16)}.lock`;

let cli: InstalledCli;
beforeAll(async () => {
  cli = await installCli();
});
afterAll(() => cli?.remove());

/** Each line of its input is the moment at which it tries; it answers with the time for which it had the lock, or with why not. */
const RIVAL = `
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [positions, folder, how] = process.argv.slice(2);
const { openPositions } = await import(positions);
process.setMaxListeners(0);
/** A naive lock: a stale one is deleted, then the new one is made. */
const careless = () => {
  const path = folder + "/comanda/${LOCK}";
  if (readFileSync(path, "utf8") === "${STALE}") {
    // Between the look and the deletion, so that rivals meet on a machine with few cores too.
    dwell(Math.random() * ${HOLD_MS});
    rmSync(path, { force: true });
  }
  const own = path + "." + process.pid;
  writeFileSync(own, String(process.pid));
  try { linkSync(own, path); } finally { rmSync(own, { force: true }); }
  return { release: () => rmSync(path, { force: true }) };
};
const now = () => Number(process.hrtime.bigint() / 1000n);
const dwell = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const hold = (ms) => { for (const end = now() + ms * 1000; now() < end; ); };
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  hold((Number(line) - now()) / 1000);
  try {
    const lock = how === "careless" ? careless() : openPositions("${ROOT_URL}", "${FORWARD_TO}");
    const from = now();
    hold(${HOLD_MS});
    const until = now();
    lock.release();
    console.log(JSON.stringify({ from, until }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.message }));
  }
}
`;

type RivalOutcome = { from: number; until: number; refused?: undefined } | { refused: string };
type Rival = { child: ChildProcess; next(): Promise<string> };

const startRival = async (folder: string, script: string, how: string): Promise<Rival> => {
  const positions = pathToFileURL(join(dirname(cli.main), "positions.js")).href;
  const child = spawn(process.execPath, [script, positions, folder, how], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, XDG_STATE_HOME: folder },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const rival: Rival = { child, next: async () => String((await lines.next()).value) };
  expect(await rival.next()).toBe("ready");
  return rival;
};

const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Rounds in which two had the lock at the same time, and how many had it in all. */
const race = async (how: "listen" | "careless"): Promise<{ overlaps: number; held: number; left: string[] }> => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-lock-"));
  const state = join(folder, "comanda");
  mkdirSync(state);
  const script = join(folder, "rival.mjs");
  writeFileSync(script, RIVAL);
  const rivals = await Promise.all(Array.from({ length: RIVALS }, () => startRival(folder, script, how)));
  const ask = async (at: number): Promise<RivalOutcome[]> => {
    for (const { child } of rivals) child.stdin?.write(`${at}\n`);
    return (await Promise.all(rivals.map(({ next }) => next()))).map((line) => JSON.parse(line));
  };
  let [overlaps, held] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(join(state, LOCK), STALE);
    const outcomes = (await ask(now() + 5000)).flatMap((one) => (one.refused === undefined ? [one] : []));
    held += outcomes.length;
    const ordered = outcomes.toSorted((one, other) => one.from - other.from);
    if (ordered.some(({ from }, index) => from < (ordered[index - 1]?.until ?? 0))) overlaps++;
  }
  const left = readdirSync(state);
  for (const { child } of rivals) {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
  return { overlaps, held, left };
};

test("never two at the same time, one in each round, and nothing is left behind", async () => {
  const { overlaps, held, left } = await race("listen");
  console.info(`${ROUNDS} rounds of ${RIVALS}: ${held} had the lock, ${overlaps} at the same time`);
  expect([overlaps, left]).toEqual([0, []]);
  expect(held).toBeGreaterThanOrEqual(ROUNDS);
}, 120_000);

test("planted: who deletes a stale lock and makes his own runs beside another one", async () => {
  expect((await race("careless")).overlaps).toBeGreaterThan(0);
}, 120_000);

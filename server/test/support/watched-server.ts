/**
 * The service in a process of its own that measures itself. How long its main thread works at one stretch is taken from the CPU time
 * of that thread, which does not grow while other processes have the cores. Another thread asks /livez all the time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { openDeps } from "../../src/deps.ts";
import { buildOpsServer } from "../../src/http/ops/health.ts";
import { FIELDS, type Measured } from "./livez-prober.ts";

export type FromServer = { port: number } | { measured: Measured & { busyMs: number } };

const PROBE_EVERY_MS = 2;
const PLANTED_BUSY_MS = 400;
const PLANTED_BYTES = 300 * 1024;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

/** One kind of fault at each address. */
const plantFaults = ({ http }: Awaited<ReturnType<typeof buildApp>>): void => {
  http.post("/planted/busy", async () => {
    const begin = process.threadCpuUsage();
    while (cpuMs(begin) < PLANTED_BUSY_MS);
    return {};
  });
  http.post("/planted/long", async (_request, reply) => reply.code(422).send("x".repeat(PLANTED_BYTES)));
};

const now = () => new Date(process.env.NOW ?? Date.now());
const deps = await openDeps(readConfig(process.env), { clock: { now, ofChange: now, ofDatabase: now } });
const app = await buildApp(deps);
if (process.env.PLANTED === "true") plantFaults(app);
const opsUrl = await buildOpsServer(deps, () => true).listen({ host: "127.0.0.1", port: 0 });
const { port } = new URL(await app.http.listen({ host: "127.0.0.1", port: 0 }));

const seen = new Float64Array(new SharedArrayBuffer(FIELDS.length * Float64Array.BYTES_PER_ELEMENT));
new Worker(new URL("./livez-prober.ts", import.meta.url), { workerData: { opsUrl, seen } }).unref();

while (seen.every((value) => value === 0)) await sleep(10);

let busyMs = 0;
let before = process.threadCpuUsage();
setInterval(() => {
  busyMs = Math.max(busyMs, cpuMs(before));
  before = process.threadCpuUsage();
}, PROBE_EVERY_MS);

// Each question starts from the beginning.
process.on("message", () => {
  const measured = Object.fromEntries(FIELDS.map((name, index) => [name, seen[index] ?? 0])) as Measured;
  process.send?.({ measured: { ...measured, busyMs } } satisfies FromServer);
  busyMs = 0;
  seen.fill(0);
});
process.once("disconnect", () => process.exit(0));
process.send?.({ port: Number(port) } satisfies FromServer);

/** Two processes on one port, restarted in turn under load: no client notices. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems } from "../../../conformance/answer-check.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const CONNECTIONS = IS_LONG ? 40 : 20;
const PAUSE_MS = 60;
const RESTARTS = Number(process.env.TEST_RESTARTS ?? (IS_LONG ? 100 : 2));
/** Before the first restart, and after the last. */
const REQUESTS_BESIDE = CONNECTIONS * 5;
const TIMEOUT_MS = (IS_LONG ? 1800 : 0) * 1000 + 300_000;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let servers: ServerProcess[];
let requests = 0;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  // The limit of an end: a process ends as soon as its last client has been asked to disconnect.
  fleet = await createFleet(app.database.appUrl, { SHUTDOWN_GRACE_MS: "3000" });
  servers = await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

type LoadResult = { requests: number; failures: Map<string, number>; seconds: number };

/** Clients with a connection each, who count whatever is not a good answer. Nothing is tried again. */
const underLoad = async (work: () => Promise<void>, { keepAlive = true } = {}): Promise<LoadResult> => {
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive, maxSockets: 1 }));
  const failures = new Map<string, number>();
  requests = 0;
  let isOver = false;
  const call = { token: lab.token, method: "GET", path: "/items?per_page=5" };
  const ask = async (agent: Agent): Promise<string | null> => {
    try {
      const answer = await sendCall({ ...call, port: fleet.port, agent });
      const problems = answerProblems(call, answer);
      return answer.status === 200 && problems.length === 0 ? null : `${answer.status} ${problems}`;
    } catch (error) {
      const { code, isReused } = error as NodeJS.ErrnoException & { isReused?: boolean };
      return `${code ?? error} on ${isReused ? "a kept" : "a new"} connection`;
    }
  };
  const client = async (agent: Agent): Promise<void> => {
    while (!isOver) {
      const failure = await ask(agent);
      requests++;
      if (failure) failures.set(failure, (failures.get(failure) ?? 0) + 1);
      await sleep(Math.random() * 2 * PAUSE_MS);
    }
  };
  const begin = performance.now();
  const clients = agents.map(client);
  await work();
  isOver = true;
  await Promise.all(clients);
  for (const agent of agents) agent.destroy();
  return { requests, failures, seconds: (performance.now() - begin) / 1000 };
};

const report = (name: string, restarts: number, { requests, failures, seconds }: LoadResult): string => {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const kinds = failed > 0 ? ` ${JSON.stringify(Object.fromEntries(failures))}` : "";
  return `${name}: ${restarts} restarts, ${requests} requests, ${(requests / seconds).toFixed(0)}/s, ${failed} failed${kinds}, ${seconds.toFixed(1)} s`;
};

/** The new process serves before the old one gets its signal. */
const replace = async (index: number, end: (old: ServerProcess) => Promise<unknown>, environment = {}): Promise<void> => {
  const old = servers[index];
  servers[index] = await fleet.start(environment);
  if (old) await end(old);
};

const answered = async (more: number): Promise<void> => {
  for (const enough = requests + more; requests < enough; ) await sleep(20);
};

const restartAll = async (): Promise<void> => {
  await answered(REQUESTS_BESIDE);
  for (let restarts = 0; restarts < RESTARTS; restarts++)
    await replace(restarts % 2, async (old) => expect(await old.stop(), old.output().slice(-500)).toBe(0));
  await answered(REQUESTS_BESIDE);
};

test(`up to ${RESTARTS} restarts of two processes fail no request of ${CONNECTIONS} clients`, { timeout: TIMEOUT_MS }, async () => {
  const load = await underLoad(restartAll);
  console.log(report("T7.5", RESTARTS, load));
  expect(Object.fromEntries(load.failures)).toEqual({});
});

test.runIf(process.env.TEST_STRESS)("nor of clients that open a connection for each request", { timeout: TIMEOUT_MS }, async () => {
  const load = await underLoad(restartAll, { keepAlive: false });
  console.log(report("without keep-alive", RESTARTS, load));
  expect(Object.fromEntries(load.failures)).toEqual({});
});

test.runIf(process.env.TEST_STRESS)("planted fault: a process that is killed fails requests, and the same load counts them", async () => {
  const killed = await underLoad(async () => {
    await sleep(300);
    await replace(0, (old) => old.kill());
  });
  console.log(report("with SIGKILL", 1, killed));
  expect(killed.failures.size).toBeGreaterThan(0);
});

test.runIf(process.env.TEST_STRESS)("planted fault: so do processes that stop without a drain", { timeout: 300_000 }, async () => {
  for (const index of [0, 1]) await replace(index, (old) => old.stop(), { SHUTDOWN_GRACE_MS: "0" });
  const abrupt = await underLoad(async () => {
    await sleep(300);
    for (const index of [0, 1, 0, 1]) await replace(index, (old) => old.stop(), { SHUTDOWN_GRACE_MS: "0" });
  });
  console.log(report("without a drain", 4, abrupt));
  expect(abrupt.failures.size).toBeGreaterThan(0);
});

/**
 * What the proxy in front of cells costs: the same calls straight to the process and through HAProxy, in turn, on connections
 * that are kept. The bar is on the medians.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { type CellProcess, writeProxyFiles } from "../cells/src/proxy-config.ts";
import { forVenue } from "../server/src/admin/command-context.ts";
import { buildApp } from "../server/src/compose/api.ts";
import { importVenue } from "../server/src/compose/import-venue.ts";
import { readConfig } from "../server/src/config.ts";
import { openDeps, openLog } from "../server/src/deps.ts";
import { buildOpsServer } from "../server/src/http/ops/health.ts";
import { createToken } from "../server/src/platform/programs/tokens/service.ts";
import { freePort } from "../server/test/support/processes.ts";
import { readSample } from "../server/test/support/test-app.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import { type Figure, figureOf, quantile, ratiosOf, say } from "./measure.ts";

const median = (values: number[]): number => quantile(values, 0.5);

type ProxyCall = { what: string; method: string; path: string; body?: () => unknown };

const CALLS_OF: Record<string, ProxyCall> = {
  page: { what: "a page of dishes", method: "GET", path: "/api/v1/items?per_page=20" },
  order: {
    what: "a new order",
    method: "POST",
    path: "/api/v1/orders",
    body: () => ({ type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1234", lines: [{ item_id: 1024, quantity: 1 }] }),
  },
};

const time = (port: number, agent: Agent, token: string, { method, path, body }: ProxyCall): Promise<number> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body());
    const begin = performance.now();
    const headers = {
      authorization: `Bearer ${token}`,
      ...(payload ? { "content-type": "application/json", "content-length": Buffer.byteLength(payload) } : {}),
    };
    const call = request({ host: "127.0.0.1", port, agent, method, path, headers }, (answer) => {
      answer.resume();
      answer.once("end", () =>
        (answer.statusCode ?? 500) < 300
          ? resolve(performance.now() - begin)
          : reject(new Error(`${method} ${path} → ${answer.statusCode}`)),
      );
    });
    call.once("error", reject);
    call.end(payload);
  });

const PROXY_ATTEMPTS_MAX = 500;

/** Whether the proxy serves the cell: it answers 503 until the first check of the cell's health has passed. */
const isListening = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/api/v1/items`).catch(() => null))?.status === 401;

const startProxy = async (cell: CellProcess): Promise<{ port: number; stop(): void }> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "comanda-proxy-"));
  const wanted = { cells: [cell], bind: `127.0.0.1:${port}`, defaultCell: 0, folder, certificate: null, socket: null };
  for (const [name, text] of Object.entries(writeProxyFiles(wanted))) writeFileSync(join(folder, name), text);
  const child = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "ignore" });
  for (let attempt = 0; !(await isListening(port)); attempt++) {
    if (attempt === PROXY_ATTEMPTS_MAX) throw new Error("HAProxy does not listen");
    await sleep(20);
  }
  return {
    port,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

type ProxyStage = { ports: { direct: number; proxied: number }; token: string; close(): Promise<void> };

const measure = async ({ ports, token }: ProxyStage, { rounds, calls }: BenchSize, call: ProxyCall): Promise<Figure[]> => {
  const agents = { direct: new Agent({ keepAlive: true, maxSockets: 1 }), proxied: new Agent({ keepAlive: true, maxSockets: 1 }) };
  const medians: Record<"direct" | "proxied", number[]> = { direct: [], proxied: [] };
  for (let round = 0; round <= rounds; round++) {
    const taken: typeof medians = { direct: [], proxied: [] };
    // Call by call in turn, so that whatever else the machine does falls on both.
    for (let count = 0; count < calls; count++)
      for (const way of count % 2 === 0 ? (["direct", "proxied"] as const) : (["proxied", "direct"] as const))
        taken[way].push(await time(ports[way], agents[way], token, call));
    if (round === 0) continue;
    medians.direct.push(median(taken.direct));
    medians.proxied.push(median(taken.proxied));
  }
  for (const agent of Object.values(agents)) agent.destroy();
  const seen = `direct ${median(medians.direct).toFixed(2)} ms, through the proxy ${median(medians.proxied).toFixed(2)} ms, ${rounds} rounds of ${calls}`;
  say(`${call.what}: ${seen}`);
  return [figureOf("proxy call", `Through the proxy: ${call.what}`, ratiosOf(medians.proxied, medians.direct), seen)];
};

export const BENCHMARK = defineBenchmark<ProxyStage>({
  name: "proxy",
  command: "npm run bench:proxy",
  size: { rounds: 20, calls: 100 },
  ground: { isDurable: false },
  async open(ground) {
    const database = await ground.database();
    const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "error", SHUTDOWN_GRACE_MS: "0", TRUSTED_PROXIES: "127.0.0.1" });
    const deps = await openDeps(config, { log: openLog(config.logLevel) });
    const { slug } = await importVenue(deps, readSample("trattoria"));
    const wanted = { kind: "api", name: "bench", scopes: ALL_SCOPES, ratePerMinute: 100_000_000, expiresAt: null } as const;
    const { token } = await forVenue(deps, slug, (ctx) => createToken(ctx, { ...wanted, scopes: [...wanted.scopes] }));
    const app = await buildApp(deps);
    await app.http.listen({ host: "127.0.0.1", port: 0 });
    const { port: direct } = app.http.server.address() as { port: number };
    const ops = buildOpsServer(deps, () => true);
    const { port: opsPort } = new URL(await ops.listen({ host: "127.0.0.1", port: 0 }));
    const proxy = await startProxy({ number: 0, address: `127.0.0.1:${direct}`, opsPort: Number(opsPort) });
    const close = async (): Promise<void> => {
      proxy.stop();
      await app.stop();
      await ops.close();
      await deps.close();
    };
    return { ports: { direct, proxied: proxy.port }, token, close };
  },
  scenarios: Object.fromEntries(
    Object.entries(CALLS_OF).map(([name, call]) => [name, (stage: ProxyStage, size: BenchSize) => measure(stage, size, call)]),
  ),
});

if (import.meta.main) await runFull(BENCHMARK);

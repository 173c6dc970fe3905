/**
 * `npm run bench:deliveries`: how much of what this machine can post is left when each message comes out of the queue,
 * is signed, and its outcome and next attempt are written down. Turn by turn with a loop that only posts, so that
 * whatever else the machine does falls on both. What is due is written before the clock starts.
 */
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startWorker } from "../server/src/compose/worker.ts";
import { readConfig } from "../server/src/config.ts";
import { type Deps, openDeps, openLog } from "../server/src/deps.ts";
import { CONCURRENCY, HEALTHY_SLOTS } from "../server/src/platform/events/webhook-deliveries/jobs/delivery-engine.ts";
import type { Sender } from "../server/src/platform/events/webhooks/send/sender.ts";
import { type Certificate, createAuthority, createCertificate } from "../server/test/support/certificates.ts";
import { createLocalSender } from "../server/test/support/webhook-receiver.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import { postBaseline } from "./delivery-baseline.ts";
import { BODY, buildDataset, type DatasetShape, type DeliveryDataset, ENCRYPTION_KEYS, FILL } from "./delivery-dataset.ts";
import { type Figure, figureOf, quantile, ratiosOf, say, spreadOf, written } from "./measure.ts";

/** A few endpoints that are always busy, and many for which connecting costs more than posting. */
const SHAPES = {
  busy: { name: "busy", venues: 4, endpointsPerVenue: 2, eventsPerVenue: 375 },
  many: { name: "many", venues: 30, endpointsPerVenue: 10, eventsPerVenue: 10 },
} as const satisfies Record<string, DatasetShape>;

/** The receivers run in another process, so that they do not share our event loop. */
const startReceivers = async ({ cert, key }: Certificate): Promise<{ port: number; stop(): void }> => {
  const child = fork(fileURLToPath(new URL("receivers.ts", import.meta.url)), { env: { CERT: cert, KEY: key }, execArgv: [] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve(message as number));
    child.once("exit", (code) => reject(new Error(`The receivers ended with ${code}`)));
  });
  return { port, stop: () => child.disconnect() };
};

type TimedDrain = { start(): ReturnType<typeof startWorker>; time(dataset: DeliveryDataset): Promise<number> };

/** Measures from the first message that is sent until the last outcome is committed. */
const createDrain = (deps: Deps, owner: pg.Pool, inner: Sender): TimedDrain => {
  let firstAt = 0;
  let attempts = 0;
  const sender: Sender = {
    send: (parcel) => {
      firstAt ||= performance.now();
      return inner.send(parcel);
    },
    close: inner.close,
  };
  const metrics = { ...deps.metrics, countAttempt: () => void attempts++ };
  const isDue = async () => (await owner.query("select from deliveries where state = 'ready' limit 1")).rowCount === 1;
  return {
    start: () => startWorker({ ...deps, metrics }, { sender }),
    async time({ shape, venueIds, urls }) {
      [firstAt, attempts] = [0, 0];
      await owner.query(FILL, [venueIds, BODY, shape.eventsPerVenue]);
      while (attempts < shape.eventsPerVenue * urls.length) await sleep(5);
      while (await isDue()) await sleep(2);
      return performance.now() - firstAt;
    },
  };
};

type DeliveriesStage = { deps: Deps; drain: TimedDrain; port: number; ca: string; close(): Promise<void> };

/** A smaller share has fewer venues and events, and as many addresses to a venue. */
const shapeOf = (name: keyof typeof SHAPES, share: number): DatasetShape => {
  const { venues, eventsPerVenue, ...shape } = SHAPES[name];
  const part = Math.sqrt(share);
  return { ...shape, venues: Math.ceil(venues * part), eventsPerVenue: Math.ceil(eventsPerVenue * part) };
};

const measure = async (
  { deps, drain, port, ca }: DeliveriesStage,
  { rounds, share }: BenchSize,
  name: keyof typeof SHAPES,
): Promise<Figure[]> => {
  const dataset = await buildDataset(deps, shapeOf(name, share), port);
  const { shape, urls } = dataset;
  const count = shape.eventsPerVenue * urls.length;
  say(`${shape.name}: ${urls.length} endpoints of ${shape.venues} venues, ${shape.eventsPerVenue} deliveries to each, ${rounds} rounds`);
  const bodies = Array.from({ length: shape.eventsPerVenue }, () => BODY);
  const endpoints = urls.map((url) => ({ url, bodies }));
  const options = { ca, endpointsMax: Math.min(HEALTHY_SLOTS, urls.length), requestsPerEndpoint: CONCURRENCY };
  const rates: { raw: number[]; delivered: number[] } = { raw: [], delivered: [] };
  for (let round = 0; round <= rounds; round++) {
    const raw = (count / (await postBaseline(endpoints, options))) * 1000;
    const delivered = (count / (await drain.time(dataset))) * 1000;
    say(`  ${round === 0 ? "warm-up" : `round ${round}`}: raw ${raw.toFixed(0)}, delivered ${delivered.toFixed(0)} a second`);
    if (round === 0) continue;
    rates.raw.push(raw);
    rates.delivered.push(delivered);
  }
  say(`  raw       ${written(spreadOf(rates.raw), 0)} a second`);
  say(`  delivered ${written(spreadOf(rates.delivered), 0)} a second`);
  const median = (values: number[]): string => `${quantile(values, 0.5).toFixed(0)}/s`;
  const what = `Deliver messages to ${urls.length} addresses, signed, outcome and next attempt written`;
  const seen = `delivered ${median(rates.delivered)}, raw ${median(rates.raw)}`;
  return [figureOf(`deliveries ${name}`, what, ratiosOf(rates.delivered, rates.raw), seen)];
};

export const BENCHMARK = defineBenchmark<DeliveriesStage>({
  name: "deliveries",
  command: "npm run bench:deliveries",
  size: { rounds: 12 },
  ground: { isDurable: false },
  async open(ground) {
    const authority = createAuthority();
    const receivers = await startReceivers(createCertificate(["*.bench.test"], { issuer: authority }));
    const database = await ground.database();
    const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
    const config = readConfig({ DATABASE_URL: database.appUrl, ENCRYPTION_KEYS, LOG_LEVEL: "error" });
    const deps = await openDeps(config, { log: openLog(config.logLevel) });
    const drain = createDrain(deps, owner, createLocalSender(authority.cert));
    const worker = await drain.start();
    const close = async (): Promise<void> => {
      await worker.stop();
      await deps.close();
      await owner.end();
      receivers.stop();
    };
    return { deps, drain, port: receivers.port, ca: authority.cert, close };
  },
  scenarios: {
    busy: (stage, size) => measure(stage, size, "busy"),
    many: (stage, size) => measure(stage, size, "many"),
  },
});

if (import.meta.main) await runFull(BENCHMARK);

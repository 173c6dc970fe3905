/** The sender against receivers that hang, drip, flood, break and pretend: its time and its memory are bounded. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createAuthority } from "../../../../test/support/certificates.ts";
import { floods, HOSTILE, type HostileCase } from "../../../../test/support/hostile-receivers.ts";
import { createLocalSender } from "../../../../test/support/webhook-receiver.ts";
import { sentenceOf } from "./rules/failures.ts";

const ENDED_MS_MAX = 10_500;
const GROWTH_MB_MAX = 30;
const FLOODS_EACH = process.env.TEST_STRESS ? 50 : 20;
const MIB = 1024 * 1024;
const BODY = '{"secret":"only for the one it is meant for"}';
const FLOODED_SENDER = fileURLToPath(new URL("../../../../test/support/memory-limited-sender.ts", import.meta.url));

const authority = createAuthority();
const sender = createLocalSender(authority.cert);
afterAll(() => sender.close());

test(`D178 T5.4 ${Object.keys(HOSTILE).length} hostile receivers at once: each send ends within ten seconds with the right failure`, async () => {
  const started = await Promise.all(
    Object.entries(HOSTILE).map(async ([what, kind]) => ({ what, kind, receiver: await kind.start(authority) })),
  );
  const sent = await Promise.all(
    started.map(async ({ what, kind, receiver }) => {
      const startedAt = performance.now();
      const outcome = await sender.send({ url: `https://pos.test:${receiver.port}/`, headers: {}, body: BODY });
      const tookMs = Math.round(performance.now() - startedAt);
      receiver.close();
      return { what, kind, outcome, tookMs, read: receiver.read(), messageBytes: receiver.messageBytes() };
    }),
  );
  for (const { what, outcome, tookMs } of sent)
    console.log(`${String(tookMs).padStart(6)} ms  ${outcome.status ?? "   "}  ${what}: ${outcome.sentence}`);
  for (const { what, kind, outcome, tookMs, read, messageBytes } of sent) {
    expect.soft({ status: outcome.status, failure: outcome.failure }, what).toEqual({ status: kind.status, failure: kind.failure });
    expect.soft(outcome.sentence, what).toBe(kind.failure === null ? "Delivered." : sentenceOf(kind.failure));
    expect.soft(tookMs, what).toBeLessThan(ENDED_MS_MAX);
    expect.soft(outcome.excerpt.length, what).toBeLessThanOrEqual(1024);
    expect.soft(read.includes(BODY), what).toBe(kind.isTrusted);
    expect.soft(messageBytes > 0, what).toBe(kind.isTrusted);
  }
});

type Weighed = { sends: number; slowestMs: number; peakMb: number; keptMb: number };

/** The faults of a sender that was flooded, as sentences. */
const faultsOf = ({ slowestMs, peakMb, keptMb }: Weighed): string[] => [
  ...(Math.max(peakMb, keptMb) < GROWTH_MB_MAX ? [] : [`grew by ${Math.max(peakMb, keptMb)} MB`]),
  ...(slowestMs < ENDED_MS_MAX ? [] : [`took ${slowestMs} ms`]),
];

const weigh = async (kinds: HostileCase[], given: { rounds: number; readsAll: boolean }): Promise<Weighed> => {
  const receivers = await Promise.all(kinds.map((kind) => kind.start(authority)));
  const env = {
    PATH: process.env.PATH,
    AUTHORITY: authority.cert,
    PORTS: JSON.stringify(receivers.map(({ port }) => port)),
    ROUNDS: String(given.rounds),
    ...(given.readsAll ? { READS_ALL: "1" } : {}),
  };
  // V8 enlarges its young generation with load. With a fixed size, growth is memory that the sender retains.
  const flags = ["--expose-gc", "--max-semi-space-size=2"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, FLOODED_SENDER], { env });
  for (const receiver of receivers) receiver.close();
  return JSON.parse(stdout) as Weighed;
};

test("a flooded sender stays small; one that reads whole responses does not", async () => {
  const kinds = Object.values(floods());
  const ours = await weigh(kinds, { rounds: FLOODS_EACH, readsAll: false });
  console.log(`${ours.sends} floods: memory grew by ${ours.peakMb} MB at most, ${ours.keptMb} MB for good; slowest ${ours.slowestMs} ms`);
  expect(ours.sends).toBe(FLOODS_EACH * kinds.length);
  expect(faultsOf(ours)).toEqual([]);

  const planted = await weigh(Object.values(floods(100 * MIB)).slice(0, 1), { rounds: 1, readsAll: true });
  console.log(`planted, reading one answer of 100 MiB to its end: ${faultsOf(planted).join(", ")}`);
  expect(faultsOf(planted)).not.toEqual([]);
});

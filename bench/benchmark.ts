/**
 * The form of every benchmark: a stage that its scenarios share, and scenarios by name. `npm run bench:…` runs the full form of one benchmark,
 * `npm run bench:smoke` the smoke form of all of them, on one ground.
 */
import { type Ground, type GroundSettings, openGround } from "./ground.ts";
import { type Figure, publish } from "./measure.ts";

export type BenchSize = {
  rounds: number;
  /** The time of one contestant in one round. */
  seconds: number;
  /** The least number of requests of one contestant in one round. */
  requests: number;
  /** The number of calls in one round, where calls are counted. */
  calls: number;
  /** The share of the full form's data. */
  share: number;
};

export const SMOKE_SIZE: BenchSize = { rounds: 3, seconds: 0.15, requests: 60, calls: 5, share: 0.02 };

type Closeable = { close(): Promise<void> };

/** The stage stays open until all of its scenarios are measured. */
type OpenBenchmark = Closeable & { measure(scenario: string, rounds?: number): Promise<Figure[]> };

export type Benchmark = {
  name: string;
  command: string;
  size: BenchSize;
  ground: GroundSettings;
  scenarios: string[];
  open(ground: Ground, size: BenchSize): Promise<OpenBenchmark>;
};

type BenchmarkParts<Stage extends Closeable> = {
  name: string;
  command: string;
  /** The size of the full form; `BENCH_ROUNDS`, `BENCH_SECONDS` and `BENCH_CALLS` change it. */
  size: Partial<BenchSize>;
  ground?: Partial<GroundSettings>;
  open(ground: Ground, size: BenchSize): Promise<Stage>;
  scenarios: Record<string, (stage: Stage, size: BenchSize) => Promise<Figure[]>>;
};

const given = (variable: string, size: number): number => Number(process.env[variable] ?? size);

export const defineBenchmark = <Stage extends Closeable>(parts: BenchmarkParts<Stage>): Benchmark => ({
  name: parts.name,
  command: parts.command,
  size: { rounds: 1, seconds: 1, requests: 1, calls: 1, share: 1, ...parts.size },
  ground: { isDurable: true, venues: 1, ...parts.ground },
  scenarios: Object.keys(parts.scenarios),
  async open(ground, size) {
    const stage = await parts.open(ground, size);
    return {
      async measure(scenario, rounds = size.rounds) {
        const figures = await parts.scenarios[scenario]?.(stage, { ...size, rounds });
        if (!figures) throw new Error(`${parts.name} has no scenario ${scenario}`);
        return figures;
      },
      close: () => stage.close(),
    };
  },
});

/** Stages of benchmarks that need nothing of their own. */
export const nothingToClose = { close: async (): Promise<void> => undefined };

export const runFull = async (benchmark: Benchmark): Promise<void> => {
  const { rounds, seconds, calls } = benchmark.size;
  const size: BenchSize = {
    ...benchmark.size,
    rounds: given("BENCH_ROUNDS", rounds),
    seconds: given("BENCH_SECONDS", seconds),
    calls: given("BENCH_CALLS", calls),
  };
  const wanted = process.env.BENCH_SCENARIO?.split(",");
  const ground = openGround(benchmark.ground);
  const figures: Figure[] = [];
  try {
    const open = await benchmark.open(ground, size);
    for (const name of benchmark.scenarios) if (wanted?.includes(name) ?? true) figures.push(...(await open.measure(name)));
    await open.close();
  } finally {
    await ground.close();
  }
  if (!publish(benchmark.name, benchmark.command, figures)) process.exitCode = 1;
};

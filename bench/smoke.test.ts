/**
 * `npm run bench:smoke`: the smoke form of every scenario of every benchmark, on one PostgreSQL, one Redis and one service. It fails when a scenario
 * cannot measure, and when its ratio reaches half of its bar in no round. Durations decide nothing.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BARS } from "./bars.ts";
import type { BenchService } from "./bench-service.ts";
import { type Benchmark, SMOKE_SIZE } from "./benchmark.ts";
import { benchFiles, readBenchmarks, withoutSmokeForm } from "./benchmarks.ts";
import { type Ground, openGround } from "./ground.ts";
import { type Figure, figureOf, holdsInShort } from "./measure.ts";
import { openPgbench, scriptOf } from "./pgbench.ts";
import { openSlowLine } from "./slow-line.ts";

const benchmarks = await readBenchmarks();
const ground = openGround({ isDurable: false, venues: 2, settings: ["shared_preload_libraries=pg_stat_statements"] });
afterAll(() => ground.close());

const measured: Figure[] = [];
let scenarios = 0;

describe.each(benchmarks)("$name", (benchmark) => {
  let stage: Awaited<ReturnType<Benchmark["open"]>>;
  beforeAll(async () => {
    stage = await benchmark.open(ground, SMOKE_SIZE);
  });
  afterAll(() => stage?.close());

  test.each(benchmark.scenarios)("%s measures, and reaches half of its bar", async (scenario) => {
    scenarios++;
    let figures = await stage.measure(scenario, 1);
    // One round says enough where it reaches half of the bar.
    if (!figures.every(holdsInShort)) figures = await stage.measure(scenario);
    measured.push(...figures);
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter((figure) => !holdsInShort(figure))).toEqual([]);
  });
});

describe("a planted fault is found", () => {
  const requests = benchmarks.find(({ name }) => name === "requests") as Benchmark;
  /** One scenario of requests on the same ground, with a service that was changed. */
  const measureWith = async (scenario: string, change: (service: BenchService) => Promise<Partial<BenchService>>): Promise<Figure[]> => {
    const service = await ground.service();
    const changed: Ground = { ...ground, service: async () => ({ ...service, ...(await change(service)) }) };
    return (await requests.open(changed, { ...SMOKE_SIZE, rounds: 1, requests: 1 })).measure(scenario);
  };

  test("a service that answers late is below half of its bar", async () => {
    const { port } = await (await ground.service()).api();
    const line = await openSlowLine(port, 1000);
    const figures = await measureWith("dish", async (service) => ({ api: async () => ({ ...(await service.api()), port: line.port }) }));
    line.close();
    expect(figures.filter((figure) => !holdsInShort(figure)).map(({ name }) => name)).toContain("requests dish, handler");
  });

  test("a wrong answer is no measure", async () => {
    const wrong = measureWith("report", async ({ venues }) => ({ venues: venues.map((venue) => ({ ...venue, token: "1|unknown" })) }));
    await expect(wrong).rejects.toThrow("An answer was not 200");
  });

  test("a refused statement is no measure", async () => {
    const { database } = await ground.service();
    const script = "insert into order_counters (restaurant_id, branch_id, day, last) values (-1, 0, '2026-01-01', 1);\n";
    await expect(openPgbench(database.ownerUrl, [script], 2).perSecond(0.1)).rejects.toThrow("ERROR");
  });

  test("a round without requests is no measure", () => {
    for (const ratio of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => figureOf("requests order", "Orders", [1, ratio], "")).toThrow("measured nothing");
  });

  test("one ratio at half of the bar is enough, from above and from below", () => {
    const judge = (name: "requests order" | "requests report", ...ratios: number[]) => holdsInShort(figureOf(name, "", ratios, ""));
    expect([judge("requests order", 0.19, 0.19), judge("requests order", 0.19, 0.2)]).toEqual([false, true]);
    expect([judge("requests report", 4.1, 4.1), judge("requests report", 4.1, 4)]).toEqual([false, true]);
  });
});

describe("what pgbench repeats", () => {
  test("what an earlier request left behind is not part of the next one", async () => {
    const { recorder } = await ground.service();
    const left = recorder.pool.query("select 'the note of a token'");
    const { sent } = await recorder.during(() => recorder.pool.query("select 'the read'"));
    await left;
    expect(sent.map(({ text }) => text)).toEqual(["select 'the read'"]);
  });

  test("a new id is another one in each repetition, also inside a row that travels as a document", () => {
    const id = "01a1f35c-8def-7000-8461-d2be1cf25b05";
    const isNew = (value: unknown): boolean => value === id;
    for (const document of [`{"id":"${id}"}`, `[{"id":"${id}"}]`]) {
      const script = scriptOf([{ text: "select $1::jsonb, $2::uuid", values: [document, id] }], isNew);
      expect(script).toContain(`, '${id}', ((md5((:v0)::text))::uuid)::text)::jsonb, (md5((:v0)::text))::uuid::uuid;`);
    }
  });
});

describe("no benchmark without a smoke form", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

  test("every program of the folder has one", () => {
    expect(withoutSmokeForm(benchFiles(), scripts)).toEqual([]);
  });

  test("a new program is found by its script, or because no other file uses it", () => {
    const files = new Map([
      ["new.ts", 'import { measure } from "./part.ts"; await measure();'],
      ["part.ts", "export const measure = async () => undefined;"],
      ["newer.ts", ""],
      ["whole.ts", 'import "./newer.ts";\nexport const BENCHMARK = defineBenchmark({});'],
    ]);
    expect(withoutSmokeForm(files, { "bench:newer": "node bench/newer.ts" })).toEqual(["new.ts", "newer.ts"]);
  });

  test("every bar was measured", ({ skip }) => {
    if (scenarios < benchmarks.flatMap((benchmark) => benchmark.scenarios).length) skip("not every scenario was run");
    const names = new Set(measured.map(({ name }) => name));
    // This scenario needs a control group.
    names.add("requests processes, limited");
    expect([...names].sort()).toEqual(Object.keys(BARS).sort());
  });
});

/**
 * `npm run bench:profile -- FOLDER [SECONDS]`: what a process spent its time on, out of the profile that `BENCH_PROFILE=FOLDER npm run
 * bench:requests` has left there: by function, alone and with all it called. The first SECONDS (15) are left out: the start, and
 * code that was not yet compiled.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineBenchmark, nothingToClose } from "./benchmark.ts";
import { type Figure, figureOf, say } from "./measure.ts";

type ProfileNode = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] };
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };

const SHOWN = 40;
/** The last moments are those of stopping. */
const TAIL_US = 2_500_000;

/** The first moments and the last ones, which are left out. */
type ProfileEdges = { skipUs: number; tailUs: number };

const nameOf = ({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string =>
  `${functionName || "(nameless)"} ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}`;

const add = (sums: Map<string, number>, name: string, us: number): void => void sums.set(name, (sums.get(name) ?? 0) + us);

const show = (title: string, sums: ReadonlyMap<string, number>, busyUs: number): void => {
  say(`\n${title}`);
  const largest = [...sums].sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
  for (const [name, us] of largest) say(`${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${name}`);
};

/** Returns the time of each function alone. */
const read = ({ nodes, samples, timeDeltas }: Profile, { skipUs, tailUs }: ProfileEdges): Map<string, number> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const [alone, together] = [new Map<string, number>(), new Map<string, number>()];
  const endUs = timeDeltas.reduce((sum, us) => sum + us, 0) - tailUs;
  let [atUs, busyUs, allUs] = [0, 0, 0];
  samples.forEach((sample, index) => {
    const us = timeDeltas[index] ?? 0;
    atUs += us;
    const node = byId.get(sample);
    if (!node || atUs < skipUs || atUs > endUs) return;
    allUs += us;
    if (node.callFrame.functionName === "(idle)") return;
    busyUs += us;
    add(alone, nameOf(node), us);
    const callers = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parentOf.get(id)) callers.add(nameOf(byId.get(id) as ProfileNode));
    for (const name of callers) add(together, name, us);
  });
  say(`busy ${(busyUs / 1e6).toFixed(1)} s of ${(allUs / 1e6).toFixed(1)} s`);
  show("alone", alone, busyUs);
  show("with all it called", together, busyUs);
  return alone;
};

const profilesIn = (folder: string): Profile[] => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  if (files.length === 0)
    throw new Error(`There is no profile in ${folder}. BENCH_PROFILE=${folder} npm run bench:requests leaves one there.`);
  return files.map((file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Profile);
};

const BUSY = "function beBusy() { let sum = 0; for (let n = 0; n < 2e8; n++) sum += n % 7; return sum; } beBusy();";

/** The profile of a process with one busy function names that function. */
const profileBusyFunction = (): Figure[] => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-profile-"));
  execFileSync(process.execPath, ["--cpu-prof", `--cpu-prof-dir=${folder}`, "-e", BUSY]);
  const [alone = new Map<string, number>()] = profilesIn(folder).map((profile) => read(profile, { skipUs: 0, tailUs: 0 }));
  rmSync(folder, { recursive: true });
  const [name = ""] = [...alone].toSorted((one, other) => other[1] - one[1]).map(([shown]) => shown);
  if (!name.startsWith("beBusy ")) throw new Error(`The busiest function is ${name}`);
  return [figureOf("profile", "Time of each function", [1], name)];
};

export const BENCHMARK = defineBenchmark({
  name: "profile",
  command: "npm run bench:profile",
  size: {},
  open: async () => nothingToClose,
  scenarios: { "a busy function": async () => profileBusyFunction() },
});

if (import.meta.main) {
  const [folder = "", seconds = "15"] = process.argv.slice(2);
  for (const profile of profilesIn(folder)) read(profile, { skipUs: Number(seconds) * 1e6, tailUs: TAIL_US });
}

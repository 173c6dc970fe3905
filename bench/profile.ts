/**
 * `npm run bench:profile -- FOLDER [SECONDS]`: what a process spent its time on, out of the profile that `BENCH_PROFILE=FOLDER npm run
 * bench:requests` has left there: by function, alone and with all it called. The first SECONDS (15) are left out: the start, and
 * code that was not yet compiled.
 */
import { readdirSync, readFileSync } from "node:fs";
import { say } from "./measure.ts";

type ProfileNode = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] };
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };

const SHOWN = 40;
/** The last moments are those of stopping. */
const TAIL_US = 2_500_000;

const nameOf = ({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string =>
  `${functionName || "(nameless)"} ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}`;

const add = (sums: Map<string, number>, name: string, us: number): void => void sums.set(name, (sums.get(name) ?? 0) + us);

const show = (title: string, sums: ReadonlyMap<string, number>, busyUs: number): void => {
  say(`\n${title}`);
  const largest = [...sums].sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
  for (const [name, us] of largest) say(`${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${name}`);
};

const read = ({ nodes, samples, timeDeltas }: Profile, skipUs: number): void => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const [alone, together] = [new Map<string, number>(), new Map<string, number>()];
  const endUs = timeDeltas.reduce((sum, us) => sum + us, 0) - TAIL_US;
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
};

const [folder = "", seconds = "15"] = process.argv.slice(2);
const files = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
if (files.length === 0)
  throw new Error(`There is no profile in ${folder}. BENCH_PROFILE=${folder} npm run bench:requests leaves one there.`);
for (const file of files) {
  say(file);
  read(JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Profile, Number(seconds) * 1e6);
}

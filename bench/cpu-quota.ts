/**
 * A part of a core for a process, and no more: on a small machine the client, PostgreSQL and Redis would otherwise share what a
 * second process is given, and the figure would be the machine's. Needs the right to make a control group (root, on Linux).
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Short, so that a process out of its share waits for a moment and not for a tenth of a second. */
const PERIOD_US = 10_000;

type Group = { folder: string; settings: (quotaUs: number) => Record<string, string> };

const GROUPS: Group[] = [
  {
    folder: "/sys/fs/cgroup/cpu",
    settings: (quotaUs) => ({ "cpu.cfs_period_us": String(PERIOD_US), "cpu.cfs_quota_us": String(quotaUs) }),
  },
  { folder: "/sys/fs/cgroup", settings: (quotaUs) => ({ "cpu.max": `${quotaUs} ${PERIOD_US}` }) },
];

/** Gives back how the group is taken away once the process has ended; null where groups cannot be made. */
export const limitCore = (pid: number, share: number): (() => Promise<void>) | null => {
  const group = GROUPS.find(({ folder }) => existsSync(`${folder}/cgroup.procs`));
  if (!group) return null;
  const folder = `${group.folder}/comanda-bench-${pid}`;
  try {
    mkdirSync(folder);
    for (const [name, value] of Object.entries(group.settings(Math.round(PERIOD_US * share)))) writeFileSync(`${folder}/${name}`, value);
    writeFileSync(`${folder}/cgroup.procs`, String(pid));
  } catch {
    return null;
  }
  return async () => {
    // The kernel lets go of a group a moment after its last process has ended.
    for (let attempt = 0; attempt < 50 && existsSync(folder); attempt++) {
      try {
        rmdirSync(folder);
      } catch {
        await sleep(20);
      }
    }
  };
};

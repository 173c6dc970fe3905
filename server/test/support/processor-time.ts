/** Processor time of processes: unlike time on the wall, it does not grow when others use the machine. */
import { readdirSync, readFileSync } from "node:fs";
import type { TestDatabase } from "./database.ts";

/** Returns the time of all threads of these processes so far, in milliseconds; the elapsed time where the system does not say it. */
export const processorMs = (pids: readonly number[]): number =>
  process.platform === "linux" ? pids.reduce((sum, pid) => sum + threadsMs(pid), 0) : performance.now();

const threadsMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))
    .reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);

/** The processes of PostgreSQL that work for this database, one for each connection. */
export const backendsOf = async (database: TestDatabase): Promise<number[]> => {
  const rows = await database.asOwner<{ pid: number }>("select pid from pg_stat_activity where datname = current_database()");
  return rows.map(({ pid }) => pid);
};

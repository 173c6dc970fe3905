/** The processor time of a process, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

/** What all threads of a process have used so far; 0 when it has ended. */
export const processorMs = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return (
      threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0) / 1e6
    );
  } catch {
    return 0;
  }
};

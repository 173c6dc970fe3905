/** A worker in a process of its own that a test may kill. */
import { runWorker } from "./run-worker.ts";

await runWorker();

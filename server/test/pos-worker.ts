/** A worker in a process of its own that a test may kill: the service's, but its sender knows the test's receiver. */
import { readConfig } from "../src/config.ts";
import { openDeps } from "../src/deps.ts";
import { startWorker } from "../src/worker.ts";
import { createLocalSender } from "./receiver.ts";

const deps = await openDeps(readConfig(process.env));
await startWorker(deps, { sender: createLocalSender(process.env.AUTHORITY ?? "") });
process.stdout.write("working\n");

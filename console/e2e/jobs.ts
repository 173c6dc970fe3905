/** The id of a job begins the name of its test. The run ends with a ledger of those that passed. */
import { test } from "vitest";
import { JOBS, type JobId } from "./job-list.ts";

export const job = (id: JobId, perform: () => Promise<void>): void => test(`${id} ${JOBS[id]}`, perform);

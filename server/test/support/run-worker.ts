/**
 * The service's worker as it is, but its sender knows the test's receivers, and its clock may be ahead of the time:
 * AUTHORITY is whose certificates to trust, AHEAD_MS how far the clock is ahead, DEADLINE_MS how long a send may take.
 */

import { startWorker } from "../../src/compose/worker.ts";
import { readConfig } from "../../src/config.ts";
import { closeOnSignal, openDeps } from "../../src/deps.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import type { Sender } from "../../src/platform/events/webhooks/send/sender.ts";
import { createLocalSender } from "./webhook-receiver.ts";

export const runWorker = async (planted: (sender: Sender) => Sender = (sender) => sender): Promise<void> => {
  const { AUTHORITY = "", AHEAD_MS = "0", DEADLINE_MS = "10000" } = process.env;
  const deps = await openDeps(readConfig(process.env), { clock: clockAhead(Number(AHEAD_MS)) });
  const worker = await startWorker(deps, { sender: planted(createLocalSender(AUTHORITY, { deadlineMs: Number(DEADLINE_MS) })) });
  closeOnSignal(deps, [worker.stop]);
  process.stdout.write("working\n");
};

const clockAhead = (ms: number): Clock => {
  if (ms === 0) return systemClock;
  const now = () => new Date(Date.now() + ms);
  return { now, ofChange: (databaseNow) => new Date(databaseNow.getTime() + ms), ofDatabase: now };
};

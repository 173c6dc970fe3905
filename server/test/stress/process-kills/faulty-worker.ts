/** The worker with a fault planted: a message counts as delivered a moment before it leaves. */
import { setTimeout as sleep } from "node:timers/promises";
import { runWorker } from "../../support/run-worker.ts";

/** Long enough for nearly every kill to fall into it, however little there is to send. */
const LATE_MS = 500;

await runWorker(({ send, close }) => {
  const leaving = new Set<Promise<void>>();
  /** As reliable as a process can be that keeps in its memory what it has still to send: only a kill shows the fault. */
  const sendLater = async (parcel: Parameters<typeof send>[0]): Promise<void> => {
    do await sleep(LATE_MS);
    while ((await send(parcel)).failure !== null);
  };
  return {
    async send(parcel) {
      const left = sendLater(parcel);
      leaving.add(left);
      void left.finally(() => leaving.delete(left));
      return { status: 200, durationMs: 1, excerpt: "", failure: null, sentence: "Delivered." };
    },
    async close() {
      await Promise.all(leaving);
      await close();
    },
  };
});

/** Says once that the service is away, and once that it is there again. */
import type { Retry } from "@comanda/sdk";
import { explain } from "./errors.ts";
import { note } from "./output.ts";

export type Outage = { onRetry: (retry: Retry) => void; onAnswer: () => void };

export const watchOutage = (promise: string): Outage => {
  let isAway = false;
  return {
    onRetry({ error }) {
      if (!isAway) note(`${explain(error).message}\n${promise}`);
      isAway = true;
    },
    onAnswer() {
      if (isAway) note("Connected again.");
      isAway = false;
    },
  };
};

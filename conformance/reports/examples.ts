/** A valid call for each report. */
import type { reportOperations } from "@comanda/contract/reports.ts";
import type { MakeExample } from "../examples.ts";

export const reportExamples: Record<keyof typeof reportOperations, MakeExample> = {
  getSalesSummary: async () => ({}),
};

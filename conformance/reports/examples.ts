/** A valid call for each report. */
import type { reportOperations } from "@comanda/contract/venue/reports.ts";
import type { MakeExample } from "../examples.ts";

export const reportExamples: Record<keyof typeof reportOperations, MakeExample> = {
  getSalesSummary: async () => ({}),
};

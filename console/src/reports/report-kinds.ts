/** The kinds in the order of the page. Only the type comes from the contract, because its shapes are not shipped. */
import type { ReportKind } from "@comanda/contract/console/reports.ts";

export const REPORT_KINDS: readonly ReportKind[] = ["day", "hour", "channel", "dish", "branch", "method"];

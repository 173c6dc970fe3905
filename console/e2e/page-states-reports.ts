/** States of the reports. */
import type { ReportKind } from "@comanda/contract/console/reports.ts";
import { nina } from "./fixtures-account.ts";
import { reportOrders, salesReport, serviceReport, todayReport } from "./fixtures-reports.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const kindOf = (query: URLSearchParams): ReportKind => (query.get("by") ?? "day") as ReportKind;

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readTodayReport: { data: todayReport },
  readSalesReport: (_, query) => ({ data: salesReport(kindOf(query)) }),
  readServiceReport: { data: serviceReport },
  listReportOrders: { data: reportOrders },
};
const REPORTS = `${OWNED}/reports`;
const { today } = todayReport;
const nothingToday = { ...today, orders: 0, revenue_minor: 0, hours: [] };

const empty: MockAnswers = {
  readTodayReport: { data: { ...todayReport, today: nothingToday, weeks: [], branches: [] } },
  readSalesReport: (_, query) => ({ data: { ...salesReport(kindOf(query)), rows: [] } }),
  readServiceReport: { data: { ...serviceReport, kitchen: { rows: [], is_cut: false }, bookings: [] } },
};

export const reportPageStates = withDefaultAnswers(defaultAnswers, {
  reports: { path: REPORTS, shows: ".report-bookings .bars-columns" },
  "reports-tables": {
    path: REPORTS,
    shows: ".report-days table",
    before: async (page) => {
      await page.locator(".report-bookings .bars-columns").waitFor();
      for (const label of await page.locator(".report-view label:last-of-type").all()) await label.click();
    },
  },
  "reports-empty": { path: REPORTS, answers: empty, shows: ".report-bookings .report-counted" },
  "reports-refused": { path: REPORTS, answers: { readTodayReport: { refused: "server_error" } }, shows: "[role=alert]" },
  "reports-part-refused": { path: REPORTS, answers: { readSalesReport: { refused: "server_error" } }, shows: ".report-days [role=alert]" },
  "reports-orders": {
    path: REPORTS,
    shows: "[role=dialog] .report-orders li",
    before: (page) => page.locator(".heat-map button").first().click(),
  },
  "reports-staff": {
    path: REPORTS,
    answers: { readSession: { data: { ...nina, venues: nina.venues.slice(0, 1).map((venue) => ({ ...venue, role: "staff" as const })) } } },
    shows: ".empty",
  },
});

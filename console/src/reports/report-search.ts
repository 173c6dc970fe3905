/** The period of the reports, as search parameters. Without one it is the last four weeks. */
export type ReportSearch = { from?: string; to?: string; branch?: number };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const readReportSearch = ({ from, to, branch }: Record<string, unknown>): ReportSearch => ({
  ...(typeof from === "string" && DATE.test(from) ? { from } : {}),
  ...(typeof to === "string" && DATE.test(to) ? { to } : {}),
  ...(Number.isSafeInteger(branch) ? { branch: branch as number } : {}),
});

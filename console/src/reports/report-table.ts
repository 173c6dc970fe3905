/** What a chart, its table and its file have in common. */
export type ReportCell = { shown: string; value: string | number };
export type ReportLine = {
  key: string;
  label: string;
  /** In the order of the columns after the first. */
  cells: ReportCell[];
  /** Null where no orders stand behind the figure. */
  figure: string | null;
};
export type ReportSheet = { columns: string[]; lines: ReportLine[] };

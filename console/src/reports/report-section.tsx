/** One report: its chart or table, how it is counted, and its file. */
import { Button, Group, SegmentedControl, Skeleton, Table, Text, Title } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "#kit/save-file.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { csvOf } from "./csv.ts";
import type { ReportSheet } from "./report-labels.ts";

export type SectionName = "days" | "hours" | "channels" | "dishes" | "branches" | "methods" | "kitchen" | "bookings" | "today";

type ReportSectionProps = {
  name: SectionName;
  /** The name of the file, such as `days-2026-11-01-2026-11-14`. */
  fileName: string;
  state: { error: Error | null; isPending: boolean; retry: () => void };
  sheet: ReportSheet | null;
  chart: ReactNode;
  above?: ReactNode;
  onOpen?: (key: string, label: string) => void;
};

export const ReportSection = ({ name, fileName, state, sheet, chart, above, onOpen }: ReportSectionProps) => {
  const { t } = useTranslation();
  const [view, setView] = useState<"chart" | "table">("chart");
  const id = useId();
  const title = t(`reports.${name}.title`);
  const isEmpty = sheet !== null && sheet.lines.length === 0;
  return (
    <section className={`sheet report-section report-${name}`} aria-labelledby={id}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {sheet && !isEmpty && (
          <Group gap="xs">
            <SegmentedControl
              className="report-view"
              aria-label={t("reports.view", { title })}
              value={view}
              onChange={(chosen) => setView(chosen as "chart" | "table")}
              data={[
                { value: "chart", label: t("reports.chart") },
                { value: "table", label: t("reports.table") },
              ]}
            />
            <Button
              variant="default"
              className="report-csv"
              aria-label={t("reports.csvOf", { title })}
              onClick={() =>
                saveFile(
                  `${fileName}.csv`,
                  csvOf([sheet.columns, ...sheet.lines.map(({ label, cells }) => [label, ...cells.map(({ value }) => value)])]),
                  "text/csv;charset=utf-8",
                )
              }
            >
              {t("reports.csv")}
            </Button>
          </Group>
        )}
      </Group>
      {state.error ? (
        <ErrorAlert error={state.error} onRetry={state.retry} />
      ) : state.isPending || !sheet ? (
        <Skeleton height={240} radius="md" role="status" aria-label={t("common.loading")} />
      ) : (
        <>
          {above}
          {isEmpty ? (
            <Text c="dimmed">{t("reports.nothing")}</Text>
          ) : view === "chart" ? (
            chart
          ) : (
            <SheetTable title={title} sheet={sheet} onOpen={onOpen} />
          )}
        </>
      )}
      <Text size="sm" c="dimmed" className="report-counted">
        <b>{t("reports.counted")}</b> {t(`reports.${name}.counted`)}
      </Text>
    </section>
  );
};

type SheetTableProps = { title: string; sheet: ReportSheet; onOpen: ReportSectionProps["onOpen"] };

const SheetTable = ({ title, sheet: { columns, lines }, onOpen }: SheetTableProps) => {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="report-scroll" aria-label={t("reports.tableOf", { title })} tabIndex={0}>
      <Table className="figures" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, place) => (
              <Table.Th key={column} scope="col" className={place === 0 ? "" : "amount-cell"}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ key, label, cells, figure }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                {figure === null || !onOpen ? (
                  <bdi>{label}</bdi>
                ) : (
                  <button
                    type="button"
                    className="report-open"
                    aria-label={t("reports.open", { name: label })}
                    onClick={() => onOpen(figure, label)}
                  >
                    <bdi>{label}</bdi>
                  </button>
                )}
              </Table.Th>
              {cells.map(({ shown }, place) => (
                <Table.Td key={columns[place + 1]} className="amount-cell">
                  {shown}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
};

/** QR codes of all tables as sheets of A4. Printing shows the sheets alone. */
import "./qr-sheet.css";
import type { PlanTable } from "@comanda/contract/console/floor.ts";
import { Button, Group, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { GlobeIcon, PrintIcon, TableIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { QrCode } from "#kit/qr-code.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue, useVenueName } from "#shell/venue.ts";
import { floorQuery } from "./floor-query.ts";
import { addressOfTable, type CodedTable, leftOutOf, patternProblem, readPattern, sheetsOf, writePattern } from "./qr-pattern.ts";
import { enFloor } from "./texts.en.ts";

addEnglishTexts(enFloor);

type Sheets = CodedTable<PlanTable>[][];

export const QrSheetPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("qrSheet.title")} lead="venues.settingsOnly">
      <SheetsOfVenue />
    </RoleGuard>
  );
};

const SheetsOfVenue = () => {
  const { t, i18n } = useTranslation();
  const venue = useVenue();
  const floor = useQuery(floorQuery(venue));
  const sheets = floor.data && sheetsOf(floor.data.tables);
  const leftOut = leftOutOf(floor.data?.tables ?? []);
  return (
    <Page title={t("qrSheet.title")} name={t("qrSheet.title")} lead={t("qrSheet.lead")}>
      <Link to="/v/$venue/floor" params={{ venue }} className="qr-back">
        {t("qrSheet.back")}
      </Link>
      {floor.isPending && <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />}
      {floor.error && !floor.data && <ErrorAlert error={floor.error} onRetry={() => void floor.refetch()} />}
      {sheets?.length === 0 && (
        <EmptyState icon={<TableIcon size={28} />} title={t("qrSheet.emptyTitle")}>
          <Text c="dimmed">{t("qrSheet.emptyLead")}</Text>
        </EmptyState>
      )}
      {leftOut.length > 0 && (
        <Text>{t("qrSheet.leftOut", { names: new Intl.ListFormat(i18n.language).format(leftOut.map(({ name }) => name)) })}</Text>
      )}
      {sheets !== undefined && sheets.length > 0 && <PrintForm venue={venue} sheets={sheets} />}
    </Page>
  );
};

const PrintForm = ({ venue, sheets }: { venue: string; sheets: Sheets }) => {
  const { t } = useTranslation();
  const [pattern, setPattern] = useState(() => readPattern(venue));
  const problem = pattern === "" ? null : patternProblem(pattern, window.location.origin);
  const isValid = pattern !== "" && problem === null;
  const print = (): void => {
    writePattern(venue, pattern);
    window.print();
  };
  return (
    <>
      <Group align="end" gap="md">
        <TextInput
          className="grow qr-pattern"
          size="md"
          dir="ltr"
          label={t("qrSheet.pattern")}
          description={t("qrSheet.patternHint")}
          maxLength={500}
          value={pattern}
          placeholder="https://example.com/menu?table={code}"
          error={problem && t(`qrSheet.problems.${problem}`)}
          onChange={({ currentTarget: { value } }) => setPattern(value)}
        />
        <Button size="md" leftSection={<PrintIcon size={18} />} disabled={!isValid} onClick={print}>
          {t("qrSheet.print")}
        </Button>
      </Group>
      {pattern === "" && (
        <EmptyState icon={<GlobeIcon size={28} />} title={t("qrSheet.askTitle")}>
          <Text c="dimmed" maw={520}>
            {t("qrSheet.askLead")}
          </Text>
        </EmptyState>
      )}
      {isValid && (
        <>
          <SheetList sheets={sheets} pattern={pattern} />
          {createPortal(
            <div className="qr-print" aria-hidden="true">
              <SheetList sheets={sheets} pattern={pattern} />
            </div>,
            document.body,
          )}
        </>
      )}
    </>
  );
};

const SheetList = ({ sheets, pattern }: { sheets: Sheets; pattern: string }) => {
  const { t } = useTranslation();
  const venueName = useVenueName();
  return (
    <div className="qr-sheets">
      {sheets.map((tables, sheet) => (
        <section key={tables[0]?.id} className="qr-sheet" aria-label={t("qrSheet.sheet", { number: sheet + 1, count: sheets.length })}>
          {tables.map(({ id, name, code }) => (
            <figure key={id} className="qr-card">
              <p className="qr-venue">
                <bdi>{venueName}</bdi>
              </p>
              <QrCode text={addressOfTable(pattern, code)} label={t("qrSheet.codeOf", { name })} />
              <figcaption>
                <bdi className="qr-table">{name}</bdi>
                <span className="code">{code}</span>
              </figcaption>
            </figure>
          ))}
        </section>
      ))}
    </div>
  );
};

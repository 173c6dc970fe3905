import type { Takings } from "@comanda/contract/console/orders.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Table } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { groupByMethod, type TakingsGroup, type TakingsSums } from "./takings-sums.ts";

export const TakingsTable = ({ takings }: { takings: Takings }) => {
  const { t } = useTranslation();
  const { groups, total, redeemed } = groupByMethod(takings.rows);
  return (
    <Table className="takings-table figures" verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t("takings.method")}</Table.Th>
          <Table.Th scope="col">{t("takings.user")}</Table.Th>
          {(["payments", "taken", "refunded", "net", "tips"] as const).map((name) => (
            <Table.Th key={name} scope="col" className="amount-cell">
              {t(`takings.${name}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map(({ method, rows, sums }) => (
          <Fragment key={method}>
            <PersonRows group={{ method, rows, sums }} currency={takings.currency} />
            {rows.length > 1 && (
              <Table.Tr className="takings-sum">
                <Table.Th scope="row" colSpan={2}>
                  {t("takings.sum", { method: t(`payment.methods.${method}`) })}
                </Table.Th>
                <SumCells sums={sums} currency={takings.currency} />
              </Table.Tr>
            )}
          </Fragment>
        ))}
      </Table.Tbody>
      <Table.Tbody>
        <Table.Tr className="takings-total">
          <Table.Th scope="row" colSpan={2}>
            {t("takings.total")}
          </Table.Th>
          <SumCells sums={total} currency={takings.currency} />
        </Table.Tr>
      </Table.Tbody>
      {redeemed && (
        <Table.Tbody>
          <PersonRows group={redeemed} currency={takings.currency} />
          <Table.Tr className="takings-sum">
            <Table.Th scope="row" colSpan={2}>
              {t("takings.redeemed")}
            </Table.Th>
            <SumCells sums={redeemed.sums} currency={takings.currency} />
          </Table.Tr>
        </Table.Tbody>
      )}
    </Table>
  );
};

const PersonRows = ({ group: { method, rows }, currency }: { group: TakingsGroup; currency: string }) => {
  const { t } = useTranslation();
  return rows.map((row) => (
    <Table.Tr key={row.person}>
      <Table.Td>{t(`payment.methods.${method}`)}</Table.Td>
      <Table.Td>
        <bdi>{row.person}</bdi>
      </Table.Td>
      <SumCells sums={row} currency={currency} />
    </Table.Tr>
  ));
};

const SumCells = ({ sums, currency }: { sums: TakingsSums; currency: string }) => (
  <>
    <Table.Td className="amount-cell">{sums.payments}</Table.Td>
    <Table.Td className="amount-cell">{formatMoney(sums.taken_minor, currency)}</Table.Td>
    <Table.Td className="amount-cell">{sums.refunded_minor === 0 ? "–" : formatMoney(minor(-sums.refunded_minor), currency)}</Table.Td>
    <Table.Td className="amount-cell">
      <b>{formatMoney(minor(sums.taken_minor - sums.refunded_minor), currency)}</b>
    </Table.Td>
    <Table.Td className="amount-cell">{sums.tips_minor === 0 ? "–" : formatMoney(sums.tips_minor, currency)}</Table.Td>
  </>
);

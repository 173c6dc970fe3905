/** What an order would cost with the charges of the form, drawn as a receipt. The server calculates it; nothing is stored. */

import type { SampleReceipt } from "@comanda/contract/console/venue-settings.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { fieldErrors, useErrorText } from "#kit/error-text.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney, minorUnits } from "#kit/number-format.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { AmountField } from "../decimal-field.tsx";
import { ORDER_TYPES } from "../setting-section.tsx";
import { type SampleLine, sampleLines, sampleOrder } from "./charges-draft.ts";

/** A pause in typing. */
const PAUSE_MS = 350;

type SampleReceiptPanelProps = { venue: string; charges: Charges; currency: string; name: Translations };

export const SampleReceiptPanel = ({ venue, charges, currency, name }: SampleReceiptPanelProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const [type, setType] = useState<OrderType>("dine_in");
  const [amounts, setAmounts] = useState<Record<number, Minor>>({});
  const lines = sampleLines(charges.taxes, minorUnits(1, currency)).map((line, at) => ({
    ...line,
    amount_minor: amounts[at] ?? line.amount_minor,
  }));
  const [order] = useDebouncedValue(JSON.stringify(sampleOrder(charges, type, lines)), PAUSE_MS);
  const receipt = useQuery({
    queryKey: ["sample-receipt", venue, order],
    queryFn: async () => (await call("trySampleReceipt", { params: { venue }, body: JSON.parse(order) })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  return (
    <section className="sheet sample-panel" aria-labelledby="sample-title">
      <Title order={2} className="item-title" id="sample-title">
        {t("charges.sample")}
      </Title>
      <Stack gap="sm" mt="xs">
        <Text size="sm" c="dimmed">
          {t("charges.sampleHint")}
        </Text>
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t("charges.sampleType")}
          value={type}
          data={ORDER_TYPES.map((value) => ({ value, label: t(`order.types.${value}`) }))}
          onChange={(value) => setType(ORDER_TYPES.find((one) => one === value) ?? "dine_in")}
        />
        {lines.map((line, at) => (
          <AmountField
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone.
            key={at}
            label={t("charges.sampleLine", { number: at + 1, currency })}
            currency={currency}
            minor={line.amount_minor}
            onMinor={(amount) => setAmounts((before) => ({ ...before, [at]: amount ?? minor(0) }))}
          />
        ))}
        {receipt.error && <ReceiptFaults error={receipt.error} />}
        {receipt.data && !receipt.error && (
          <PaperReceipt title={pick(name)} receipt={receipt.data} lines={lines} charges={charges} currency={currency} />
        )}
      </Stack>
    </section>
  );
};

const ReceiptFaults = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  const [translate, describe] = [useErrorTranslation(), useErrorText()];
  const sentences = [...new Set(Object.values(fieldErrors(error)))].map(translate);
  return (
    <div className="sample-faults" role="status">
      <Text size="sm" fw={600}>
        {t("charges.sampleRefused")}
      </Text>
      {(sentences.length > 0 ? sentences : [describe(error)]).map((sentence) => (
        <Text size="sm" key={sentence} dir="auto">
          {sentence}
        </Text>
      ))}
    </div>
  );
};

type PaperReceiptProps = {
  title: string;
  receipt: SampleReceipt;
  lines: readonly SampleLine[];
  charges: Charges;
  currency: string;
};

const PaperReceipt = ({ title, receipt, lines, charges, currency }: PaperReceiptProps) => {
  const { t } = useTranslation();
  const money = (amount: Minor): string => formatMoney(amount, currency);
  const optional = [
    ["discount", minor(-receipt.discount_minor)],
    ["service", receipt.service_charge_minor],
    ["taxAdded", receipt.tax_added_minor],
    ["deliveryFee", receipt.delivery_fee_minor],
  ] as const;
  return (
    <div className="paper figures" role="status" aria-label={t("charges.sample")}>
      <p className="paper-title" dir="auto">
        {title}
      </p>
      {lines.map((line, at) => (
        <PaperRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone.
          key={at}
          name={t("charges.paperLine", { number: at + 1 })}
          note={charges.taxes.find(({ key }) => key === line.tax)?.name}
          amount={money(line.amount_minor)}
        />
      ))}
      <hr />
      <PaperRow name={t("charges.paper.subtotal")} amount={money(receipt.subtotal_minor)} />
      {optional.map(([row, amount]) => amount !== 0 && <PaperRow key={row} name={t(`charges.paper.${row}`)} amount={money(amount)} />)}
      <hr />
      <PaperRow name={t("charges.paper.total")} amount={money(receipt.total_minor)} isTotal />
      <hr />
      {(receipt.tax_breakdown ?? []).map(({ name, rate, inclusive, tax_minor }) => (
        <PaperRow
          key={`${name} ${rate}`}
          name={t(inclusive ? "charges.paper.contains" : "charges.paper.adds", { name, rate })}
          amount={money(tax_minor)}
        />
      ))}
    </div>
  );
};

type PaperRowProps = { name: string; note?: string | undefined; amount: string; isTotal?: boolean };

const PaperRow = ({ name, note, amount, isTotal = false }: PaperRowProps) => (
  <div className={isTotal ? "paper-row paper-total" : "paper-row"}>
    <span dir="auto">
      {name}
      {note && (
        <>
          {" "}
          <bdi className="paper-note">{note}</bdi>
        </>
      )}
    </span>
    <span>{amount}</span>
  </div>
);

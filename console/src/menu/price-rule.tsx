/** Fields for a change of many prices: by per cent or by an amount, and what the new price is rounded to. */
import { minor } from "@comanda/contract/minor.ts";
import { NativeSelect, NumberInput, SegmentedControl } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, minorDigits, minorUnits } from "#kit/number-format.ts";
import { type PriceRule, roundSteps } from "./price-change.ts";

export const usePriceRule = (currency: string): { rule: PriceRule; isReady: boolean; fields: ReactNode } => {
  const { t } = useTranslation();
  const [kind, setKind] = useState<PriceRule["kind"]>("percent");
  const [by, setBy] = useState<number | string>("");
  const [roundTo, setRoundTo] = useState(minor(1));
  const digits = minorDigits(currency);
  const steps = roundSteps(digits);
  const rule: PriceRule = { ...(kind === "percent" ? { kind, by: Number(by) } : { kind, by: minorUnits(Number(by), currency) }), roundTo };
  const isReady = by !== "" && Number.isFinite(rule.by) && rule.by !== 0;
  const fields = (
    <>
      <SegmentedControl
        fullWidth
        size="md"
        aria-label={t("menuEditor.changeBy")}
        value={kind}
        data={[
          { value: "percent", label: t("menuEditor.byPercent") },
          { value: "amount", label: t("menuEditor.byAmount") },
        ]}
        onChange={(value) => setKind(value === "amount" ? "amount" : "percent")}
      />
      <NumberInput
        size="md"
        data-autofocus
        label={kind === "percent" ? t("menuEditor.byPercent") : `${t("menuEditor.byAmount")} (${currency})`}
        description={t("menuEditor.byHint")}
        suffix={kind === "percent" ? " %" : ""}
        decimalScale={kind === "percent" ? 3 : digits}
        min={kind === "percent" ? -100 : -2_000_000}
        max={kind === "percent" ? 1000 : 2_000_000}
        value={by}
        onChange={setBy}
      />
      <NativeSelect
        size="md"
        label={t("menuEditor.roundTo")}
        value={String(roundTo)}
        data={steps.map((step) => ({
          value: String(step),
          label: step === 1 ? t("menuEditor.roundNone") : formatMoney(step, currency),
        }))}
        onChange={({ currentTarget: { value } }) => setRoundTo(steps.find((step) => String(step) === value) ?? minor(1))}
      />
    </>
  );
  return { rule, isReady, fields };
};

/** Prices of the chosen dishes, changed by per cent or by an amount. They are in the draft after this, not yet saved. */

import type { ItemValue } from "@comanda/contract/console/menu-editor.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, NativeSelect, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "../ui/localized-name.ts";
import { formatMoney, minorDigits, minorUnits } from "../ui/number-format.ts";
import { setValue } from "./menu-draft.ts";
import { type PriceRule, roundSteps, withRule } from "./price-change.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

const SHOWN_MAX = 100;

type PriceToolProps = { edit: MenuEditing; keys: readonly string[]; currency: string; onClose: () => void };

const pricesOf = ({ price_minor, variants }: ItemValue): Minor[] =>
  variants.length > 0 ? variants.map((size) => size.price_minor) : price_minor === null ? [] : [price_minor];

export const PriceTool = ({ edit, keys, currency, onClose }: PriceToolProps) => {
  const { t } = useTranslation();
  const [kind, setKind] = useState<PriceRule["kind"]>("percent");
  const [by, setBy] = useState<number | string>("");
  const [roundTo, setRoundTo] = useState(minor(1));
  const digits = minorDigits(currency);
  const steps = roundSteps(digits);
  const rule: PriceRule = { ...(kind === "percent" ? { kind, by: Number(by) } : { kind, by: minorUnits(Number(by), currency) }), roundTo };
  const isReady = by !== "" && Number.isFinite(rule.by) && rule.by !== 0;
  const dishes = edit.shown.items.filter(({ key, state }) => state !== "removed" && keys.includes(key));
  const apply = (): void => {
    edit.change((draft, plan) =>
      dishes.reduce((known, { key, value }) => setValue(known, plan, { list: "items", key }, withRule(value, rule)), draft),
    );
    onClose();
  };
  return (
    <Stack gap="md" className="menu-form">
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
      <Button size="md" disabled={!isReady} onClick={apply}>
        {t("menuEditor.applyPrices", { count: dishes.length })}
      </Button>
      <Text size="sm" c="dimmed">
        {t("menuEditor.applyHint")}
      </Text>
      {isReady && <PricePreview dishes={dishes} rule={rule} currency={currency} />}
    </Stack>
  );
};

type PricePreviewProps = { dishes: MenuEditing["shown"]["items"]; rule: PriceRule; currency: string };

const PricePreview = ({ dishes, rule, currency }: PricePreviewProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const write = (value: ItemValue): string =>
    pricesOf(value)
      .map((price) => formatMoney(price, currency))
      .join(" · ");
  return (
    <table className="menu-table">
      <caption>{t("menuEditor.preview")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("menuEditor.name")}</th>
          <th scope="col">{t("menuEditor.before")}</th>
          <th scope="col">{t("menuEditor.after")}</th>
        </tr>
      </thead>
      <tbody>
        {dishes.slice(0, SHOWN_MAX).map(({ key, value }) => (
          <tr key={key}>
            <th scope="row" dir="auto">
              {pick(value.name)}
            </th>
            <td className="figures">{write(value)}</td>
            <td className="figures">{write(withRule(value, rule))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

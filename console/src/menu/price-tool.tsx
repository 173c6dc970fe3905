/** Prices of the chosen dishes, changed by per cent or by an amount. They are in the draft after this, not yet saved. */

import type { ItemValue } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { setValue } from "./menu-draft.ts";
import { type PriceRule, withRule } from "./price-change.ts";
import { usePriceRule } from "./price-rule.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

const SHOWN_MAX = 100;

type PriceToolProps = { edit: MenuEditing; keys: readonly string[]; currency: string; onClose: () => void };

const pricesOf = ({ price_minor, variants }: ItemValue): Minor[] =>
  variants.length > 0 ? variants.map((size) => size.price_minor) : price_minor === null ? [] : [price_minor];

export const PriceTool = ({ edit, keys, currency, onClose }: PriceToolProps) => {
  const { t } = useTranslation();
  const { rule, isReady, fields } = usePriceRule(currency);
  const dishes = edit.shown.items.filter(({ key, state }) => state !== "removed" && keys.includes(key));
  const apply = (): void => {
    edit.change((draft, plan) =>
      dishes.reduce((known, { key, value }) => setValue(known, plan, { list: "items", key }, withRule(value, rule)), draft),
    );
    onClose();
  };
  return (
    <Stack gap="md" className="menu-form">
      {fields}
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

/** The order types: whether each is offered, its minimum, and how long it takes. */
import { minor } from "@comanda/contract/minor.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import { NumberInput, Switch, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AmountField } from "../decimal-field.tsx";
import { ORDER_TYPES } from "../setting-section.tsx";
import type { PartErrors } from "../venue-settings/use-part-edit.ts";
import { changeType, type OfferedType, offerType, setMinutes } from "./ordering-draft.ts";

/** These times count when nothing is entered. The contract has the same ones. */
const USUAL_MINUTES: Record<OrderType, number> = { dine_in: 15, pickup: 20, delivery: 40 };
const MINUTES_MAX = 600;

type TypeRowsProps = { types: readonly OfferedType[]; currency: string; errors: PartErrors; onChange: (types: OfferedType[]) => void };

export const TypeRows = ({ types, ...props }: TypeRowsProps) => {
  const { t } = useTranslation();
  return ORDER_TYPES.map((type) => {
    const at = types.findIndex((offered) => offered.type === type);
    const offered = types[at];
    return (
      <fieldset key={type} className="setting-row">
        <VisuallyHidden component="legend">{t(`order.types.${type}`)}</VisuallyHidden>
        <Switch
          size="lg"
          label={t(`order.types.${type}`)}
          checked={offered !== undefined}
          onChange={({ currentTarget: { checked } }) => props.onChange(offerType(types, type, checked))}
        />
        {offered && <TypeFields {...props} types={types} offered={offered} path={`types.${at}`} />}
      </fieldset>
    );
  });
};

type TypeFieldsProps = TypeRowsProps & { offered: OfferedType; path: string };

const TypeFields = ({ types, offered, path, currency, errors, onChange }: TypeFieldsProps) => {
  const { t } = useTranslation();
  const { type, minimum_minor, preparation_minutes } = offered;
  return (
    <div className="setting-fields">
      <AmountField
        label={t("ordering.minimum", { currency })}
        currency={currency}
        minor={minimum_minor}
        error={errors[`${path}.minimum_minor`] ?? null}
        onMinor={(minimum) => onChange(changeType(types, type, { minimum_minor: minimum ?? minor(0) }))}
      />
      <NumberInput
        size="md"
        label={t("ordering.minutes")}
        placeholder={t("ordering.minutesUsual", { minutes: USUAL_MINUTES[type] })}
        allowDecimal={false}
        allowNegative={false}
        max={MINUTES_MAX}
        value={preparation_minutes ?? ""}
        error={errors[`${path}.preparation_minutes`] ?? null}
        onChange={(minutes) => onChange(setMinutes(types, type, minutes === "" ? null : Math.min(MINUTES_MAX, Number(minutes) || 0)))}
      />
    </div>
  );
};

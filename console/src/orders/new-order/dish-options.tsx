/** Sizes and extras of one dish. */
import type { FormDish, FormGroup, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { type DraftLine, groupsOf, isChosen, toggleOption } from "./order-draft.ts";

type OptionsProps = { form: OrderForm; dish: FormDish; onAdd: (line: DraftLine) => void; onBack: () => void };

export const DishOptions = ({ form, dish, onAdd, onBack }: OptionsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const pick = useLocalizedName();
  const groups = groupsOf(dish, form.groups);
  const [sizeId, setSizeId] = useState<number | null>((dish.sizes.find(({ is_default }) => is_default) ?? dish.sizes[0])?.id ?? null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  return (
    <section className="new-order-menu" aria-label={t("options", { name: pick(dish.name) })}>
      <h2 className="new-order-heading" dir="auto">
        {pick(dish.name)}
      </h2>
      {dish.sizes.length > 0 && (
        <Choices title={t("size")}>
          {dish.sizes.map(({ id, name, price_minor }) => (
            <Choice
              key={id}
              isOn={id === sizeId}
              label={pick(name)}
              price={formatMoney(price_minor, form.currency)}
              onTap={() => setSizeId(id)}
            />
          ))}
        </Choices>
      )}
      {groups.map((group) => (
        <GroupChoices
          key={group.id}
          group={group}
          currency={form.currency}
          chosen={chosen}
          onTap={(id) => setChosen(toggleOption(chosen, group, id))}
        />
      ))}
      <div className="new-order-options-end">
        <Button variant="default" className="service-target" onClick={onBack}>
          {t("back")}
        </Button>
        <Button
          className="service-target"
          disabled={!isChosen(chosen, groups)}
          onClick={() => onAdd({ dishId: dish.id, sizeId, optionIds: chosen, quantity: 1 })}
        >
          {t("addToOrder")}
        </Button>
      </div>
    </section>
  );
};

const useGroupHint = () => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  return ({ min_select, max_select }: FormGroup): string => {
    if (min_select > 0 && min_select === max_select) return t("chooseExactly", { count: min_select });
    if (min_select > 0) return t("chooseAtLeast", { count: min_select });
    return max_select === null ? "" : t("chooseUpTo", { count: max_select });
  };
};

type GroupProps = { group: FormGroup; currency: string; chosen: readonly number[]; onTap: (id: number) => void };

const GroupChoices = ({ group, currency, chosen, onTap }: GroupProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const pick = useLocalizedName();
  const hint = useGroupHint()(group);
  return (
    <Choices title={pick(group.name)} hint={hint}>
      {group.options.map(({ id, name, price_minor, is_available }) => (
        <Choice
          key={id}
          isOn={chosen.includes(id)}
          isOff={!is_available}
          label={pick(name)}
          price={is_available ? (price_minor > 0 ? `+ ${formatMoney(price_minor, currency)}` : "") : t("soldOut")}
          onTap={() => onTap(id)}
        />
      ))}
    </Choices>
  );
};

const Choices = ({ title, hint = "", children }: { title: string; hint?: string; children: React.ReactNode }) => (
  <fieldset className="new-order-choices">
    <legend dir="auto">
      {title} {hint !== "" && <span className="new-order-hint">({hint})</span>}
    </legend>
    <div className="new-order-choice-row">{children}</div>
  </fieldset>
);

type OptionChoiceProps = { isOn: boolean; isOff?: boolean; label: string; price: string; onTap: () => void };

const Choice = ({ isOn, isOff = false, label, price, onTap }: OptionChoiceProps) => (
  <button type="button" className="new-order-choice" aria-pressed={isOn} disabled={isOff} onClick={onTap}>
    {isOn && <CheckIcon size={16} />}
    <span dir="auto">{label}</span>
    {price !== "" && <span className="new-order-hint figures">{price}</span>}
  </button>
);

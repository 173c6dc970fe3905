/** The menu to tap on. A dish without sizes and extras is added at once. */

import type { FormDish, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Text, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { foldText } from "#kit/fold-text.ts";
import { SearchIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import type { DraftLine } from "./order-draft.ts";

type PickerProps = { form: OrderForm; onAdd: (line: DraftLine) => void; onChoose: (dishId: number) => void };

const isShown = ({ name, category_id }: FormDish, search: string, category: number | null): boolean =>
  search === ""
    ? category === null || category_id === category
    : Object.values(name).some((text) => text !== null && foldText(text).includes(search));

export const DishPicker = ({ form, onAdd, onChoose }: PickerProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const [text, setText] = useState("");
  const [category, setCategory] = useState<number | null>(null);
  const search = foldText(text.trim());
  const dishes = useMemo(() => form.dishes.filter((dish) => isShown(dish, search, category)), [form.dishes, search, category]);
  return (
    <section className="new-order-menu" aria-label={t("dishes")}>
      <TextInput
        type="search"
        size="md"
        aria-label={t("search")}
        placeholder={t("search")}
        leftSection={<SearchIcon size={16} />}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {search === "" && <Categories form={form} category={category} onChoose={setCategory} />}
      <div className="new-order-dishes">
        {dishes.map((dish) => (
          <DishButton key={dish.id} dish={dish} currency={form.currency} onAdd={onAdd} onChoose={onChoose} />
        ))}
      </div>
      {dishes.length === 0 && <Text c="dimmed">{t("noneFound", { text: text.trim() })}</Text>}
    </section>
  );
};

type CategoriesProps = { form: OrderForm; category: number | null; onChoose: (category: number | null) => void };

const Categories = ({ form, category, onChoose }: CategoriesProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const pick = useLocalizedName();
  const all = [{ id: null, label: t("allCategories") }, ...form.categories.map(({ id, name }) => ({ id, label: pick(name) }))];
  return (
    <fieldset className="new-order-categories" aria-label={t("categories")}>
      {all.map(({ id, label }) => (
        <button key={id ?? 0} type="button" className="new-order-category" aria-pressed={id === category} onClick={() => onChoose(id)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
};

type DishButtonProps = { dish: FormDish; currency: string } & Pick<PickerProps, "onAdd" | "onChoose">;

const DishButton = ({ dish, currency, onAdd, onChoose }: DishButtonProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const pick = useLocalizedName();
  const isPlain = dish.sizes.length === 0 && dish.group_ids.length === 0;
  const isSoldOut = !dish.is_available || dish.remaining === 0;
  const cheapest = minor(Math.min(...dish.sizes.map(({ price_minor }) => price_minor)));
  const price =
    dish.sizes.length > 0 ? t("from", { price: formatMoney(cheapest, currency) }) : formatMoney(dish.price_minor ?? minor(0), currency);
  return (
    <button
      type="button"
      className="new-order-dish"
      disabled={isSoldOut}
      onClick={() => (isPlain ? onAdd({ dishId: dish.id, sizeId: null, optionIds: [], quantity: 1 }) : onChoose(dish.id))}
    >
      <span className="new-order-dish-name" dir="auto">
        {pick(dish.name)}
      </span>
      <span className="new-order-dish-price figures">
        {isSoldOut ? t("soldOut") : price}
        {!isSoldOut && dish.remaining !== null && ` · ${t("left", { count: dish.remaining })}`}
      </span>
    </button>
  );
};

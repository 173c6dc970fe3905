/** A happy hour: when, how much less, and for which categories, dishes and sizes. */

import type { HappyHourValue } from "@comanda/contract/console/menu-editor.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Chip, Input, NativeSelect, NumberInput, SegmentedControl, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { ChosenRows, FormFrame, LabelledPrice, NameField, OwnHours, type SubjectFormProps } from "./form-parts.tsx";
import type { DraftSubject } from "./menu-draft.ts";

type HappyHourFormProps = SubjectFormProps<DraftSubject<HappyHourValue>>;
type HappyHourPartProps = HappyHourFormProps & { onChange: (part: Partial<HappyHourValue>) => void };

export const HappyHourForm = (props: HappyHourFormProps) => {
  const { t } = useTranslation();
  const { subject, edit, languages, onClose } = props;
  const { key, value, saved } = subject;
  const change = (part: Partial<HappyHourValue>): void => edit.set({ list: "happy_hours", key }, { ...value, ...part });
  return (
    <FormFrame
      removeLabel={t("menuEditor.removeHappyHour")}
      onRemove={() => {
        edit.set({ list: "happy_hours", key }, null);
        onClose();
      }}
      onClose={onClose}
    >
      <NameField languages={languages} name={value.name} saved={saved?.name} onChange={(name) => change({ name })} />
      <Discount {...props} onChange={change} />
      <Switch
        size="lg"
        label={t("menuEditor.happyHourOn")}
        checked={value.is_active}
        onChange={({ currentTarget: { checked } }) => change({ is_active: checked })}
      />
      <OwnHours hours={value.hours} onChange={(hours) => change({ hours })} />
      <CategoryTargets {...props} onChange={change} />
      <DishTargets {...props} onChange={change} />
    </FormFrame>
  );
};

const Discount = ({ subject, edit, currency, onChange }: HappyHourPartProps) => {
  const { t } = useTranslation();
  const { percent_off, price_minor } = subject.value;
  const isPrice = price_minor !== null;
  return (
    <>
      <SegmentedControl
        fullWidth
        size="md"
        aria-label={t("menuEditor.discount")}
        value={isPrice ? "price" : "percent"}
        data={[
          { value: "percent", label: t("menuEditor.percentOff") },
          { value: "price", label: t("menuEditor.fixedPrice") },
        ]}
        onChange={(kind) =>
          onChange(kind === "price" ? { percent_off: null, price_minor: minor(0) } : { percent_off: null, price_minor: null })
        }
      />
      {isPrice ? (
        <LabelledPrice
          label={t("menuEditor.fixedPrice")}
          currency={currency}
          minor={price_minor}
          edit={edit}
          onPrice={(price) => onChange({ price_minor: price })}
        />
      ) : (
        <NumberInput
          size="md"
          label={t("menuEditor.percentOff")}
          suffix=" %"
          min={0}
          max={100}
          decimalScale={3}
          allowNegative={false}
          clampBehavior="strict"
          value={percent_off ?? ""}
          error={percent_off === null ? t("menuEditor.gaps.discount") : null}
          onChange={(percent) => onChange({ percent_off: percent === "" ? null : Number(percent) })}
        />
      )}
    </>
  );
};

const CategoryTargets = ({ subject, edit, onChange }: HappyHourPartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const chosen = subject.value.categories;
  return (
    <Input.Wrapper label={t("menuEditor.forCategories")} labelElement="div" size="md">
      <div className="menu-chips">
        {edit.shown.categories
          .filter(({ state }) => state !== "removed")
          .map(({ key, value }) => (
            <Chip
              key={key}
              size="md"
              checked={chosen.includes(key)}
              onChange={(isIn) => onChange({ categories: isIn ? [...chosen, key] : chosen.filter((one) => one !== key) })}
            >
              {pick(value.name) || t("menuEditor.unnamed")}
            </Chip>
          ))}
      </div>
    </Input.Wrapper>
  );
};

/** A dish is named by its key, a size by both keys. */
const DishTargets = ({ subject, edit, onChange }: HappyHourPartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { items, variants } = subject.value;
  const dishes = edit.shown.items.filter(({ state }) => state !== "removed");
  const targets = dishes.flatMap(({ key, value }) => [
    { id: key, label: pick(value.name) || t("menuEditor.unnamed") },
    ...value.variants.map((size) => ({ id: `${key} ${size.key}`, label: `${pick(value.name)} – ${pick(size.name)}` })),
  ]);
  const chosen = new Set([...items, ...variants.map(({ item, variant }) => `${item} ${variant}`)]);
  const add = (id: string): void => {
    const [item = "", variant] = id.split(" ");
    if (item === "") return;
    onChange(variant === undefined ? { items: [...items, item] } : { variants: [...variants, { item, variant }] });
  };
  const remove = (id: string): void =>
    onChange({ items: items.filter((item) => item !== id), variants: variants.filter(({ item, variant }) => `${item} ${variant}` !== id) });
  return (
    <Input.Wrapper label={t("menuEditor.forDishes")} labelElement="div" size="md">
      <ChosenRows rows={targets.filter(({ id }) => chosen.has(id))} onRemove={remove} />
      <NativeSelect
        size="md"
        aria-label={t("menuEditor.addDishTo")}
        value=""
        data={[
          { value: "", label: t("menuEditor.addDishTo") },
          ...targets.filter(({ id }) => !chosen.has(id)).map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={({ currentTarget: { value } }) => add(value)}
      />
    </Input.Wrapper>
  );
};

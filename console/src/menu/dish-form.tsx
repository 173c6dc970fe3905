/** All of a dish: texts in several languages, category, price or sizes, extras, allergens, diet, tax. */
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { ALLERGENS } from "@comanda/contract/venue/allergens.ts";
import type { Dietary } from "@comanda/contract/venue/menu.ts";
import { Chip, Input, NativeSelect, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { ServerFaults } from "./dish-line.tsx";
import { ChosenRows, FormFrame, movedIn, NameField, type SubjectFormProps } from "./form-parts.tsx";
import { subjectName } from "./menu-body.ts";
import type { DraftDish, MenuValues } from "./menu-draft.ts";
import { hasText } from "./menu-view.ts";
import { PriceOrSizes } from "./size-fields.tsx";

const DESCRIPTION_MAX = 5000;
const DIETS: readonly Dietary[] = ["none", "veg", "vegan", "egg", "non_veg"];

type DishFormProps = SubjectFormProps<DraftDish> & { taxes: MenuPlan["taxes"] };
type DishPartProps = DishFormProps & { onChange: (part: Partial<MenuValues["items"]>) => void };

export const DishForm = (props: DishFormProps) => {
  const { t } = useTranslation();
  const { subject, edit, languages, onClose } = props;
  const { key, value, saved } = subject;
  const change = (part: Partial<MenuValues["items"]>): void => edit.set({ list: "items", key }, { ...value, ...part });
  const remove = (): void => {
    edit.set({ list: "items", key }, null);
    onClose();
  };
  return (
    <FormFrame removeLabel={t("menuEditor.removeDish")} onRemove={remove} onClose={onClose}>
      <ServerFaults faults={edit.faults.bySubject.get(subjectName("items", key)) ?? []} />
      <NameField languages={languages} name={value.name} saved={saved?.name} onChange={(name) => change({ name })} />
      <TranslationFields
        label={t("menuEditor.description")}
        languages={languages}
        texts={value.description ?? {}}
        saved={saved?.description}
        lengthMax={DESCRIPTION_MAX}
        isLong
        onChange={(texts) => change({ description: hasText(texts) ? texts : null })}
      />
      <CategoryChoice {...props} onChange={change} />
      <PriceOrSizes {...props} onChange={change} />
      <GroupChoice {...props} onChange={change} />
      <AllergenChoice {...props} onChange={change} />
      <DietAndTax {...props} onChange={change} />
      <Switch
        size="lg"
        label={t("menuEditor.onlineLabel")}
        description={t("menuEditor.onlineHint")}
        checked={value.show_online}
        onChange={({ currentTarget: { checked } }) => change({ show_online: checked })}
      />
    </FormFrame>
  );
};

const CategoryChoice = ({ subject, edit, onChange }: DishPartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { menus, categories } = edit.shown;
  return (
    <NativeSelect
      size="md"
      label={t("menuEditor.category")}
      value={subject.value.category}
      data={menus.map((menu) => ({
        group: pick(menu.value.name) || t("menuEditor.unnamed"),
        items: categories
          .filter(({ value, state, key }) => value.menu === menu.key && (state !== "removed" || key === subject.value.category))
          .map(({ key, value }) => ({ value: key, label: pick(value.name) || t("menuEditor.unnamed") })),
      }))}
      onChange={({ currentTarget: { value } }) => onChange({ category: value })}
    />
  );
};

const GroupChoice = ({ subject, edit, onChange }: DishPartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const chosen = subject.value.modifier_groups;
  const groups = edit.shown.modifier_groups.filter(({ state }) => state !== "removed");
  const labelOf = (wanted: string): string => pick(groups.find(({ key }) => key === wanted)?.value.name ?? {}) || wanted;
  const others = groups.filter(({ key }) => !chosen.includes(key));
  return (
    <Input.Wrapper label={t("menuEditor.groups")} labelElement="div" size="md">
      <ChosenRows
        rows={chosen.map((key) => ({ id: key, label: labelOf(key) }))}
        onRemove={(key) => onChange({ modifier_groups: chosen.filter((one) => one !== key) })}
        onMove={(key, by) => onChange({ modifier_groups: movedIn(chosen, chosen.indexOf(key), by) })}
      />
      {others.length > 0 && (
        <NativeSelect
          size="md"
          aria-label={t("menuEditor.addGroupTo")}
          value=""
          data={[{ value: "", label: t("menuEditor.addGroupTo") }, ...others.map(({ key }) => ({ value: key, label: labelOf(key) }))]}
          onChange={({ currentTarget: { value } }) => value !== "" && onChange({ modifier_groups: [...chosen, value] })}
        />
      )}
    </Input.Wrapper>
  );
};

/** "Not stated" differs from "none". */
const AllergenChoice = ({ subject, onChange }: DishPartProps) => {
  const { t } = useTranslation();
  const { allergens } = subject.value;
  return (
    <>
      <Switch
        size="lg"
        label={t("menuEditor.allergensStated")}
        description={t("menuEditor.allergensHint")}
        checked={allergens !== null}
        onChange={({ currentTarget: { checked } }) => onChange({ allergens: checked ? [] : null })}
      />
      {allergens && (
        <Input.Wrapper label={t("menuEditor.allergens")} labelElement="div" size="md">
          <div className="menu-chips">
            {ALLERGENS.map((allergen) => (
              <Chip
                key={allergen}
                size="md"
                checked={allergens.includes(allergen)}
                onChange={(isIn) => onChange({ allergens: ALLERGENS.filter((one) => (one === allergen ? isIn : allergens.includes(one))) })}
              >
                {t(`menuEditor.allergenNames.${allergen}`)}
              </Chip>
            ))}
          </div>
        </Input.Wrapper>
      )}
    </>
  );
};

const DietAndTax = ({ subject, taxes, onChange }: DishPartProps) => {
  const { t } = useTranslation();
  const { dietary, tax } = subject.value;
  const standard = taxes.find(({ is_default }) => is_default);
  return (
    <>
      <NativeSelect
        size="md"
        label={t("menuEditor.diet")}
        value={dietary}
        data={DIETS.map((value) => ({ value, label: t(`menuEditor.diets.${value}`) }))}
        onChange={({ currentTarget: { value } }) => onChange({ dietary: DIETS.find((one) => one === value) ?? "none" })}
      />
      {taxes.length > 0 && (
        <NativeSelect
          size="md"
          label={t("menuEditor.tax")}
          value={tax ?? ""}
          data={[
            { value: "", label: t("menuEditor.taxStandard", { name: standard ? `${standard.name} ${standard.rate} %` : "–" }) },
            ...taxes.map(({ key, name, rate }) => ({ value: key, label: `${name} ${rate} %` })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ tax: value === "" ? null : value })}
        />
      )}
    </>
  );
};

/** A modifier group: how many a guest chooses, and its options with their prices. */

import type { GroupValue } from "@comanda/contract/console/menu-editor.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Button, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { NumberField } from "#kit/number-field.tsx";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { FormFrame, LabelledPrice, movedIn, NAME_MAX, NameField, type SubjectFormProps } from "./form-parts.tsx";
import { type DraftSubject, newMenuKey } from "./menu-draft.ts";
import { hasText } from "./menu-view.ts";
import { MoveButtons } from "./place-head.tsx";

const OPTIONS_MAX = 100;

type GroupOption = GroupValue["options"][number];
type GroupFormProps = SubjectFormProps<DraftSubject<GroupValue>>;
type GroupPartProps = GroupFormProps & { onChange: (part: Partial<GroupValue>) => void };

export const GroupForm = (props: GroupFormProps) => {
  const { t } = useTranslation();
  const { subject, edit, languages, onClose } = props;
  const { key, value, saved } = subject;
  const change = (part: Partial<GroupValue>): void => edit.set({ list: "modifier_groups", key }, { ...value, ...part });
  return (
    <FormFrame
      removeLabel={t("menuEditor.removeGroup")}
      onRemove={() => {
        edit.set({ list: "modifier_groups", key }, null);
        onClose();
      }}
      onClose={onClose}
    >
      <NameField languages={languages} name={value.name} saved={saved?.name} onChange={(name) => change({ name })} />
      <SelectionBounds {...props} onChange={change} />
      <OptionRows {...props} onChange={change} />
    </FormFrame>
  );
};

const SelectionBounds = ({ subject, onChange }: GroupPartProps) => {
  const { t } = useTranslation();
  const { min_select, max_select, options } = subject.value;
  return (
    <>
      <NumberField
        label={t("menuEditor.minSelect")}
        min={0}
        max={100}
        value={min_select}
        onChange={(min) => onChange({ min_select: min, max_select: max_select === null ? null : Math.max(max_select, min) })}
      />
      <Switch
        size="lg"
        label={t("menuEditor.hasMax")}
        checked={max_select !== null}
        onChange={({ currentTarget: { checked } }) => onChange({ max_select: checked ? Math.max(1, min_select, options.length) : null })}
      />
      {max_select !== null && (
        <NumberField
          label={t("menuEditor.maxSelect")}
          min={Math.max(1, min_select)}
          max={100}
          value={max_select}
          onChange={(max) => onChange({ max_select: max })}
        />
      )}
    </>
  );
};

const OptionRows = ({ subject, edit, currency, languages, onChange }: GroupPartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { options } = subject.value;
  const change = (key: string, part: Partial<GroupOption>): void =>
    onChange({ options: options.map((option) => (option.key === key ? { ...option, ...part } : option)) });
  return (
    <>
      {options.map((option, at) => (
        <fieldset key={option.key} className="menu-part">
          <legend>{t("menuEditor.optionOf", { number: at + 1 })}</legend>
          <TranslationFields
            label={t("menuEditor.optionName")}
            languages={languages}
            texts={option.name}
            saved={subject.saved?.options.find(({ key }) => key === option.key)?.name}
            lengthMax={NAME_MAX}
            error={hasText(option.name) ? null : t("menuEditor.gaps.name")}
            onChange={(name) => change(option.key, { name })}
          />
          <LabelledPrice
            label={t("menuEditor.optionPrice")}
            currency={currency}
            minor={option.price_minor}
            edit={edit}
            onPrice={(price_minor) => change(option.key, { price_minor })}
          />
          <span className="menu-part-buttons">
            <Button
              variant="default"
              size="md"
              leftSection={<BinIcon size={18} />}
              onClick={() => onChange({ options: options.filter(({ key }) => key !== option.key) })}
            >
              {t("menuEditor.removeOption", { number: at + 1 })}
            </Button>
            <MoveButtons
              t={t}
              name={pick(option.name) || t("menuEditor.optionOf", { number: at + 1 })}
              onMove={(by) => onChange({ options: movedIn(options, at, by) })}
            />
          </span>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="md"
        leftSection={<PlusIcon size={18} />}
        disabled={options.length >= OPTIONS_MAX}
        onClick={() => onChange({ options: [...options, { key: newMenuKey("option"), name: {}, price_minor: minor(0) }] })}
      >
        {t("menuEditor.addOption")}
      </Button>
    </>
  );
};

/** One price, or sizes with a price each, of which one is offered first. */

import type { ItemValue } from "@comanda/contract/console/menu-editor.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, Radio, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { LabelledPrice, NAME_MAX, type SubjectFormProps } from "./form-parts.tsx";
import { type DraftDish, newMenuKey } from "./menu-draft.ts";
import { hasText } from "./menu-view.ts";

const SIZES_MAX = 20;

type DishSize = ItemValue["variants"][number];
type PriceOrSizesProps = SubjectFormProps<DraftDish> & { onChange: (part: Partial<ItemValue>) => void };

const newSize = (price_minor: Minor, is_default: boolean): DishSize => ({ key: newMenuKey("size"), name: {}, price_minor, is_default });

export const PriceOrSizes = (props: PriceOrSizesProps) => {
  const { t } = useTranslation();
  const { subject, edit, currency, onChange } = props;
  const { price_minor, variants } = subject.value;
  const standard = variants.find(({ is_default }) => is_default) ?? variants[0];
  const split = (hasSizes: boolean): void =>
    onChange(
      hasSizes
        ? { price_minor: null, variants: [newSize(price_minor ?? minor(0), true), newSize(price_minor ?? minor(0), false)] }
        : { price_minor: standard?.price_minor ?? null, variants: [] },
    );
  return (
    <>
      <Switch
        size="lg"
        label={t("menuEditor.hasSizes")}
        checked={variants.length > 0}
        onChange={({ currentTarget: { checked } }) => split(checked)}
      />
      {variants.length === 0 ? (
        <LabelledPrice
          label={t("menuEditor.price")}
          currency={currency}
          minor={price_minor}
          edit={edit}
          onPrice={(price) => onChange({ price_minor: price })}
        />
      ) : (
        <SizeRows {...props} />
      )}
    </>
  );
};

const SizeRows = ({ subject, edit, currency, languages, onChange }: PriceOrSizesProps) => {
  const { t } = useTranslation();
  const { variants } = subject.value;
  const change = (key: string, part: Partial<DishSize>): void =>
    onChange({ variants: variants.map((size) => (size.key === key ? { ...size, ...part } : size)) });
  /** The first of those that stay is offered first, when the one that was is taken out. */
  const remove = (key: string): void => {
    const rest = variants.filter((size) => size.key !== key);
    onChange({ variants: rest.some(({ is_default }) => is_default) ? rest : rest.map((size, at) => ({ ...size, is_default: at === 0 })) });
  };
  return (
    <>
      {variants.map((size, at) => (
        <fieldset key={size.key} className="menu-part">
          <legend>{t("menuEditor.sizeOf", { number: at + 1 })}</legend>
          <TranslationFields
            label={t("menuEditor.sizeName")}
            languages={languages}
            texts={size.name}
            saved={subject.saved?.variants.find(({ key }) => key === size.key)?.name}
            lengthMax={NAME_MAX}
            error={hasText(size.name) ? null : t("menuEditor.gaps.name")}
            onChange={(name) => change(size.key, { name })}
          />
          <LabelledPrice
            label={t("menuEditor.price")}
            currency={currency}
            minor={size.price_minor}
            edit={edit}
            onPrice={(price_minor) => change(size.key, { price_minor })}
          />
          <Radio
            size="md"
            name="standard-size"
            label={t("menuEditor.standardSize")}
            checked={size.is_default}
            onChange={() => onChange({ variants: variants.map((one) => ({ ...one, is_default: one.key === size.key })) })}
          />
          <Button
            variant="default"
            size="md"
            leftSection={<BinIcon size={18} />}
            disabled={variants.length === 1}
            onClick={() => remove(size.key)}
          >
            {t("menuEditor.removeSize", { number: at + 1 })}
          </Button>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="md"
        leftSection={<PlusIcon size={18} />}
        disabled={variants.length >= SIZES_MAX}
        onClick={() => onChange({ variants: [...variants, newSize(minor(0), false)] })}
      >
        {t("menuEditor.addSize")}
      </Button>
    </>
  );
};

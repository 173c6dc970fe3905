/** Adds an ingredient, or changes one: its name in languages, its par level in each branch, and whether dishes sell out with it. */
import type { IngredientDetails, IngredientValue, StockSheet } from "@comanda/contract/console/stock.ts";
import { STOCK_UNITS, type StockUnit } from "@comanda/contract/console/stock-kinds.ts";
import { Button, Group, NativeSelect, Skeleton, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { readQuantity } from "./quantities.ts";
import { ingredientQuery, stockKeys } from "./stock-queries.ts";

const NAME_LENGTH_MAX = 120;

type IngredientDialogProps = { sheet: StockSheet; id: number | null; onClose: () => void };

const NEW: IngredientValue = { name: {}, sku: "", unit: "kg", sells_out: false, par_levels: [] };

export const IngredientDialog = ({ sheet, id, onClose }: IngredientDialogProps) => {
  const { t } = useTranslation();
  const stored = useQuery({ ...ingredientQuery(useVenue(), id ?? 0), enabled: id !== null });
  return (
    <SideDialog isOpen onClose={onClose} title={t(id === null ? "stock.addTitle" : "stock.changeTitle")} size={480}>
      {stored.error && <ErrorAlert error={stored.error} onRetry={() => void stored.refetch()} />}
      {id !== null && stored.isPending && <Skeleton height={320} role="status" aria-label={t("common.loading")} />}
      {id === null && <IngredientForm sheet={sheet} stored={null} onClose={onClose} />}
      {stored.data && <IngredientForm key={stored.data.version} sheet={sheet} stored={stored.data} onClose={onClose} />}
    </SideDialog>
  );
};

type IngredientFormProps = { sheet: StockSheet; stored: IngredientDetails | null; onClose: () => void };

const useSave = ({ stored, onClose }: IngredientFormProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const saving = useWrite<"addIngredient" | "saveIngredient">({
    readAgain: stockKeys(venue),
    onDone: () => toast.done(t(stored === null ? "stock.added" : "stock.changed")),
    onClose,
  });
  const removing = useWrite<"removeIngredient">({
    readAgain: stockKeys(venue),
    onDone: () => toast.done(t("stock.removed")),
    onClose,
  });
  return {
    isSaving: saving.isPending,
    isRemoving: removing.isPending,
    save: (ingredient: IngredientValue): void =>
      saving.write(
        stored === null
          ? { id: "addIngredient", params: { venue }, body: { ingredient } }
          : { id: "saveIngredient", params: { venue, id: stored.id }, body: { seen_version: stored.version, ingredient } },
      ),
    remove: (id: number): void => removing.write({ id: "removeIngredient", params: { venue, id } }),
  };
};

type ParTexts = Record<string, string>;

const parTextsOf = ({ par_levels }: IngredientValue): ParTexts =>
  Object.fromEntries(par_levels.map(({ branch, level }) => [branch, String(level)]));

const IngredientForm = (props: IngredientFormProps) => {
  const { t } = useTranslation();
  const { sheet, stored, onClose } = props;
  const [value, setValue] = useState<IngredientValue>(stored?.value ?? NEW);
  const [pars, setPars] = useState<ParTexts>(parTextsOf(stored?.value ?? NEW));
  const { save, remove, isSaving, isRemoving } = useSave(props);
  const change = (part: Partial<IngredientValue>): void => setValue((before) => ({ ...before, ...part }));
  const written = Object.entries(pars).filter(([, text]) => text.trim() !== "");
  const par_levels = written.map(([branch, text]) => ({ branch, level: readQuantity(text) ?? 0 }));
  const isRight = Object.values(value.name).some(Boolean) && written.every(([, text]) => readQuantity(text) !== null);
  const languages = [...new Set([sheet.default_language, ...Object.keys(value.name)])];
  return (
    <Form
      onSubmit={() => {
        save({ ...value, par_levels });
      }}
    >
      <Stack gap="md">
        <TranslationFields
          label={t("stock.name")}
          languages={languages}
          texts={value.name}
          saved={stored?.value.name}
          lengthMax={NAME_LENGTH_MAX}
          onChange={(name) => change({ name })}
        />
        <IngredientFields value={value} isNew={stored === null} onChange={change} />
        <ParFields sheet={sheet} unit={value.unit} pars={pars} onChange={setPars} />
        <Group justify="space-between" gap="sm">
          {stored === null ? (
            <span />
          ) : (
            <Button variant="subtle" color="red" size="md" loading={isRemoving} onClick={() => remove(stored.id)}>
              {t("stock.remove")}
            </Button>
          )}
          <Group gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" disabled={!isRight} loading={isSaving}>
              {t("stock.save")}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Form>
  );
};

type IngredientFieldsProps = { value: IngredientValue; isNew: boolean; onChange: (part: Partial<IngredientValue>) => void };

const IngredientFields = ({ value, isNew, onChange }: IngredientFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t("stock.sku")}
        size="md"
        dir="auto"
        maxLength={60}
        autoComplete="off"
        value={value.sku}
        onChange={(event) => onChange({ sku: event.currentTarget.value })}
      />
      <NativeSelect
        label={t("stock.unit")}
        description={t(isNew ? "stock.unitHint" : "stock.unitStays")}
        size="md"
        disabled={!isNew}
        value={value.unit}
        onChange={(event) => onChange({ unit: event.currentTarget.value as StockUnit })}
        data={STOCK_UNITS.map((unit) => ({ value: unit, label: t(`stock.unitNames.${unit}`) }))}
      />
      <Switch
        label={t("stock.sellsOut")}
        description={t("stock.sellsOutHint")}
        size="md"
        checked={value.sells_out}
        onChange={(event) => onChange({ sells_out: event.currentTarget.checked })}
      />
    </>
  );
};

type ParFieldsProps = { sheet: StockSheet; unit: StockUnit; pars: ParTexts; onChange: (pars: ParTexts) => void };

const ParFields = ({ sheet, unit, pars, onChange }: ParFieldsProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return sheet.branches.map(({ key, name }, place) => (
    <TextInput
      key={key}
      label={sheet.branches.length === 1 ? t("stock.par") : t("stock.parOf", { branch: pick(name) })}
      description={place === 0 && t("stock.parHint")}
      size="md"
      dir="ltr"
      inputMode="decimal"
      autoComplete="off"
      className="figures"
      rightSection={t(`stock.units.${unit}`)}
      rightSectionWidth={80}
      error={Boolean(pars[key]?.trim()) && readQuantity(pars[key] ?? "") === null && t("stock.quantityWrong")}
      value={pars[key] ?? ""}
      onChange={(event) => onChange({ ...pars, [key]: event.currentTarget.value })}
    />
  ));
};

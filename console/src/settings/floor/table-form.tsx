/** What can be set for the table that is chosen on the plan. */
import type { TableShape } from "@comanda/contract/venue-file/restaurant.ts";
import { Button, Input, SegmentedControl, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon } from "#kit/icons.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { type DraftTable, type FloorDraft, SEATS_MAX } from "./floor-draft.ts";
import type { TableError } from "./floor-errors.ts";
import { TableJoins } from "./table-joins.tsx";

type TableFormProps = {
  draft: FloorDraft;
  table: DraftTable;
  errors: readonly TableError[];
  onChange: (change: Partial<DraftTable>) => void;
  onDraft: (draft: FloorDraft) => void;
  onRemove: () => void;
};

const SHAPES: readonly TableShape[] = ["square", "round", "long"];

/** An error whose field has no input is shown under the title. */
const FIELDS: readonly string[] = ["name", "seats", "code", "is_active"];

export const TableForm = ({ draft, table, errors, onChange, onDraft, onRemove }: TableFormProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  const translate = useErrorTranslation();
  const say = ({ booked, sentence }: TableError): string => (booked === null ? translate(sentence) : t("booked", { count: booked }));
  const errorOf = (field: string): string | null => errors.filter((one) => one.field === field).map(say)[0] ?? null;
  const others = errors.filter(({ field }) => !FIELDS.includes(field)).map(say);
  return (
    <Stack gap="md" className="sheet floor-form">
      <Title order={2} className="item-title">
        <bdi>{t("tableOf", { name: table.name })}</bdi>
      </Title>
      {others.map((sentence) => (
        <Input.Error key={sentence} role="alert" size="md">
          {sentence}
        </Input.Error>
      ))}
      <NameFields key={table.id} table={table} errorOf={errorOf} onChange={onChange} />
      <Input.Wrapper label={t("shape")} labelElement="div">
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t("shape")}
          value={table.shape}
          data={SHAPES.map((value) => ({ value, label: t(`shapes.${value}`) }))}
          onChange={(value) => onChange({ shape: SHAPES.find((shape) => shape === value) ?? "square" })}
        />
      </Input.Wrapper>
      <TextInput
        label={t("code")}
        description={t("codeHint")}
        size="md"
        dir="ltr"
        maxLength={60}
        autoComplete="off"
        value={table.code ?? ""}
        error={errorOf("code")}
        onChange={({ currentTarget: { value } }) => onChange({ code: value === "" ? null : value })}
      />
      <Switch
        size="lg"
        label={t("active")}
        description={t("activeHint")}
        checked={table.is_active}
        error={errorOf("is_active")}
        onChange={({ currentTarget: { checked } }) => onChange({ is_active: checked })}
      />
      <TableJoins draft={draft} table={table} onDraft={onDraft} />
      <Button variant="default" size="md" className="bad" leftSection={<BinIcon size={18} />} onClick={onRemove}>
        {t("remove")}
      </Button>
    </Stack>
  );
};

type NameFieldsProps = Pick<TableFormProps, "table" | "onChange"> & { errorOf: (field: string) => string | null };

const NameFields = ({ table, errorOf, onChange }: NameFieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  return (
    <>
      <TextInput
        label={t("name")}
        description={t("nameHint")}
        size="md"
        dir="auto"
        maxLength={60}
        autoComplete="off"
        value={table.name}
        error={table.name.trim() === "" ? t("nameMissing") : errorOf("name")}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      <NumberField
        label={t("seats")}
        min={1}
        max={SEATS_MAX}
        value={table.seats}
        error={errorOf("seats")}
        onChange={(seats) => onChange({ seats })}
      />
    </>
  );
};

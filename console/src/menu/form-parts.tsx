/** Parts that the forms of the menu share. */
import type { Minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { Button, Input, Stack, Switch } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { HoursFields } from "#kit/hours-fields.tsx";
import { BinIcon, ChevronIcon } from "#kit/icons.tsx";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { hasText } from "./menu-view.ts";
import { PriceField } from "./price-field.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

/** What every form of a subject gets. */
export type SubjectFormProps<Subject> = {
  subject: Subject;
  edit: MenuEditing;
  languages: readonly string[];
  currency: string;
  onClose: () => void;
};

export const NAME_MAX = 255;

const FIRST_PERIOD: Hours[number] = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "11:00", to: "15:00" };

type NameFieldProps = {
  languages: readonly string[];
  name: Translations;
  saved: Translations | undefined;
  onChange: (name: Translations) => void;
};

/** Every subject of the menu has a name in one language at least. */
export const NameField = ({ languages, name, saved, onChange }: NameFieldProps) => {
  const { t } = useTranslation();
  return (
    <TranslationFields
      label={t("menuEditor.name")}
      languages={languages}
      texts={name}
      saved={saved}
      lengthMax={NAME_MAX}
      error={hasText(name) ? null : t("menuEditor.gaps.name")}
      onChange={onChange}
    />
  );
};

export const OwnHours = ({ hours, onChange }: { hours: Hours | null; onChange: (hours: Hours | null) => void }) => {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        size="lg"
        label={t("menuEditor.ownHours")}
        description={t("menuEditor.ownHoursHint")}
        checked={hours !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? [FIRST_PERIOD] : null)}
      />
      {hours && <HoursFields hours={hours} path="hours" errors={{}} noneText={t("menuEditor.gaps.hours")} onChange={onChange} />}
    </>
  );
};

type LabelledPriceProps = { label: string; currency: string; minor: Minor | null; edit: MenuEditing; onPrice: (price: Minor) => void };

/** A price with its label above it, as the other fields of a form have it. */
export const LabelledPrice = ({ label, currency, minor, edit, onPrice }: LabelledPriceProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Input.Wrapper label={`${label} (${currency})`} labelElement="div" size="md">
      <PriceField
        id={id}
        label={`${label} (${currency})`}
        currency={currency}
        wrongText={t("menuEditor.priceWrong")}
        minor={minor}
        onPrice={onPrice}
        onWrong={edit.markPrice}
      />
    </Input.Wrapper>
  );
};

type ChosenRow = { id: string; label: string };
type ChosenRowsProps = { rows: readonly ChosenRow[]; onRemove: (id: string) => void; onMove?: (id: string, by: -1 | 1) => void };

/** What was chosen from a list, each with a button that takes it out, and its place when the order counts. */
export const ChosenRows = ({ rows, onRemove, onMove }: ChosenRowsProps) => {
  const { t } = useTranslation();
  return (
    <ul className="menu-chosen-rows">
      {rows.map(({ id, label }) => (
        <li key={id}>
          <span className="grow" dir="auto">
            {label}
          </span>
          {onMove &&
            ([-1, 1] as const).map((by) => (
              <button
                key={by}
                type="button"
                className="menu-icon-button"
                aria-label={t(by === -1 ? "menuEditor.moveUp" : "menuEditor.moveDown", { name: label })}
                onClick={() => onMove(id, by)}
              >
                <span className={by === -1 ? "turn turned" : "turn"}>
                  <ChevronIcon size={20} />
                </span>
              </button>
            ))}
          <button
            type="button"
            className="menu-icon-button"
            aria-label={t("menuEditor.takeOut", { name: label })}
            onClick={() => onRemove(id)}
          >
            <BinIcon size={18} />
          </button>
        </li>
      ))}
    </ul>
  );
};

/** One place up or down; the ends stay. */
export const movedIn = <T,>(rows: readonly T[], from: number, by: -1 | 1): T[] => {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row !== undefined) next.splice(Math.max(0, from + by), 0, row);
  return next;
};

type FormFrameProps = { children: ReactNode; removeLabel: string; removeHint?: string | null; onRemove: () => void; onClose: () => void };

/** The fields change the draft at once; the bar of the page saves it. */
export const FormFrame = ({ children, removeLabel, removeHint = null, onRemove, onClose }: FormFrameProps) => {
  const { t } = useTranslation();
  return (
    <Stack gap="md" className="menu-form">
      {children}
      <Button size="md" onClick={onClose}>
        {t("menuEditor.doneButton")}
      </Button>
      <Input.Wrapper description={removeHint}>
        <Button
          fullWidth
          variant="default"
          size="md"
          className="bad"
          leftSection={<BinIcon size={18} />}
          disabled={removeHint !== null}
          onClick={onRemove}
        >
          {removeLabel}
        </Button>
      </Input.Wrapper>
    </Stack>
  );
};

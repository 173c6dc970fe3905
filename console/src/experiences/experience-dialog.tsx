/** Adds an experience, or changes one: its name and description in languages, the price of a ticket, the branch, whether it is sold. */

import type { ExperienceDesk, ExperienceDetails, ExperienceValue } from "@comanda/contract/console/experiences.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Button, Group, NativeSelect, Skeleton, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readPrice, writePrice } from "#kit/amounts.ts";
import { OFFERED_LANGUAGES } from "#kit/code-names.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { SideDialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { languageName, TranslationFields } from "#kit/translation-fields.tsx";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys, experienceQuery } from "./experience-queries.ts";

const NAME_LENGTH_MAX = 255;
const DESCRIPTION_LENGTH_MAX = 5000;

type ExperienceDialogProps = { desk: ExperienceDesk; id: number | null; onClose: () => void };

export const ExperienceDialog = ({ desk, id, onClose }: ExperienceDialogProps) => {
  const { t } = useTranslation();
  const stored = useQuery({ ...experienceQuery(useVenue(), id ?? 0), enabled: id !== null });
  return (
    <SideDialog isOpen onClose={onClose} title={t(id === null ? "experiences.addTitle" : "experiences.changeTitle")} size={480}>
      {stored.error && <ErrorAlert error={stored.error} onRetry={() => void stored.refetch()} />}
      {id !== null && stored.isPending && <Skeleton height={320} role="status" aria-label={t("common.loading")} />}
      {id === null && <ExperienceForm desk={desk} stored={null} onClose={onClose} />}
      {stored.data && <ExperienceForm key={stored.data.version} desk={desk} stored={stored.data} onClose={onClose} />}
    </SideDialog>
  );
};

type ExperienceFormProps = { desk: ExperienceDesk; stored: ExperienceDetails | null; onClose: () => void };

const useSave = ({ stored, onClose }: ExperienceFormProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"addExperience" | "saveExperience">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(t(stored === null ? "experiences.added" : "experiences.changed")),
    onClose,
  });
  return {
    isPending,
    save: (experience: ExperienceValue): void =>
      write(
        stored === null
          ? { id: "addExperience", params: { venue }, body: { experience } }
          : { id: "saveExperience", params: { venue, id: stored.id }, body: { seen_version: stored.version, experience } },
      ),
  };
};

const hasText = (texts: ExperienceValue["description"]): boolean => texts !== null && Object.values(texts).some(Boolean);

const ExperienceForm = (props: ExperienceFormProps) => {
  const { t } = useTranslation();
  const { desk, stored, onClose } = props;
  const [value, setValue] = useState<ExperienceValue>(
    stored?.value ?? { name: {}, description: null, price_minor: minor(0), branch: desk.branches[0]?.key ?? "", is_active: true },
  );
  const [price, setPrice] = useState(stored === null ? "" : writePrice(stored.value.price_minor, desk.currency));
  const [added, setAdded] = useState<readonly string[]>([]);
  const { save, isPending } = useSave(props);
  const change = (part: Partial<ExperienceValue>): void => setValue((before) => ({ ...before, ...part }));
  const price_minor = readPrice(price, desk.currency);
  const languages = [...new Set([desk.default_language, ...Object.keys(value.name), ...Object.keys(value.description ?? {}), ...added])];
  return (
    <Form
      onSubmit={() => {
        save({ ...value, price_minor: price_minor ?? minor(0), description: hasText(value.description) ? value.description : null });
      }}
    >
      <Stack gap="md">
        <Languages languages={languages} value={value} stored={stored} onChange={change} onAdd={(code) => setAdded([...added, code])} />
        <TextInput
          label={t("experiences.price")}
          description={t("experiences.priceHint")}
          error={price !== "" && price_minor === null && t("experiences.priceWrong")}
          size="md"
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          rightSection={desk.currency}
          rightSectionWidth={64}
          value={price}
          onChange={(event) => setPrice(event.currentTarget.value)}
        />
        <PlaceFields desk={desk} value={value} onChange={change} />
        <Group justify="space-between" gap="sm">
          {stored === null ? <span /> : <RemoveButton stored={stored} onClose={onClose} />}
          <Group gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" disabled={price_minor === null || !hasText(value.name)} loading={isPending}>
              {t("experiences.save")}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Form>
  );
};

type LanguagesProps = {
  languages: readonly string[];
  value: ExperienceValue;
  stored: ExperienceDetails | null;
  onChange: (part: Partial<ExperienceValue>) => void;
  onAdd: (language: string) => void;
};

const Languages = ({ languages, value, stored, onChange, onAdd }: LanguagesProps) => {
  const { t } = useTranslation();
  return (
    <>
      <TranslationFields
        label={t("experiences.name")}
        languages={languages}
        texts={value.name}
        saved={stored?.value.name}
        lengthMax={NAME_LENGTH_MAX}
        onChange={(name) => onChange({ name })}
      />
      <TranslationFields
        label={t("experiences.description")}
        languages={languages}
        texts={value.description ?? {}}
        saved={stored?.value.description}
        lengthMax={DESCRIPTION_LENGTH_MAX}
        isLong
        onChange={(description) => onChange({ description })}
      />
      <NativeSelect
        size="md"
        label={t("experiences.addLanguage")}
        value=""
        data={[
          { value: "", label: t("experiences.chooseLanguage") },
          ...OFFERED_LANGUAGES.filter((code) => !languages.includes(code)).map((code) => ({ value: code, label: languageName(code) })),
        ]}
        onChange={({ currentTarget: { value: code } }) => code !== "" && onAdd(code)}
      />
    </>
  );
};

type PlaceFieldsProps = { desk: ExperienceDesk; value: ExperienceValue; onChange: (part: Partial<ExperienceValue>) => void };

const PlaceFields = ({ desk, value, onChange }: PlaceFieldsProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <>
      {desk.branches.length > 1 && (
        <NativeSelect
          label={t("experiences.branch")}
          size="md"
          value={value.branch}
          onChange={(event) => onChange({ branch: event.currentTarget.value })}
          data={desk.branches.map(({ key, name }) => ({ value: key, label: pick(name) }))}
        />
      )}
      <Switch
        label={t("experiences.isActive")}
        description={t("experiences.isActiveHint")}
        size="md"
        checked={value.is_active}
        onChange={(event) => onChange({ is_active: event.currentTarget.checked })}
      />
    </>
  );
};

const RemoveButton = ({ stored, onClose }: { stored: ExperienceDetails; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const pick = useLocalizedName();
  const [isAsked, setAsked] = useState(false);
  const { write, isPending } = useWrite<"removeExperience">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(t("experiences.removed")),
    onClose,
  });
  return (
    <>
      <Button variant="default" size="md" onClick={() => setAsked(true)}>
        {t("experiences.remove")}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={t("experiences.removeTitle", { name: pick(stored.value.name) })}
        lead={t("experiences.removeLead")}
        action={t("experiences.remove")}
        isPending={isPending}
        onConfirm={() => write({ id: "removeExperience", params: { venue, id: stored.id }, body: { seen_version: stored.version } })}
        onClose={() => setAsked(false)}
      />
    </>
  );
};

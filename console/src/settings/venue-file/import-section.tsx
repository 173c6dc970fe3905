/** Choose a file, see what it would change, put it in, and put the former venue back. */
import { Alert, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldErrors } from "#kit/error-text.ts";
import { CheckIcon, WarningIcon } from "#kit/icons.tsx";
import { saveFile } from "#kit/save-file.ts";
import { useToast } from "#kit/toast.ts";
import { readChanged } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { SettingSection } from "../setting-section.tsx";
import { ComparisonList } from "./comparison-list.tsx";
import { FaultList } from "./fault-list.tsx";
import { type ComparedFile, compareFile, FILE_LENGTH_MAX, useImportFile, type VenueExport } from "./venue-file-query.ts";

type ChosenFile = { name: string; text: string };
type DoneImport = { version: string; former: VenueExport };

export const ImportSection = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [isTooLong, setTooLong] = useState(false);
  const [done, setDone] = useState<DoneImport | null>(null);
  const comparing = useMutation({ mutationFn: ({ name, text }: ChosenFile) => compareFile(venue, name, text) });
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return;
    setDone(null);
    comparing.reset();
    const text = await file.text();
    setTooLong(text.length > FILE_LENGTH_MAX);
    setChosen({ name: file.name, text });
    if (text.length <= FILE_LENGTH_MAX) comparing.mutate({ name: file.name, text });
  };
  const finish = (version: string, former: VenueExport): void => {
    setDone({ version, former });
    setChosen(null);
    comparing.reset();
    toast.done(t("venueFile.done"));
  };
  const isFaulty = Object.keys(fieldErrors(comparing.error)).length > 0;
  return (
    <SettingSection title={t("venueFile.import")} lead={t("venueFile.importHint")}>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => void choose(file)}
        inputProps={{ "aria-label": t("venueFile.choose") }}
      >
        {(props) => (
          <Button {...props} size="md" variant="default" className="setting-add" loading={comparing.isPending}>
            {t("venueFile.choose")}
          </Button>
        )}
      </FileButton>
      {isTooLong && (
        <Text role="alert" className="bad">
          {t("venueFile.tooLong")}
        </Text>
      )}
      {chosen && isFaulty && <FaultList fileName={chosen.name} text={chosen.text} error={comparing.error} />}
      {comparing.error && !isFaulty && <ErrorAlert error={comparing.error} />}
      {chosen && comparing.data && (
        <ComparedImport
          compared={comparing.data}
          onDone={(version) => finish(version, comparing.data.former)}
          onAgain={() => comparing.mutate(chosen)}
          onCancel={() => {
            setChosen(null);
            comparing.reset();
          }}
        />
      )}
      {done && <FormerVenue done={done} onDone={() => setDone(null)} />}
    </SettingSection>
  );
};

type ComparedImportProps = { compared: ComparedFile; onDone: (version: string) => void; onAgain: () => void; onCancel: () => void };

const ComparedImport = ({ compared, onDone, onAgain, onCancel }: ComparedImportProps) => {
  const { t } = useTranslation();
  const { fileName, text, comparison, former } = compared;
  const { put, isPending, error } = useImportFile(useVenue(), onDone);
  const isStale = readChanged(error) !== null;
  return (
    <Stack gap="md">
      <ComparisonList fileName={fileName} comparison={comparison} />
      {isStale && (
        <Alert color="orange" icon={<WarningIcon />} role="alert">
          <Stack gap="sm" align="flex-start">
            <Text size="sm" c="inherit">
              {t("venueFile.stale")}
            </Text>
            <Button size="md" variant="default" onClick={onAgain}>
              {t("venueFile.again")}
            </Button>
          </Stack>
        </Alert>
      )}
      {error && !isStale && <ErrorAlert error={error} />}
      <Group justify="flex-end" gap="sm">
        <Button size="md" variant="default" disabled={isPending} onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button size="md" loading={isPending} disabled={isStale || comparison.areas.length === 0} onClick={() => put(former.version, text)}>
          {t("venueFile.apply")}
        </Button>
      </Group>
    </Stack>
  );
};

const FormerVenue = ({ done: { version, former }, onDone }: { done: DoneImport; onDone: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { put, isPending, error } = useImportFile(venue, () => {
    onDone();
    toast.done(t("venueFile.putBack"));
  });
  return (
    <Alert color="green" icon={<CheckIcon />} role="status" title={t("venueFile.done")}>
      <Stack gap="sm">
        <Text size="sm" c="inherit">
          {t("venueFile.formerHint")}
        </Text>
        {error && (readChanged(error) ? <Text role="alert">{t("venueFile.putBackStale")}</Text> : <ErrorAlert error={error} />)}
        <Group gap="sm">
          <Button size="md" variant="default" onClick={() => saveFile(`${venue}-former.json`, former.text)}>
            {t("venueFile.downloadFormer")}
          </Button>
          <Button size="md" variant="default" loading={isPending} onClick={() => put(version, former.text)}>
            {t("venueFile.undo")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};

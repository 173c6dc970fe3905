/** The venue as a file: download it, or see what another file would change and put that in. */
import "./venue-file.css";
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { FileIcon, ShieldIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { saveFile } from "#kit/save-file.ts";
import { useToast } from "#kit/toast.ts";
import { Page } from "#shell/page.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { SettingSection } from "../setting-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { enVenueFile } from "./texts.en.ts";
import { exportVenue } from "./venue-file-query.ts";

addEnglishTexts(enVenueFile);

export const VenueFilePage = () => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  if (!isOwner)
    return (
      <div className="page">
        <EmptyState icon={<ShieldIcon size={28} />} title={t("venueFile.title")} isWholePage>
          <Text c="dimmed">{t("venueFile.ownersOnly")}</Text>
        </EmptyState>
      </div>
    );
  return (
    <Page title={t("venueFile.title")} name={t("venueFile.title")} lead={t("venueFile.lead")} isNarrow>
      <Stack gap="lg">
        <ExportSection />
        <ImportSection />
      </Stack>
    </Page>
  );
};

const ExportSection = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => exportVenue(venue),
    onSuccess: ({ text }) => saveFile(`${venue}.json`, text),
    onError: toast.error,
  });
  return (
    <SettingSection title={t("venueFile.export")} lead={t("venueFile.exportHint")}>
      <Button size="md" className="setting-add" leftSection={<FileIcon size={18} />} loading={isPending} onClick={() => mutate()}>
        {t("venueFile.download")}
      </Button>
    </SettingSection>
  );
};

/** Screens: what devices a venue has paired. Managers pair, change and end them. */
import "./screens.css";
import type { Screen, Screens } from "@comanda/contract/console/screens.ts";
import { Button, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { PlusIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { ScreenPicture } from "#screen/screen-picture.tsx";
import { enScreens } from "#screen/texts.en.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { ChangeScreen } from "./change-screen.tsx";
import { EndScreen } from "./end-screen.tsx";
import { HowToPair, PairScreen } from "./pair-screen.tsx";
import { ScreenItem } from "./screen-item.tsx";
import { screensQuery } from "./screens-query.ts";

addEnglishTexts(enScreens);

export const ScreensPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("screens.title")} lead="venues.settingsOnly">
      <ScreensOfVenue />
    </RoleGuard>
  );
};

const ScreensOfVenue = () => {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery(useVenue()));
  const [isPairing, pairing] = useDisclosure(false);
  const pair = (
    <Button className="screens-pair" leftSection={<PlusIcon size={18} />} onClick={pairing.open} disabled={!screens.data}>
      {t("screens.pair")}
    </Button>
  );
  const isEmpty = screens.data?.screens.length === 0;
  return (
    <Page title={t("screens.title")} name={t("screens.title")} lead={t("screens.lead")} action={isEmpty ? null : pair}>
      {screens.isPending && <Skeleton height={280} radius="lg" role="status" aria-label={t("common.loading")} />}
      {screens.error && <ErrorAlert error={screens.error} onRetry={() => void screens.refetch()} />}
      {isEmpty && <NoScreens action={pair} />}
      {screens.data && !isEmpty && <ScreenList listed={screens.data} />}
      {screens.data && <PairScreen isOpen={isPairing} listed={screens.data} onClose={pairing.close} />}
    </Page>
  );
};

const NoScreens = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<ScreenPicture />} title={t("screens.emptyTitle")}>
      <Text c="dimmed" maw={520} className="lead">
        {t("screens.emptyLead")}
      </Text>
      {action}
      <HowToPair />
    </EmptyState>
  );
};

const ScreenList = ({ listed }: { listed: Screens }) => {
  const [changing, setChanging] = useState<Screen | null>(null);
  const [ending, setEnding] = useState<Screen | null>(null);
  return (
    <>
      <ul className="sheet screen-list">
        {listed.screens.map((screen) => (
          <ScreenItem
            key={screen.id}
            screen={screen}
            branches={listed.branches}
            onChange={() => setChanging(screen)}
            onEnd={() => setEnding(screen)}
          />
        ))}
      </ul>
      <ChangeScreen screen={changing} listed={listed} onClose={() => setChanging(null)} />
      <EndScreen screen={ending} onClose={() => setEnding(null)} />
    </>
  );
};

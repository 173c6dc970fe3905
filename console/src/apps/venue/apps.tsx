import "#developer/developer-texts.ts";
import "../apps.css";
import "./apps.css";
import type { InstalledApp } from "@comanda/contract/console/apps.ts";
import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { AppsIcon, ShieldIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { LogSkeleton } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsOwner, useVenue, useVenueName } from "#shell/venue.ts";
import { catalogueQuery, installedQuery } from "../app-queries.ts";
import { enApps } from "../texts.en.ts";
import { Catalogue } from "./catalogue.tsx";
import { InstalledItem } from "./installed-item.tsx";
import { Uninstall } from "./uninstall.tsx";

addEnglishTexts(enApps);

export const Apps = () => {
  const { t } = useTranslation();
  const name = useVenueName();
  const isOwner = useIsOwner();
  return (
    <Page
      title={t("apps.title")}
      name={t("apps.title")}
      lead={<Trans t={t} i18nKey="apps.lead" values={{ venue: name }} components={{ bdi: <bdi /> }} />}
    >
      {!isOwner && (
        <Alert color="gray" icon={<ShieldIcon />}>
          {t("apps.ownersOnly")}
        </Alert>
      )}
      <Installed />
      <Catalogue />
    </Page>
  );
};

const Installed = () => {
  const { t } = useTranslation();
  const installed = useQuery(installedQuery(useVenue()));
  const [leaving, setLeaving] = useState<InstalledApp | null>(null);
  return (
    <Stack gap="sm" component="section" aria-labelledby="apps-installed">
      <h2 className="part-title" id="apps-installed">
        {t("apps.installed")}
      </h2>
      {installed.isPending && <LogSkeleton rows={2} height={110} />}
      {installed.error && <ErrorAlert error={installed.error} onRetry={() => void installed.refetch()} />}
      {installed.data?.length === 0 && <NoApps />}
      {installed.data && installed.data.length > 0 && (
        <ul className="sheet app-list">
          {installed.data.map((installation) => (
            <InstalledItem key={installation.id} installation={installation} onUninstall={() => setLeaving(installation)} />
          ))}
        </ul>
      )}
      <Uninstall installation={leaving} onClose={() => setLeaving(null)} />
    </Stack>
  );
};

const NoApps = () => {
  const { t } = useTranslation();
  const { data: catalogue = [] } = useQuery(catalogueQuery(useVenue()));
  return (
    <EmptyState icon={<AppsIcon size={28} />} title={t("apps.emptyTitle")}>
      <Text c="dimmed" maw={520}>
        {t(catalogue.length > 0 ? "apps.emptyLead" : "apps.emptyLeadAlone")}
      </Text>
    </EmptyState>
  );
};

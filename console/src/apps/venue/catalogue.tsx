import type { CatalogueApp } from "@comanda/contract/console/apps.ts";
import { Badge, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { BookIcon, CheckIcon } from "#kit/icons.tsx";
import { LogSkeleton } from "#shell/log-pages.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { AppHead, hostOf } from "../app-head.tsx";
import { catalogueQuery } from "../app-queries.ts";
import { isSensitive, sortScopes } from "../sensitive-scopes.ts";

export const Catalogue = () => {
  const { t } = useTranslation();
  const catalogue = useQuery(catalogueQuery(useVenue()));
  return (
    <Stack gap="sm" component="section" aria-labelledby="apps-catalogue">
      <div>
        <h2 className="part-title" id="apps-catalogue">
          {t("apps.catalogue")}
        </h2>
        {catalogue.data && catalogue.data.length > 0 && (
          <Text size="sm" c="dimmed">
            {t("apps.catalogueLead")}
          </Text>
        )}
      </div>
      {catalogue.isPending && <LogSkeleton rows={2} height={110} />}
      {catalogue.error && <ErrorAlert error={catalogue.error} onRetry={() => void catalogue.refetch()} />}
      {catalogue.data?.length === 0 && <NoCatalogue />}
      {catalogue.data && catalogue.data.length > 0 && (
        <ul className="app-cards">
          {catalogue.data.map((app) => (
            <CatalogueCard key={app.client_id} app={app} />
          ))}
        </ul>
      )}
    </Stack>
  );
};

const CatalogueCard = ({ app }: { app: CatalogueApp }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  const host = hostOf(app.install_url);
  return (
    <li className="sheet app-card">
      <AppHead app={app} />
      <Text dir="auto" className="break">
        {app.summary}
      </Text>
      <details className="more">
        <summary>{t("apps.could")}</summary>
        <ul className="plain-list">
          {sortScopes(app.scopes).map((scope) => (
            <li key={scope}>
              {t(`scopes.${scope}`)}{" "}
              {isSensitive(scope) && (
                <Badge color="orange" size="sm">
                  {t("consent.sensitive")}
                </Badge>
              )}
            </li>
          ))}
        </ul>
      </details>
      <div className="app-install">
        {app.is_installed ? (
          <Badge color="green" size="lg" leftSection={<CheckIcon size={14} />}>
            {t("apps.isInstalled")}
          </Badge>
        ) : (
          isOwner && (
            <>
              <Button
                size="sm"
                variant="default"
                component="a"
                href={app.install_url}
                aria-label={t("apps.installNamed", { name: app.name, host })}
              >
                {t("apps.install")}
              </Button>
              <span className="hint break">{t("apps.leadsTo", { host })}</span>
            </>
          )
        )}
      </div>
    </li>
  );
};

const NoCatalogue = () => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<BookIcon size={28} />} title={t("apps.catalogueEmptyTitle")}>
      <Text c="dimmed" maw={520}>
        {t("apps.catalogueEmptyLead")}
      </Text>
      <Button variant="default" renderRoot={(props) => <Link to="/apps" {...props} />}>
        {t("apps.build")}
      </Button>
    </EmptyState>
  );
};

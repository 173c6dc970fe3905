import type { AppCard } from "@comanda/contract/console/apps.ts";
import { Alert, Badge, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { ShieldIcon, WarningIcon } from "#kit/icons.tsx";
import { AppLogo, hostOf } from "../app-head.tsx";

export const ConsentApp = ({ app }: { app: AppCard }) => {
  const { t } = useTranslation();
  const host = hostOf(app.site);
  return (
    <section className="consent-app">
      <div className="consent-app-head">
        <AppLogo app={app} size={64} />
        <div className="grow">
          <h1 className="consent-title">
            <Trans t={t} i18nKey="consent.title" values={{ app: app.name }} components={{ bdi: <bdi /> }} />
          </h1>
          <p className="app-developer">
            <span>
              <Trans t={t} i18nKey="consent.by" values={{ developer: app.developer }} components={{ bdi: <bdi /> }} />
            </span>
            <a className="link" href={app.site} target="_blank" rel="noreferrer" aria-label={t("consent.site", { host })}>
              <bdi className="host">{host}</bdi>
            </a>
          </p>
        </div>
      </div>
      <Text dir="auto" className="break">
        {app.summary}
      </Text>
      {app.is_listed ? (
        <Badge color="green" size="lg" leftSection={<ShieldIcon size={15} />} className="start">
          {t("consent.listed")}
        </Badge>
      ) : (
        <Alert color="orange" icon={<WarningIcon />} title={t("consent.unlistedTitle")}>
          {t("consent.unlisted")}
        </Alert>
      )}
    </section>
  );
};

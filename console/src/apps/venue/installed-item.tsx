import type { InstalledApp } from "@comanda/contract/console/apps.ts";
import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Trans, useTranslation } from "react-i18next";
import { ScopePills } from "#developer/scope-pills.tsx";
import { sumDay } from "#developer/token-queries.ts";
import { BinIcon, ListIcon } from "#kit/icons.tsx";
import { nameWithEmail } from "#kit/localized-name.ts";
import { formatRelativeTime, RelativeTime, useNow } from "#kit/relative-time.tsx";
import { Sparkline } from "#kit/sparkline.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { AppHead } from "../app-head.tsx";

type InstalledItemProps = { installation: InstalledApp; onUninstall: () => void };

export const InstalledItem = ({ installation, onUninstall }: InstalledItemProps) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  return (
    <li className="app-item">
      <AppHead app={installation.app} />
      <ScopePills scopes={installation.scopes} />
      <Day hours={installation.hours} />
      <Dates installation={installation} />
      <div className="app-actions">
        <Requests installation={installation} />
        {isOwner && (
          <Button
            variant="subtle"
            size="compact-sm"
            c="var(--mantine-color-error)"
            leftSection={<BinIcon size={15} />}
            aria-label={t("apps.uninstallNamed", { name: installation.app.name })}
            onClick={onUninstall}
          >
            {t("apps.uninstall")}
          </Button>
        )}
      </div>
    </li>
  );
};

const Day = ({ hours }: Pick<InstalledApp, "hours">) => {
  const { t } = useTranslation();
  const { requests, errors, limited } = sumDay(hours);
  const words = { requests: t("tokens.requests", { count: requests }), errors: t("tokens.errors", { count: errors }) };
  return (
    <div className="token-day">
      <Sparkline hours={hours} label={t("tokens.chart", words)} />
      <Text size="xs" c="dimmed" className="figures">
        {requests === 0 ? t("tokens.quiet") : words.requests}
        {errors > 0 && <span className="bad"> · {words.errors}</span>}
        {limited > 0 && <span className="bad"> · {t("tokens.limited", { count: limited })}</span>}
      </Text>
    </div>
  );
};

const Dates = ({ installation }: { installation: InstalledApp }) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <dl className="token-dates">
      <div>
        <dt>{t("tokens.lastUsed")}</dt>
        <dd>
          <RelativeTime at={installation.last_used_at} />
        </dd>
      </div>
      <div>
        <dt>{t("apps.granted")}</dt>
        <dd>
          <Trans
            t={t}
            i18nKey="apps.grantedBy"
            values={{
              name: nameWithEmail(installation.granted_by, installation.granted_by_email),
              when: formatRelativeTime(installation.granted_at, now),
            }}
            components={{ bdi: <bdi /> }}
          />
        </dd>
      </div>
    </dl>
  );
};

const SHOWN_MAX = 3;

/** Each connection of an app has its own token id, which renewal keeps. The newest comes first. */
const Requests = ({ installation: { app, token_ids } }: { installation: InstalledApp }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  if (token_ids.length === 0) return <span className="hint">{t("apps.noRequests")}</span>;
  return token_ids.slice(0, SHOWN_MAX).map((token, place) => (
    <Button
      key={token}
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<ListIcon size={15} />}
      {...(place === 0 ? { "aria-label": t("apps.requestsOfNamed", { name: app.name }) } : {})}
      renderRoot={(props) => <Link to="/v/$venue/requests" params={{ venue }} search={{ token }} {...props} />}
    >
      {place === 0 ? t("apps.requestsOf") : t("apps.requestsOlder", { number: token_ids.length - place })}
    </Button>
  ));
};

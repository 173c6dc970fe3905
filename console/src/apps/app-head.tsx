import type { AppCard } from "@comanda/contract/console/apps.ts";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";

/** Decorative, because the name is beside it. Without a logo it shows the first letter of the name. */
export const AppLogo = ({ app, size = 44 }: { app: { name: string; logo: string | null }; size?: 44 | 64 }) =>
  app.logo === null ? (
    <span className={`app-logo app-logo-${size} app-initial`} aria-hidden="true">
      {[...app.name.trim()][0]?.toUpperCase() ?? ""}
    </span>
  ) : (
    <img className={`app-logo app-logo-${size}`} src={app.logo} alt="" width={size} height={size} />
  );

/** The host of a URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

type AppHeadProps = { app: Pick<AppCard, "name" | "developer" | "site" | "logo">; heading?: "h2" | "h3"; mark?: ReactNode };

/** The logo, name, developer and site of an app in a list. */
export const AppHead = ({ app, heading: Heading = "h3", mark }: AppHeadProps) => {
  const { t } = useTranslation();
  const host = hostOf(app.site);
  return (
    <div className="app-head">
      <AppLogo app={app} />
      <div className="app-names">
        <Heading className="item-title break" dir="auto">
          {app.name}
        </Heading>
        <p className="app-developer">
          <span>
            <Trans t={t} i18nKey="consent.by" values={{ developer: app.developer }} components={{ bdi: <bdi /> }} />
          </span>
        </p>
        <a className="link app-site" href={app.site} target="_blank" rel="noreferrer" aria-label={t("apps.site", { host })}>
          <bdi className="host">{host}</bdi>
        </a>
        {mark}
      </div>
    </div>
  );
};

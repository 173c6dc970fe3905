import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { ActionIcon, Badge, Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ScopePills } from "#developer/scope-pills.tsx";
import { CopyId } from "#kit/copy-id.tsx";
import { BinIcon, DotsIcon, EditIcon, RollIcon } from "#kit/icons.tsx";
import { formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { AppHead } from "../app-head.tsx";

type MyAppAction = "edit" | "roll" | "withdraw";

export const MyAppItem = ({ app, onDo }: { app: OwnApp; onDo: (what: MyAppAction) => void }) => (
  <section className="sheet my-app" aria-label={app.name}>
    <div className="my-app-head">
      <AppHead app={app} heading="h2" mark={<Marks app={app} />} />
      <Actions app={app} onDo={onDo} />
    </div>
    <Facts app={app} />
    <ScopePills scopes={app.scopes} />
  </section>
);

const Marks = ({ app }: { app: OwnApp }) => {
  const { t } = useTranslation();
  return (
    <div className="my-app-marks">
      <Badge color={app.is_listed ? "green" : "gray"}>{t(app.is_listed ? "ownApps.listed" : "ownApps.unlisted")}</Badge>
      {!app.is_listed && <p className="form-hint">{t("ownApps.unlistedHint")}</p>}
    </div>
  );
};

const Facts = ({ app }: { app: OwnApp }) => {
  const { t } = useTranslation();
  return (
    <dl className="my-app-facts">
      <dt>{t("ownApps.clientId")}</dt>
      <dd>
        <CopyId label={t("ownApps.clientId")} text={app.client_id} />
      </dd>
      <dt>{t("ownApps.redirects")}</dt>
      <dd>
        <ul>
          {app.redirect_uris.map((uri) => (
            <li key={uri}>
              <span className="code break">{uri}</span>
            </li>
          ))}
        </ul>
      </dd>
      <dt>{t("ownApps.secrets")}</dt>
      <dd>
        <Secrets secrets={app.secrets} />
      </dd>
      <dt>{t("ownApps.installations")}</dt>
      <dd className="figures">{app.installations === 0 ? t("ownApps.noVenue") : t("ownApps.venues", { count: app.installations })}</dd>
    </dl>
  );
};

const Secrets = ({ secrets }: Pick<OwnApp, "secrets">) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <ul>
      {secrets.map(({ hint, created_at, expires_at }) => (
        <li key={`${hint} ${created_at}`} className="my-app-secret">
          <span className="code">{hint}</span>
          <span className="hint">{t("ownApps.secretMade", { when: formatRelativeTime(created_at, now) })}</span>
          {expires_at === null ? (
            <Badge color="green" size="sm">
              {t("ownApps.secretCurrent")}
            </Badge>
          ) : (
            <Badge color="orange" size="sm">
              {t("ownApps.secretEnds", { when: formatRelativeTime(expires_at, now) })}
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
};

const Actions = ({ app, onDo }: { app: OwnApp; onDo: (what: MyAppAction) => void }) => {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("common.more", { name: app.name })} className="my-app-more">
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<EditIcon size={16} />} onClick={() => onDo("edit")}>
          {t("ownApps.edit")}
        </Menu.Item>
        <Menu.Item leftSection={<RollIcon size={16} />} onClick={() => onDo("roll")}>
          {t("ownApps.roll")}
        </Menu.Item>
        <Menu.Item leftSection={<BinIcon size={16} />} c="var(--mantine-color-error)" onClick={() => onDo("withdraw")}>
          {t("ownApps.withdraw")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { AccountCard } from "#account/account-card.tsx";
import { CopyBox } from "#kit/copy-box.tsx";

/** Values in capital letters differ for each attempt. */
const authorizeAddress = (app: OwnApp | null): string =>
  `${window.location.origin}/oauth/authorize?${[
    "response_type=code",
    `client_id=${app?.client_id ?? "YOUR_CLIENT_ID"}`,
    `redirect_uri=${app?.redirect_uris[0] ? encodeURIComponent(app.redirect_uris[0]) : "YOUR_REDIRECT_ADDRESS"}`,
    `scope=${(app?.scopes ?? ["menu:read"]).map(encodeURIComponent).join("+")}`,
    "state=RANDOM",
    "code_challenge=BASE64URL_SHA256_OF_VERIFIER",
    "code_challenge_method=S256",
  ].join("&")}`;

const exchangeCall = (): string =>
  `curl -s ${window.location.origin}/oauth/token -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=authorization_code -d code=CODE -d code_verifier=VERIFIER --data-urlencode redirect_uri=YOUR_REDIRECT_ADDRESS`;

export const HowToStart = ({ app }: { app: OwnApp | null }) => {
  const { t } = useTranslation();
  return (
    <AccountCard title={t("ownApps.start.title")}>
      <ol className="start-steps">
        <li>
          <CopyBox label={t("ownApps.start.send")} text={authorizeAddress(app)} />
          <Text size="sm" c="dimmed" mt={4}>
            {t("ownApps.start.sendLead")}
          </Text>
        </li>
        <li>
          <Text size="sm">{t("ownApps.start.back")}</Text>
        </li>
        <li>
          <CopyBox label={t("ownApps.start.exchange")} text={exchangeCall()} />
        </li>
      </ol>
      <Text size="sm" c="dimmed" className="break">
        <Trans
          t={t}
          i18nKey="ownApps.start.metadata"
          values={{ address: "/.well-known/oauth-authorization-server" }}
          components={{ code: <span className="code" /> }}
        />{" "}
        <a className="link" href="/docs" target="_blank" rel="noreferrer">
          {t("ownApps.start.guide")}
        </a>
      </Text>
    </AccountCard>
  );
};

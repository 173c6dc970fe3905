import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { ActionIcon, Badge, Group, Menu, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Trans, useTranslation } from "react-i18next";
import { BinIcon, ClockIcon, DotsIcon, ListIcon, RollIcon } from "#kit/icons.tsx";
import { nameWithEmail } from "#kit/localized-name.ts";
import { formatRelativeTime, RelativeTime, useNow } from "#kit/relative-time.tsx";
import { Sparkline } from "#kit/sparkline.tsx";
import { useIsSandbox, useVenue } from "#shell/venue.ts";
import { ScopePills } from "./scope-pills.tsx";
import { sumDay } from "./token-queries.ts";
import { unusedDays } from "./unused-tokens.ts";

type TokenItemProps = { token: TokenRow; onRoll: () => void; onRevoke: () => void };

const KIND_COLOUR = { api: "wine", sandbox: "orange", oauth: "blue" } as const;

export const TokenItem = ({ token, onRoll, onRevoke }: TokenItemProps) => {
  const { t } = useTranslation();
  const isSandbox = useIsSandbox();
  return (
    <li className={`token-item token-${token.state}`}>
      <div className="token-name">
        <Group gap="xs" wrap="nowrap">
          <h2 className="item-title ellipsis" dir="auto">
            {token.name}
          </h2>
          <Badge color={KIND_COLOUR[token.kind]} size="sm" className="keep">
            {t(`tokens.kind.${token.kind}`)}
          </Badge>
          {token.state !== "active" && (
            <Badge color="gray" size="sm" className="keep">
              {t(`tokens.state.${token.state}`)}
            </Badge>
          )}
        </Group>
        <span className="code hint">{token.hint}</span>
      </div>
      <ScopePills scopes={token.scopes} />
      <DayOfToken token={token} />
      <Dates token={token} />
      {token.state === "active" && (token.kind === "api" || isSandbox) ? (
        <Actions token={token} onRoll={onRoll} onRevoke={onRevoke} />
      ) : (
        <span />
      )}
      <Nudge token={token} />
    </li>
  );
};

const DayOfToken = ({ token }: { token: TokenRow }) => {
  const { t } = useTranslation();
  const { requests, errors, limited } = sumDay(token.hours);
  const words = { requests: t("tokens.requests", { count: requests }), errors: t("tokens.errors", { count: errors }) };
  return (
    <div className="token-day">
      <Sparkline hours={token.hours} label={t("tokens.chart", words)} />
      <Text size="xs" c="dimmed" className="figures">
        {requests === 0 ? t("tokens.quiet") : words.requests}
        {errors > 0 && <span className="bad"> · {words.errors}</span>}
        {limited > 0 && <span className="bad"> · {t("tokens.limited", { count: limited })}</span>}
      </Text>
      {token.state === "active" && token.rate_per_minute !== null && (
        <Text size="xs" c="dimmed" className="figures">
          {token.remaining === null
            ? t("tokens.perMinute", { all: token.rate_per_minute })
            : t("tokens.remaining", { left: token.remaining, all: token.rate_per_minute })}
        </Text>
      )}
    </div>
  );
};

const Dates = ({ token }: { token: TokenRow }) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const isOver = token.expires_at !== null && new Date(token.expires_at).getTime() <= now;
  return (
    <dl className="token-dates">
      <div>
        <dt>{t("tokens.lastUsed")}</dt>
        <dd>
          <RelativeTime at={token.last_used_at} />
        </dd>
      </div>
      <div>
        <dt>{t("tokens.created")}</dt>
        <dd>
          <Trans
            t={t}
            i18nKey="tokens.createdBy"
            values={{ name: nameWithEmail(token.created_by, token.created_by_email), when: formatRelativeTime(token.created_at, now) }}
            components={{ bdi: <bdi /> }}
          />
        </dd>
      </div>
      <div>
        <dt>{t("tokens.expires")}</dt>
        <dd className={isOver ? "bad" : undefined}>
          {token.expires_at === null ? t("tokens.neverExpires") : <RelativeTime at={token.expires_at} />}
        </dd>
      </div>
    </dl>
  );
};

const Actions = ({ token, onRoll, onRevoke }: TokenItemProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("common.more", { name: token.name })} className="token-more">
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ListIcon size={16} />}
          renderRoot={(props) => <Link to="/v/$venue/requests" params={{ venue }} search={{ token: token.id }} {...props} />}
        >
          {t("tokens.requestsOf")}
        </Menu.Item>
        {token.kind === "api" && (
          <Menu.Item leftSection={<RollIcon size={16} />} onClick={onRoll}>
            {t("tokens.roll")}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<BinIcon size={16} />} c="var(--mantine-color-error)" onClick={onRevoke}>
          {t("tokens.revoke")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const Nudge = ({ token }: { token: TokenRow }) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const days = unusedDays(token, now);
  if (days === null) return null;
  return (
    <p className="nudge">
      <ClockIcon size={15} />
      {token.last_used_at === null
        ? t("tokens.neverUsed", { when: formatRelativeTime(token.created_at, now) })
        : t("tokens.idle", { count: days })}
    </p>
  );
};

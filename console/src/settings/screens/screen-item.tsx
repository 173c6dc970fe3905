/** One paired screen: what it shows, and when it was last seen. */
import type { BoardBranch } from "@comanda/contract/console/orders.ts";
import type { Screen } from "@comanda/contract/console/screens.ts";
import { Badge, Button, Group, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { BellIcon, BellOffIcon, DeviceIcon, EditIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDateTime, formatRelativeTime, useNow } from "#kit/relative-time.tsx";

/** A screen that was seen in this time is there now. */
const NOW_MS = 2 * 60 * 1000;

type ScreenItemProps = { screen: Screen; branches: BoardBranch[]; onChange: () => void; onEnd: () => void };

export const ScreenItem = ({ screen, branches, onChange, onEnd }: ScreenItemProps) => {
  const { t } = useTranslation();
  const { name } = screen;
  return (
    <li className="screen-item">
      <span className="screen-icon">
        <DeviceIcon size={26} />
      </span>
      <div className="screen-about">
        <Group gap="xs">
          <h2 className="item-title break">
            <bdi>{name}</bdi>
          </h2>
          <Badge>{t(`screens.purposes.${screen.purpose}`)}</Badge>
        </Group>
      </div>
      <ScreenFacts screen={screen} branches={branches} />
      <div className="screen-actions">
        <Button variant="default" leftSection={<EditIcon size={16} />} aria-label={t("screens.changeOf", { name })} onClick={onChange}>
          {t("screens.change")}
        </Button>
        <Button variant="default" className="bad" aria-label={t("screens.endOf", { name })} onClick={onEnd}>
          {t("screens.end")}
        </Button>
      </div>
    </li>
  );
};

const ScreenFacts = ({ screen, branches }: Pick<ScreenItemProps, "screen" | "branches">) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const now = useNow(30_000);
  const branch = branches.find(({ id }) => id === screen.branch_id);
  const { browser, system, has_sound } = screen;
  return (
    <dl className="screen-facts">
      <ScreenFact name={t("screens.seen")}>
        <LastSeen at={screen.seen_at} now={now} />
      </ScreenFact>
      {branches.length > 1 && (
        <ScreenFact name={t("screens.branch")}>
          <bdi>{branch ? pick(branch.name) : t("screens.allBranches")}</bdi>
        </ScreenFact>
      )}
      <ScreenFact name={t("screens.stations")}>
        <StationNames stations={screen.stations} />
      </ScreenFact>
      <ScreenFact name={t("screens.language")}>{t(`languages.${screen.language}`)}</ScreenFact>
      <ScreenFact name={t("screens.sound")}>
        <span className="screen-sound">
          {has_sound ? <BellIcon size={15} /> : <BellOffIcon size={15} />}
          {has_sound ? t("screens.soundOn") : t("screens.soundOff")}
        </span>
      </ScreenFact>
      <ScreenFact name={t("screens.paired")}>
        <Trans
          t={t}
          i18nKey="screens.pairedBy"
          values={{ name: screen.paired_by, when: formatRelativeTime(screen.paired_at, now) }}
          components={{ bdi: <bdi /> }}
        />
      </ScreenFact>
      <ScreenFact name={t("screens.device")}>
        {browser && system ? t("device.named", { browser, system }) : (browser ?? system ?? t("account.unknownDevice"))}
      </ScreenFact>
    </dl>
  );
};

const ScreenFact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const LastSeen = ({ at, now }: { at: string; now: number }) => {
  const { t } = useTranslation();
  const isNow = now - Date.parse(at) < NOW_MS;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at} className={isNow ? "screen-seen screen-seen-now figures" : "screen-seen figures"}>
        {isNow ? t("screens.now") : formatRelativeTime(at, now)}
      </time>
    </Tooltip>
  );
};

const StationNames = ({ stations }: { stations: string[] }) => {
  const { t } = useTranslation();
  if (stations.length === 0) return <span>{t("screens.allStations")}</span>;
  return (
    <span className="station-pills">
      {stations.map((station) => (
        <bdi key={station} className="pill">
          {station}
        </bdi>
      ))}
    </span>
  );
};

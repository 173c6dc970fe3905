import type { Membership } from "@comanda/contract/console/session.ts";
import { Menu, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CheckIcon, ChevronIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { membershipIn } from "./session.ts";

export const VenueSwitcher = ({ venue, venues }: { venue: string; venues: Membership[] }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const current = membershipIn(venues, venue);
  const name = current ? pick(current.name, current.default_language) : venue;
  if (venues.length < 2)
    return (
      <Text fw={600} dir="auto" truncate>
        {name}
      </Text>
    );
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton className="quiet-button venue-switch" aria-label={`${t("venues.switch")}: ${name}`}>
          <bdi className="ellipsis">{name}</bdi>
          <ChevronIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("venues.switch")}</Menu.Label>
        {venues.map(({ slug, name: names, role }) => (
          <Menu.Item
            key={slug}
            renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue: slug }} {...props} />}
            leftSection={<span className="tick">{slug === current?.slug && <CheckIcon size={16} />}</span>}
            rightSection={
              <Text size="xs" c="dimmed">
                {t(`roles.${role}`)}
              </Text>
            }
          >
            <bdi>{pick(names)}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

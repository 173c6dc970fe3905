/** What surrounds signed-in pages: venue switcher, menu, account. */
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { AccountMenu } from "./account-menu.tsx";
import { BrandMark } from "./brand.tsx";
import { NavPages } from "./nav.tsx";
import { KeysButton } from "./page-keys.tsx";
import { InsideMain } from "./page-states.tsx";
import { Pulse } from "./pulse.tsx";
import { membershipIn, useSession } from "./session.ts";
import { VenueSwitcher } from "./venue-switcher.tsx";

/** Without a venue there is no menu. */
export const PageFrame = ({ venue, children }: { venue: string | null; children: ReactNode }) => {
  const { t } = useTranslation();
  const { venues } = useSession();
  const membership = membershipIn(venues, venue ?? undefined);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is reached.
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: 60 }}
      {...(venue ? { navbar: { width: 244, breakpoint: "sm", collapsed: { mobile: !isOpen } } } : {})}
      padding={0}
      transitionDuration={0}
    >
      <AppShell.Header className="shell-header" withBorder={false}>
        <a href="#page" className="skip">
          {t("common.skip")}
        </a>
        <Group gap="xs" wrap="nowrap" className="grow">
          {venue && (
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t("common.menu")} aria-expanded={isOpen} />
          )}
          <Link to="/" className="shell-brand" aria-label="Comanda">
            <BrandMark />
          </Link>
          {!venue && <span className="wordmark">Comanda</span>}
          {venue && <VenueSwitcher venue={venue} venues={venues} />}
        </Group>
        {venue && <Pulse venue={venue} />}
        {venue && <KeysButton />}
        <AccountMenu />
      </AppShell.Header>
      {venue && membership && (
        <AppShell.Navbar className="shell-nav" withBorder={false} aria-label={t("nav.pages")}>
          <NavPages venue={venue} membership={membership} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="page" tabIndex={-1} className="shell-main">
        <InsideMain value>{children}</InsideMain>
      </AppShell.Main>
    </AppShell>
  );
};

/** The frame around every page inside: the venue and its switcher, the pages, the account. */
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { LiveVenue } from "../developer/live-venue.tsx";
import { useSession } from "../session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Mark } from "./brand.tsx";
import { NavPages } from "./nav.tsx";
import { RoleGuard } from "./role-guard.tsx";
import { VenueSwitcher } from "./venue-switcher.tsx";

export const VenueShell = () => {
  const { venue } = useParams({ from: "/inside/v/$venue" });
  return (
    <Shell venue={venue}>
      <RoleGuard venue={venue}>
        <LiveVenue venue={venue} />
        <Outlet />
      </RoleGuard>
    </Shell>
  );
};

/** Without a venue there are no pages to list: the account has the whole width. */
export const Shell = ({ venue, children }: { venue: string | null; children: ReactNode }) => {
  const { t } = useTranslation();
  const { venues } = useSession();
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
            <Mark />
          </Link>
          {!venue && <span className="wordmark">Comanda</span>}
          {venue && <VenueSwitcher venue={venue} venues={venues} />}
        </Group>
        <AccountMenu />
      </AppShell.Header>
      {venue && (
        <AppShell.Navbar className="shell-nav" withBorder={false} aria-label={t("nav.label")}>
          <NavPages venue={venue} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="page" tabIndex={-1} className="shell-main">
        {children}
      </AppShell.Main>
    </AppShell>
  );
};

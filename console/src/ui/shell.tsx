/** The layout of signed-in pages: venue switcher, menu, account. */
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { RefetchOnChange } from "../developer/refetch-on-change.tsx";
import { OutboxKeeper } from "../offline/outbox-keeper.tsx";
import { useSession } from "../session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { BrandMark } from "./brand.tsx";
import { NavPages } from "./nav.tsx";
import { withOfflineError } from "./offline.tsx";
import { KeysButton } from "./page-keys.tsx";
import { Pulse } from "./pulse.tsx";
import { VenueSwitcher } from "./venue-switcher.tsx";

/** Most venues are live: their pages do not load it. */
const OpeningBar = lazy(withOfflineError(async () => ({ default: (await import("../sign-up/opening-bar.tsx")).OpeningBar })));

export const VenueShell = () => {
  const { venue } = useParams({ from: "/inside/v/$venue" });
  const isOpening = useSession().venues.some(({ slug, is_opening }) => slug === venue && is_opening);
  return (
    <Shell venue={venue}>
      <RefetchOnChange venue={venue} />
      {isOpening && (
        <Suspense>
          <OpeningBar venue={venue} />
        </Suspense>
      )}
      <Outlet />
    </Shell>
  );
};

/** Without a venue there is no menu. */
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
            <BrandMark />
          </Link>
          {!venue && <span className="wordmark">Comanda</span>}
          {venue && <VenueSwitcher venue={venue} venues={venues} />}
        </Group>
        {venue && <Pulse venue={venue} />}
        {venue && <KeysButton />}
        <AccountMenu />
        <OutboxKeeper />
      </AppShell.Header>
      {venue && (
        <AppShell.Navbar className="shell-nav" withBorder={false} aria-label={t("nav.pages")}>
          <NavPages venue={venue} role={venues.find(({ slug }) => slug === venue)?.role ?? "staff"} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="page" tabIndex={-1} className="shell-main">
        {children}
      </AppShell.Main>
    </AppShell>
  );
};

/** The layout of signed-in pages: venue switcher, menu, account. */
import type { Feature } from "@comanda/contract/scopes.ts";
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { RefetchOnChange } from "../developer/refetch-on-change.tsx";
import { membershipIn } from "../membership.ts";
import { OutboxKeeper } from "../offline/outbox-keeper.tsx";
import { useSession } from "../session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { BrandMark } from "./brand.tsx";
import { VenueLanguage } from "./localized-name.ts";
import { featureOf, NavPages } from "./nav.tsx";
import { withOfflineError } from "./offline.tsx";
import { KeysButton } from "./page-keys.tsx";
import { InsideMain, PageLoading } from "./page-states.tsx";
import { Pulse } from "./pulse.tsx";
import { VenueSwitcher } from "./venue-switcher.tsx";

const LostVenue = lazy(async () => ({ default: (await import("./venue-access.tsx")).LostVenue }));
const FactorSetup = lazy(async () => ({ default: (await import("./venue-access.tsx")).FactorSetup }));
const SignInAgain = lazy(async () => ({ default: (await import("./venue-access.tsx")).SignInAgain }));
const LackingFeature = lazy(async () => ({ default: (await import("./venue-access.tsx")).LackingFeature }));

/** Most venues are live: their pages do not load it. */
const OpeningBar = lazy(withOfflineError(async () => ({ default: (await import("../sign-up/opening-bar.tsx")).OpeningBar })));

/** A membership can end, and a second factor or a new sign-in be asked for, while the page is open. */
export const VenueShell = () => {
  const { venue } = useParams({ from: "/inside/v/$venue" });
  const membership = membershipIn(useSession().venues, venue);
  const [isSettingUp, setSettingUp] = useState(false);
  if (membership?.is_sign_in_needed)
    return (
      <Shell venue={null}>
        <Suspense fallback={<PageLoading />}>
          <SignInAgain venue={venue} />
        </Suspense>
      </Shell>
    );
  if (!membership || membership.is_second_factor_missing || isSettingUp)
    return (
      <Shell venue={null}>
        <Suspense fallback={<PageLoading />}>{membership ? <FactorSetup onBusy={setSettingUp} /> : <LostVenue venue={venue} />}</Suspense>
      </Shell>
    );
  return (
    <VenueLanguage value={membership.default_language}>
      <Shell venue={venue}>
        <RefetchOnChange venue={venue} />
        {membership.is_opening && (
          <Suspense>
            <OpeningBar venue={venue} />
          </Suspense>
        )}
        <VenuePage venue={venue} features={membership.features} />
      </Shell>
    </VenueLanguage>
  );
};

const VenuePage = ({ venue, features }: { venue: string; features: Feature[] }) => {
  // The page that is shown: the address changes before the next page is there.
  const page = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname.split("/")[3] });
  const needed = featureOf(page);
  if (!needed || features.includes(needed)) return <Outlet />;
  return (
    <Suspense fallback={<PageLoading />}>
      <LackingFeature venue={venue} feature={needed} />
    </Suspense>
  );
};

/** Without a venue there is no menu. */
export const Shell = ({ venue, children }: { venue: string | null; children: ReactNode }) => {
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
        <OutboxKeeper />
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

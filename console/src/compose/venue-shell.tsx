/** The frame of a venue's pages, and of a person's own. What surrounds them runs on each: the outbox, refetching, the bar of an opening venue. */
import type { Feature } from "@comanda/contract/scopes.ts";
import { Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { VenueLanguage } from "#kit/localized-name.ts";
import { OutboxKeeper } from "#orders/outbox-keeper.tsx";
import { featureOf } from "#shell/nav.tsx";
import { lazyPart } from "#shell/offline.tsx";
import { PageFrame } from "#shell/page-frame.tsx";
import { PageLoading } from "#shell/page-states.tsx";
import { RefetchOnChange } from "#shell/refetch-on-change.tsx";
import { membershipIn, useSession } from "#shell/session.ts";

const LostVenue = lazyPart(() => import("#account/venue-access.tsx"), "LostVenue");
const FactorSetup = lazyPart(() => import("#account/venue-access.tsx"), "FactorSetup");
const SignInAgain = lazyPart(() => import("#account/venue-access.tsx"), "SignInAgain");
const LackingFeature = lazyPart(() => import("#account/venue-access.tsx"), "LackingFeature");

/** Most venues are live: their pages do not load it. */
const OpeningBar = lazyPart(() => import("#sign-up/opening-bar.tsx"), "OpeningBar");

/** A membership can end, and a second factor or a new sign-in be asked for, while the page is open. */
export const VenueShell = () => {
  const { venue } = useParams({ from: "/inside/v/$venue" });
  const membership = membershipIn(useSession().venues, venue);
  const [isSettingUp, setSettingUp] = useState(false);
  if (membership?.is_sign_in_needed)
    return (
      <Frame venue={null}>
        <Suspense fallback={<PageLoading />}>
          <SignInAgain venue={venue} />
        </Suspense>
      </Frame>
    );
  if (!membership || membership.is_second_factor_missing || isSettingUp)
    return (
      <Frame venue={null}>
        <Suspense fallback={<PageLoading />}>{membership ? <FactorSetup onBusy={setSettingUp} /> : <LostVenue venue={venue} />}</Suspense>
      </Frame>
    );
  return (
    <VenueLanguage value={membership.default_language}>
      <Frame venue={venue}>
        <RefetchOnChange venue={venue} />
        {membership.is_opening && (
          <Suspense>
            <OpeningBar venue={venue} />
          </Suspense>
        )}
        <VenuePage venue={venue} features={membership.features} />
      </Frame>
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

const Frame = ({ venue, children }: { venue: string | null; children: ReactNode }) => (
  <PageFrame venue={venue}>
    <OutboxKeeper />
    {children}
  </PageFrame>
);

/** Around pages that belong to no venue. */
export const OwnPages = () => (
  <Frame venue={null}>
    <Outlet />
  </Frame>
);

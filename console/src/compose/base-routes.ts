/** The routes that others are below: the root, pages of a signed-in person, pages of a venue. */

import { isSandboxSlug } from "@comanda/contract/sandbox/sandbox-slug.ts";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, notFound, type ParsedLocation, redirect } from "@tanstack/react-router";
import { hasErrorCode } from "#kit/api.ts";
import { applyPersonLanguage } from "#kit/language.ts";
import { lazyPage } from "#shell/offline.tsx";
import { MissingInVenue, PageMissing } from "#shell/page-states.tsx";
import { membershipIn, sessionQuery } from "#shell/session.ts";

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: PageMissing });

export const returnTo = ({ pathname, searchStr }: ParsedLocation): { to?: string } =>
  pathname === "/" ? {} : { to: `${pathname}${searchStr}` };

export const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (hasErrorCode(error, "signed_out")) throw redirect({ to: "/sign-in", search: returnTo(location) });
      throw error;
    });
    await applyPersonLanguage(session.person.locale);
    return { session };
  },
});

/** The pages that show a sandbox as they show its venue. */
const DEVELOPER_PAGES = ["tokens", "sandbox", "apps", "webhooks", "deliveries", "signature", "activity", "requests"];
const isDeveloperPage = (page: string | undefined): boolean => page !== undefined && DEVELOPER_PAGES.includes(page);

export const venue = createRoute({
  getParentRoute: () => inside,
  path: "v/$venue",
  beforeLoad: ({ context, params, location }) => {
    const membership = membershipIn(context.session.venues, params.venue);
    if (!membership) throw notFound();
    if (isSandboxSlug(params.venue)) {
      const live = { venue: membership.slug };
      if (!membership.has_sandbox) throw redirect({ to: "/v/$venue/sandbox", params: live });
      if (!isDeveloperPage(location.pathname.split("/")[3])) throw redirect({ to: "/v/$venue", params: live });
    }
    return { membership };
  },
  component: lazyPage(() => import("./venue-shell.tsx"), "VenueShell"),
  notFoundComponent: MissingInVenue,
});

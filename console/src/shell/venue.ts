import type { Role } from "@comanda/contract/console/operation.ts";
import { isSandboxSlug, liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { useParams } from "@tanstack/react-router";
import { useLocalizedName } from "#kit/localized-name.ts";
import { membershipIn, useSession } from "./session.ts";

/** The person's role in the current venue. */
export const useRole = (): Role => {
  const venue = useVenue();
  return membershipIn(useSession().venues, venue)?.role ?? "staff";
};

export const useIsOwner = (): boolean => useRole() === "owner";

/** The slug in the address: of the current venue or, on the developer pages, of its sandbox. */
export const useVenue = (): string => useParams({ from: "/inside/v/$venue" }).venue;

/** The slug of the current venue, also where its sandbox is shown. */
export const useLiveVenue = (): string => liveSlugOf(useVenue());

export const useIsSandbox = (): boolean => isSandboxSlug(useVenue());

export const useVenueName = (): string => {
  const slug = useVenue();
  const pick = useLocalizedName();
  const membership = membershipIn(useSession().venues, slug);
  return membership ? pick(membership.name, membership.default_language) : slug;
};

import { isSandboxSlug, liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { useParams } from "@tanstack/react-router";
import { useLocalizedName } from "#kit/localized-name.ts";
import { membershipIn } from "./membership.ts";
import { useSession } from "./session.ts";

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

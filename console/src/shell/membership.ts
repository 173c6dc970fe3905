/** A venue's slug, and that of its sandbox, both name the person's membership in the venue. */
import type { Membership } from "@comanda/contract/console/session.ts";
import { liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";

export const membershipIn = (venues: readonly Membership[], slug: string | undefined): Membership | undefined =>
  slug === undefined ? undefined : venues.find((one) => one.slug === liveSlugOf(slug));

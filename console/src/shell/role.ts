import type { Role } from "@comanda/contract/console/operation.ts";
import { membershipIn } from "./membership.ts";
import { useSession } from "./session.ts";
import { useVenue } from "./venue.ts";

/** The person's role in the current venue. */
export const useRole = (): Role => {
  const venue = useVenue();
  return membershipIn(useSession().venues, venue)?.role ?? "staff";
};

export const useIsOwner = (): boolean => useRole() === "owner";

import type { Role } from "@comanda/contract/console/operation.ts";
import { useVenue } from "../developer/venue.ts";
import { useSession } from "../session.ts";

/** The role of the person in this venue. The server enforces it too. */
export const useGuestRole = (): Role => {
  const venue = useVenue();
  return useSession().venues.find(({ slug }) => slug === venue)?.role ?? "staff";
};

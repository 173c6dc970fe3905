import type { Role } from "@comanda/contract/console-operation.ts";
import { useSession } from "../session.ts";
import { useVenue } from "./venue.ts";

/** What the person is in the venue of the page. */
export const useRole = (): Role => {
  const venue = useVenue();
  return useSession().venues.find(({ slug }) => slug === venue)?.role ?? "staff";
};

export const useIsOwner = (): boolean => useRole() === "owner";

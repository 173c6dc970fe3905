import { useParams } from "@tanstack/react-router";
import { useSession } from "../session.ts";
import { usePick } from "../ui/names.ts";

/** The venue of the page, by its slug. */
export const useVenue = (): string => useParams({ from: "/inside/v/$venue" }).venue;

export const useVenueName = (): string => {
  const slug = useVenue();
  const pick = usePick();
  const membership = useSession().venues.find((venue) => venue.slug === slug);
  return membership ? pick(membership.name) : slug;
};

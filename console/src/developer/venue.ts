import { useParams } from "@tanstack/react-router";
import { useSession } from "../session.ts";
import { useLocalizedName } from "../ui/localized-name.ts";

/** The slug of the current venue. */
export const useVenue = (): string => useParams({ from: "/inside/v/$venue" }).venue;

export const useVenueName = (): string => {
  const slug = useVenue();
  const pick = useLocalizedName();
  const membership = useSession().venues.find((venue) => venue.slug === slug);
  return membership ? pick(membership.name) : slug;
};

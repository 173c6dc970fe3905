/** The restaurant, its branches, ordering rules and charges: pages of settings share one answer. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api.ts";

export const venueSettingsQuery = (venue: string) =>
  queryOptions({
    queryKey: ["venue-settings", venue],
    queryFn: async () => (await call("readVenueSettings", { params: { venue } })).data,
  });

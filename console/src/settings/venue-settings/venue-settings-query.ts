/** What managers set for the venue as a whole. Each part has its own version. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const venueSettingsQuery = (venue: string) =>
  queryOptions({
    queryKey: ["venue-settings", venue],
    queryFn: async () => (await call("readVenueSettings", { params: { venue } })).data,
  });

/** The booking rules of a venue. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const rulesQuery = (venue: string) =>
  queryOptions({
    queryKey: ["booking-rules", venue],
    queryFn: async () => (await call("readBookingRules", { params: { venue } })).data,
  });

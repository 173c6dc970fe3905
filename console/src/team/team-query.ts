/** The people of a venue, as the service last told. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

/** When a person was last seen changes without a notice. */
const REFRESH_EVERY_MS = 60_000;

export const teamQuery = (venue: string) =>
  queryOptions({
    queryKey: ["team", venue],
    queryFn: async () => (await call("listTeam", { params: { venue } })).data,
    refetchInterval: REFRESH_EVERY_MS,
  });

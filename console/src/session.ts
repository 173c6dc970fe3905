/** The signed-in person and their venues. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { call } from "./api.ts";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async () => (await call("readSession")).data,
  staleTime: 60_000,
});

export const useSession = () => useSuspenseQuery(sessionQuery).data;

/** The tables of a venue. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const floorQuery = (venue: string) =>
  queryOptions({
    queryKey: ["floor", venue],
    queryFn: async () => (await call("readFloor", { params: { venue } })).data,
  });

import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const tokensQuery = (venue: string) =>
  queryOptions({
    queryKey: ["tokens", venue],
    queryFn: async () => (await call("listTokens", { params: { venue } })).data,
    refetchInterval: 60_000,
  });

export type DaySums = { requests: number; errors: number; limited: number };
export const sumDay = (hours: TokenRow["hours"]): DaySums =>
  hours.reduce(
    (sum, hour) => ({ requests: sum.requests + hour.requests, errors: sum.errors + hour.errors, limited: sum.limited + hour.limited }),
    {
      requests: 0,
      errors: 0,
      limited: 0,
    },
  );

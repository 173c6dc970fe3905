/** Prices that begin at a moment to come. */
import type { ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";

/** Below the key of the menu: whatever changes the menu may also have begun or dropped a planned price. */
export const plannedPricesQuery = (venue: string) =>
  queryOptions({
    queryKey: [...menuPlanQuery(venue).queryKey, "planned"],
    queryFn: async (): Promise<ScheduledPrice[]> => (await call("listScheduledPrices", { params: { venue } })).data,
  });

/** Prices that begin at a moment to come, and the calls that plan them and take them back. */
import type { PlannedPrices, ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, isWorthRetrying } from "../api.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";

/** Below the key of the menu: whatever changes the menu may also have begun or dropped a planned price. */
export const plannedPricesQuery = (venue: string) =>
  queryOptions({
    queryKey: [...menuPlanQuery(venue).queryKey, "planned"],
    queryFn: async (): Promise<ScheduledPrice[]> => (await call("listScheduledPrices", { params: { venue } })).data,
  });

export const usePlanning = (venue: string) => {
  const queryClient = useQueryClient();
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: plannedPricesQuery(venue).queryKey });
  const plan = useMutation({
    mutationFn: async (input: { body: PlannedPrices; idempotencyKey: string }) =>
      (await call("schedulePrices", { params: { venue }, ...input })).data,
    retry: isWorthRetrying,
    onSuccess: readAgain,
  });
  const cancel = useMutation({
    mutationFn: async (input: { body: { ids: string[] }; idempotencyKey: string }) =>
      (await call("cancelScheduledPrices", { params: { venue }, ...input })).data,
    retry: isWorthRetrying,
    onSuccess: readAgain,
  });
  return { plan, cancel };
};

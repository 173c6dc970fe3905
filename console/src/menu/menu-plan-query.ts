/** The menu as managers change it. */

import type { ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";

/** Below the key of the menu: whatever changes the menu may also have begun or dropped a planned price. */
export const plannedPricesQuery = (venue: string) =>
  queryOptions({
    queryKey: [...menuPlanQuery(venue).queryKey, "planned"],
    queryFn: async (): Promise<ScheduledPrice[]> => (await call("listScheduledPrices", { params: { venue } })).data,
  });

const POLL_EVERY_MS = 30_000;

export const menuPlanQuery = (venue: string) =>
  queryOptions({
    queryKey: ["menu-plan", venue],
    queryFn: async () => (await call("readMenuPlan", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(POLL_EVERY_MS),
  });

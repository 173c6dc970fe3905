/** The screens of a venue and what can be chosen for them. */
import type { Screen } from "@comanda/contract/console/screens.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

/** When a screen was last seen changes without a notice. */
const REFRESH_EVERY_MS = 60_000;

export type ScreenSettings = Pick<Screen, "name" | "branch_id" | "stations" | "language" | "has_sound">;

export const screensQuery = (venue: string) =>
  queryOptions({
    queryKey: ["screens", venue],
    queryFn: async () => (await call("listScreens", { params: { venue } })).data,
    refetchInterval: REFRESH_EVERY_MS,
  });

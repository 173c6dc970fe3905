import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";

export const installedQuery = (venue: string) =>
  queryOptions({
    queryKey: ["apps", venue, "installed"],
    queryFn: async () => (await call("listInstalledApps", { params: { venue } })).data,
    refetchInterval: 60_000,
  });

export const catalogueQuery = (venue: string) =>
  queryOptions({
    queryKey: ["apps", venue, "catalogue"],
    queryFn: async () => (await call("listCatalogue", { params: { venue } })).data,
  });

/** Installing and uninstalling also changes the tokens. */
export const useVenueAppsChanged = (venue: string) => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["apps", venue] }),
      queryClient.invalidateQueries({ queryKey: ["tokens", venue] }),
    ]);
};

export const ownAppsQuery = queryOptions({ queryKey: ["my-apps"], queryFn: async () => (await call("listOwnApps")).data });

export const useOwnAppsChanged = () => {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ownAppsQuery.queryKey });
};

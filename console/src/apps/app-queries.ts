import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

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

export const ownAppsQuery = queryOptions({ queryKey: ["my-apps"], queryFn: async () => (await call("listOwnApps")).data });

/** The menu as managers change it, and the write that saves a draft. */
import type { MenuEdits } from "@comanda/contract/console/menu-editor.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { pollUnlessStreaming } from "../change-stream.ts";

const POLL_EVERY_MS = 30_000;

export const menuPlanQuery = (venue: string) =>
  queryOptions({
    queryKey: ["menu-plan", venue],
    queryFn: async () => (await call("readMenuPlan", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(POLL_EVERY_MS),
  });

/** Who changed the menu meanwhile. Null for any other error. */
export const readMenuChanged = (error: unknown): { who: string | null } | null =>
  error instanceof CallError && error.code === "state_changed"
    ? { who: (error.details.changed_by as string | null | undefined) ?? null }
    : null;

type MenuWrite = { body: MenuEdits; idempotencyKey: string };

/** The menu is read again before the save counts as done, also after one that came too late. */
export const useSaveMenu = (venue: string) => {
  const queryClient = useQueryClient();
  const { queryKey } = menuPlanQuery(venue);
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
  return useMutation({
    mutationFn: async (input: MenuWrite) => {
      await call("saveMenu", { params: { venue }, ...input });
      await readAgain();
      return queryClient.getQueryData(queryKey) ?? null;
    },
    retry: isWorthRetrying,
    onError: (error) => (readMenuChanged(error) ? readAgain() : undefined),
  });
};

/** The venue's till, and the writes that connect and disconnect it. */
import type { VenueTill } from "@comanda/contract/console/till.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call } from "../../api.ts";
import { pollUnlessStreaming } from "../../change-stream.ts";

export const tillQuery = (venue: string) =>
  queryOptions({
    queryKey: ["till", venue],
    queryFn: async () => (await call("readTill", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(15_000),
  });

type TillChanged = { till: VenueTill; changed_by: string | null };

/** Null for any other error. */
export const readTillChanged = (error: unknown): TillChanged | null =>
  error instanceof CallError && error.code === "state_changed" ? (error.details as TillChanged) : null;

export const useConnectTill = (venue: string, onConnected: (secret: string) => void) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: { seen_url: string | null; url: string }) => (await call("connectTill", { params: { venue }, body })).data,
    onSuccess: async ({ secret }) => {
      onConnected(secret);
      await queryClient.invalidateQueries({ queryKey: tillQuery(venue).queryKey });
    },
  });
};

export const useDisconnectTill = (venue: string, onDone: () => void) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (seen_url: string) =>
      call("disconnectTill", { params: { venue }, body: { seen_url }, idempotencyKey: crypto.randomUUID() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: tillQuery(venue).queryKey });
      onDone();
    },
  });
};

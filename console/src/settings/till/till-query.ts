/** The venue's till, and the write that connects it. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { pollUnlessStreaming } from "../../change-stream.ts";

export const tillQuery = (venue: string) =>
  queryOptions({
    queryKey: ["till", venue],
    queryFn: async () => (await call("readTill", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(15_000),
  });

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

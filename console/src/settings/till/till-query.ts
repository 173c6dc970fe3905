/** The venue's till, and the write that connects it. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { useWrite } from "#kit/write.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";

export const tillQuery = (venue: string) =>
  queryOptions({
    queryKey: ["till", venue],
    queryFn: async () => (await call("readTill", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(15_000),
  });

export const useConnectTill = (venue: string, onConnected: (secret: string) => void) => {
  const { write, isPending, error } = useWrite<"connectTill">({
    readAgain: [tillQuery(venue).queryKey],
    onDone: ({ data: { secret } }) => onConnected(secret),
    // The dialog says why.
    onChanged: () => null,
    onRefused: () => undefined,
  });
  const connect = (body: { seen_url: string | null; url: string }) => write({ id: "connectTill", params: { venue }, body });
  return { connect, isPending, error };
};

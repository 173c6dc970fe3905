import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";
import { sessionQuery } from "../session.ts";
import { useToast } from "../ui/toast.ts";
import type { CreatedToken } from "./new-token-modal.tsx";
import { tokensQuery } from "./token-queries.ts";
import { useLiveVenue, useVenue } from "./venue.ts";

/** `venue` is the slug in the address: that place's change stream tells when to read again. */
export const sandboxKey = (venue: string) => ["sandbox", venue];

/** Opens the sandbox, or replaces its token. */
export const useOpenSandbox = (onCreated: (token: CreatedToken) => void) => {
  const [venue, live] = [useVenue(), useLiveVenue()];
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call("openSandbox", { params: { venue: live } })).data,
    onSuccess: async ({ token }) => {
      onCreated({ token, scopes: ALL_SCOPES });
      await Promise.all(
        [sandboxKey(venue), tokensQuery(venue).queryKey, sessionQuery.queryKey].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: toast.error,
  });
};

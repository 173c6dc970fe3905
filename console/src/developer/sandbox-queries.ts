import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { useWrite } from "#kit/write.ts";
import { sessionQuery } from "#shell/session.ts";
import { useLiveVenue, useVenue } from "#shell/venue.ts";
import type { CreatedToken } from "./new-token-modal.tsx";
import { tokensQuery } from "./token-queries.ts";

/** `venue` is the slug in the address: its change stream says when to read again. */
export const sandboxKey = (venue: string) => ["sandbox", venue];

/** Opens the sandbox, or replaces its token. */
export const useOpenSandbox = (onCreated: (token: CreatedToken) => void): { open: () => void; isPending: boolean } => {
  const [venue, live] = [useVenue(), useLiveVenue()];
  const { write, isPending } = useWrite<"openSandbox">({
    readAgain: [sandboxKey(venue), tokensQuery(venue).queryKey, sessionQuery.queryKey],
    onDone: ({ data: { token } }) => onCreated({ token, scopes: ALL_SCOPES }),
  });
  return { open: () => write({ id: "openSandbox", params: { venue: live } }), isPending };
};

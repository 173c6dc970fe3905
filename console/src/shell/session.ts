/** The signed-in person and their venues. */
import type { Membership, SignedIn } from "@comanda/contract/console/session.ts";
import { liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { call, isServiceAway } from "#kit/api.ts";

/** A venue's slug, and that of its sandbox, both name the person's membership in the venue. */
export const membershipIn = (venues: readonly Membership[], slug: string | undefined): Membership | undefined =>
  slug === undefined ? undefined : venues.find((one) => one.slug === liveSlugOf(slug));

/** `copied_at`: it was read then, and the service has not been reached since. */
type KnownSession = SignedIn & { copied_at?: number };

const SESSION_KEY = ["session"] as const;
const ASK_AGAIN_MS = 4000;

/** The code and the copy are loaded only when they are needed. */
const readCopy = async (): Promise<KnownSession | null> => (await import("#offline/local-database.ts")).readSessionCopy(Date.now());

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  // A page that is loaded without a connection opens with the last session.
  queryFn: async ({ client }): Promise<KnownSession> => {
    try {
      return (await call("readSession")).data;
    } catch (error) {
      const copy = isServiceAway(error) && client.getQueryData(SESSION_KEY) === undefined ? await readCopy().catch(() => null) : null;
      if (copy === null) throw error;
      return copy;
    }
  },
  staleTime: 60_000,
  networkMode: "always",
  refetchInterval: ({ state }) => (state.data?.copied_at === undefined ? false : ASK_AGAIN_MS),
});

export const useSession = () => useSuspenseQuery(sessionQuery).data;

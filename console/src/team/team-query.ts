/** The people of a venue, as the service last answered. */

import type { InvitationLimit } from "@comanda/contract/console/team.ts";
import { queryOptions } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call } from "#kit/api.ts";
import { formatDateTime } from "#kit/relative-time.tsx";

/** Undefined for any other error. */
export const useInvitationLimit = () => {
  const { t } = useTranslation();
  return (error: unknown): string | undefined => {
    if (!(error instanceof CallError) || error.code !== "rate_limited") return undefined;
    const { limit, until } = error.details as Partial<InvitationLimit>;
    return limit && until && t(`team.invite.limits.${limit}`, { at: formatDateTime(until) });
  };
};

/** When a person was last seen changes without a notice. */
const REFRESH_EVERY_MS = 60_000;

export const teamQuery = (venue: string) =>
  queryOptions({
    queryKey: ["team", venue],
    queryFn: async () => (await call("listTeam", { params: { venue } })).data,
    refetchInterval: REFRESH_EVERY_MS,
  });

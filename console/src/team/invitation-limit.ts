/** Why no more invitations are sent for now, and until when. */
import type { InvitationLimit } from "@comanda/contract/console/team.ts";
import { useTranslation } from "react-i18next";
import { CallError } from "#kit/api.ts";
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

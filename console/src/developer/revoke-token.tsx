import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatRelativeTime, useNow } from "../ui/relative-time.tsx";
import { useToast } from "../ui/toast.ts";
import { sumDay, useTokensChanged } from "./token-queries.ts";
import { useVenue } from "./venue.ts";

export const RevokeToken = ({ token, onClose }: { token: TokenRow | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const tokensChanged = useTokensChanged(venue);
  const revoke = useMutation({
    mutationFn: (revoked: TokenRow) => call("revokeToken", { params: { venue, id: revoked.id } }),
    onSuccess: async (_, revoked) => {
      onClose();
      toast.done(t("revoke.done", { name: revoked.name }));
      await tokensChanged();
    },
    onError: toast.error,
  });
  return (
    <ConfirmDialog
      isOpen={token !== null}
      title={t("revoke.title", { name: token?.name ?? "" })}
      lead={t("revoke.lead")}
      action={t("revoke.submit")}
      isPending={revoke.isPending}
      onConfirm={() => token && revoke.mutate(token)}
      onClose={onClose}
    >
      {token && <LastUse token={token} />}
    </ConfirmDialog>
  );
};

const LastUse = ({ token }: { token: TokenRow }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { requests } = sumDay(token.hours);
  return (
    <div className="sheet inset">
      <span className="code">{token.hint}</span>
      <Text size="sm">
        {token.last_used_at === null ? t("revoke.neverUsed") : t("revoke.lastUsed", { when: formatRelativeTime(token.last_used_at, now) })}
      </Text>
      {requests > 0 && (
        <Text size="sm" className="bad">
          {t("revoke.busy", { count: requests })}
        </Text>
      )}
    </div>
  );
};

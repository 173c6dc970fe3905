import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { sumDay, tokensQuery } from "./token-queries.ts";

export const RevokeToken = ({ token, onClose }: { token: TokenRow | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"revokeToken">({ readAgain: [tokensQuery(venue).queryKey] });
  const revoke = ({ id, name }: TokenRow) =>
    write({ id: "revokeToken", params: { venue, id } }, () => {
      onClose();
      toast.done(t("revoke.done", { name }));
    });
  return (
    <ConfirmDialog
      isOpen={token !== null}
      title={t("revoke.title", { name: token?.name ?? "" })}
      lead={t("revoke.lead")}
      action={t("revoke.submit")}
      isPending={isPending}
      onConfirm={() => token && revoke(token)}
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

import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { webhooksQuery } from "./webhook-queries.ts";

export const RemoveWebhook = ({ webhook, onClose }: { webhook: WebhookRow | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"removeWebhook">({
    readAgain: [webhooksQuery(venue).queryKey],
    onDone: () => toast.done(t("remove.done")),
    onClose,
  });
  return (
    <ConfirmDialog
      isOpen={webhook !== null}
      title={t("remove.title")}
      lead={t("remove.lead")}
      action={t("remove.submit")}
      isPending={isPending}
      onConfirm={() => webhook && write({ id: "removeWebhook", params: { venue, id: webhook.id } })}
      onClose={onClose}
    >
      {webhook && (
        <div className="sheet inset">
          <Text size="sm" className="break">
            <span className="code">{webhook.url}</span>
          </Text>
          {webhook.pending > 0 && (
            <Text size="sm" className="bad">
              {t("remove.pending", { count: webhook.pending })}
            </Text>
          )}
          {webhook.state !== "paused" && <Text size="sm">{t("remove.pauseInstead")}</Text>}
        </div>
      )}
    </ConfirmDialog>
  );
};

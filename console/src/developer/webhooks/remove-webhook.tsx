import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { useVenue } from "../venue.ts";
import { useWebhooksChanged } from "./webhook-queries.ts";

export const RemoveWebhook = ({ webhook, onClose }: { webhook: WebhookRow | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const webhooksChanged = useWebhooksChanged(venue);
  const remove = useMutation({
    mutationFn: ({ id }: WebhookRow) => call("removeWebhook", { params: { venue, id } }),
    onSuccess: async () => {
      onClose();
      toast.done(t("remove.done"));
      await webhooksChanged();
    },
    onError: toast.error,
  });
  return (
    <ConfirmDialog
      isOpen={webhook !== null}
      title={t("remove.title")}
      lead={t("remove.lead")}
      action={t("remove.submit")}
      isPending={remove.isPending}
      onConfirm={() => webhook && remove.mutate(webhook)}
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

import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { ActionIcon, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { BinIcon, DotsIcon, EditIcon, ListIcon, PauseIcon, PlayIcon, RollIcon, SendIcon } from "../../ui/icons.tsx";
import { useToast } from "../../ui/toast.ts";
import { useRetry } from "../deliveries/delivery-queries.ts";
import { useIsOwner } from "../role.ts";
import { useVenue } from "../venue.ts";
import { useWebhooksChanged } from "./webhook-queries.ts";

export type WebhookTask = "edit" | "rotate" | "remove";

type WebhookMenuProps = { webhook: WebhookRow; onPing: (eventId: string) => void; onDo: (task: WebhookTask) => void };

const useActs = (webhook: WebhookRow, onPing: WebhookMenuProps["onPing"]) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const webhooksChanged = useWebhooksChanged(venue);
  const params = { venue, id: webhook.id };
  const ping = useMutation({
    mutationFn: async () => (await call("pingWebhook", { params })).data,
    onSuccess: ({ event_id }) => onPing(event_id),
    onError: toast.error,
  });
  const pause = useMutation({
    mutationFn: (is_paused: boolean) => call("changeWebhook", { params, body: { is_paused } }),
    onSuccess: async (_, isPaused) => {
      toast.done(t(isPaused ? "webhooks.paused" : "webhooks.resumed"));
      await webhooksChanged();
    },
    onError: toast.error,
  });
  return { ping, pause };
};

export const WebhookMenu = ({ webhook, onPing, onDo }: WebhookMenuProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const isOwner = useIsOwner();
  return (
    <Menu position="bottom-end" width={230} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("common.more", { name: webhook.url })} className="hook-more">
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ListIcon size={16} />}
          renderRoot={(props) => <Link to="/v/$venue/deliveries" params={{ venue }} search={{ webhook: webhook.id }} {...props} />}
        >
          {t("webhooks.deliveries")}
        </Menu.Item>
        {isOwner && <OwnerItems webhook={webhook} onPing={onPing} onDo={onDo} />}
      </Menu.Dropdown>
    </Menu>
  );
};

const OwnerItems = ({ webhook, onPing, onDo }: WebhookMenuProps) => {
  const { t } = useTranslation();
  const { ping, pause } = useActs(webhook, onPing);
  const retry = useRetry();
  const isPaused = webhook.state === "paused";
  return (
    <>
      {webhook.waiting > 0 && (
        <Menu.Item leftSection={<RollIcon size={16} />} onClick={() => retry.mutate({ webhook: webhook.id })}>
          {t("retry.all")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<SendIcon size={16} />} disabled={isPaused} onClick={() => ping.mutate()}>
        {t(isPaused ? "webhooks.pausedPing" : "webhooks.ping")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<EditIcon size={16} />} onClick={() => onDo("edit")}>
        {t("webhooks.edit")}
      </Menu.Item>
      <Menu.Item leftSection={isPaused ? <PlayIcon size={16} /> : <PauseIcon size={16} />} onClick={() => pause.mutate(!isPaused)}>
        {t(isPaused ? "webhooks.resume" : "webhooks.pause")}
      </Menu.Item>
      <Menu.Item leftSection={<RollIcon size={16} />} onClick={() => onDo("rotate")}>
        {t("webhooks.rotate")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<BinIcon size={16} />} c="var(--mantine-color-error)" onClick={() => onDo("remove")}>
        {t("webhooks.remove")}
      </Menu.Item>
    </>
  );
};

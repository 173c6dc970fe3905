import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { ActionIcon, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { BinIcon, DotsIcon, EditIcon, ListIcon, PauseIcon, PlayIcon, RollIcon, SendIcon } from "#kit/icons.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { useRetry } from "../deliveries/delivery-queries.ts";
import { webhooksQuery } from "./webhook-queries.ts";

export type WebhookTask = "edit" | "rotate" | "remove";

type WebhookMenuProps = { webhook: WebhookRow; onPing: (eventId: string) => void; onDo: (task: WebhookTask) => void };

/** The writes do not belong to the items, which are gone when the menu closes: a second press repeats what was not answered. */
const useActs = ({ id }: WebhookRow, onPing: WebhookMenuProps["onPing"]) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const params = { venue, id };
  const ping = useWrite<"pingWebhook">({ onDone: ({ data }) => onPing(data.event_id) });
  const pause = useWrite<"changeWebhook">({
    readAgain: [webhooksQuery(venue).queryKey],
    onDone: (_answer, { body }) => toast.done(t(body.is_paused ? "webhooks.paused" : "webhooks.resumed")),
  });
  const retry = useRetry();
  return {
    ping: () => ping.write({ id: "pingWebhook", params }),
    pause: (is_paused: boolean) => pause.write({ id: "changeWebhook", params, body: { is_paused } }),
    retry: () => retry.send({ webhook: id }),
  };
};

export const WebhookMenu = ({ webhook, onPing, onDo }: WebhookMenuProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const isOwner = useIsOwner();
  const acts = useActs(webhook, onPing);
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
        {isOwner && <OwnerItems webhook={webhook} acts={acts} onDo={onDo} />}
      </Menu.Dropdown>
    </Menu>
  );
};

type OwnerItemsProps = Pick<WebhookMenuProps, "webhook" | "onDo"> & { acts: ReturnType<typeof useActs> };

const OwnerItems = ({ webhook, acts, onDo }: OwnerItemsProps) => {
  const { t } = useTranslation();
  const isPaused = webhook.state === "paused";
  return (
    <>
      {webhook.waiting > 0 && (
        <Menu.Item leftSection={<RollIcon size={16} />} onClick={acts.retry}>
          {t("retry.all")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<SendIcon size={16} />} disabled={isPaused} onClick={acts.ping}>
        {t(isPaused ? "webhooks.pausedPing" : "webhooks.ping")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<EditIcon size={16} />} onClick={() => onDo("edit")}>
        {t("webhooks.edit")}
      </Menu.Item>
      <Menu.Item leftSection={isPaused ? <PlayIcon size={16} /> : <PauseIcon size={16} />} onClick={() => acts.pause(!isPaused)}>
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

/** The tickets that were closed last. One tap brings a ticket back. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { UndoIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatClock } from "#kit/venue-time.ts";
import { BigDialog } from "./big-dialog.tsx";
import { useKitchenContext, useTicketNames } from "./kitchen-actions.ts";
import { type QueuedChange, recallable } from "./ticket-changes.ts";

const ANSWER_MS_MAX = 10_000;

const doneTicketsQuery = queryOptions({
  queryKey: ["done-tickets"],
  queryFn: async () => (await call("listDoneTickets", { waitMsMax: ANSWER_MS_MAX })).data,
  staleTime: 0,
  retry: 1,
  networkMode: "always",
});

type PanelProps = { queued: readonly QueuedChange[]; shown: readonly KitchenTicket[]; onClose: () => void };

export const RecallPanel = ({ queued, shown, onClose }: PanelProps) => {
  const { t } = useTranslation();
  const { actions } = useKitchenContext();
  const { data, isError, isPending } = useQuery(doneTicketsQuery);
  const tickets = recallable(data ?? [], queued, shown);
  return (
    <BigDialog title={t("kitchen.recall")} onClose={onClose}>
      <p className="kd-lead">{isError ? t("kitchen.recallUnread") : t("kitchen.recallLead")}</p>
      {tickets.length === 0 && <p className="kd-lead">{isPending ? t("kitchen.recallWaits") : t("kitchen.recallNone")}</p>}
      <ul className="kd-rows">
        {tickets.map((ticket) => (
          <li key={ticket.id}>
            <DoneTicket
              ticket={ticket}
              onRecall={() => {
                actions.recall(ticket);
                onClose();
              }}
            />
          </li>
        ))}
      </ul>
    </BigDialog>
  );
};

const DoneTicket = ({ ticket, onRecall }: { ticket: KitchenTicket; onRecall: () => void }) => {
  const { t } = useTranslation();
  const { zone } = useKitchenContext();
  const { nameOf, whoOf } = useTicketNames();
  const dishOf = useLocalizedName();
  const dishes = ticket.lines.map(({ quantity, name }) => `${quantity} ${dishOf(name)}`).join(" · ");
  return (
    <button type="button" className="kd-done" onClick={onRecall}>
      <span className="kd-hidden">{t("kitchen.recall")} </span>
      <UndoIcon size={30} />
      <bdi className="kd-number figures">{nameOf(ticket)}</bdi>
      <span className="kd-done-more">
        <span>{whoOf(ticket)}</span>
        <span className="kd-quiet">{dishes}</span>
      </span>
      {ticket.done_at !== null && (
        <span className="kd-quiet figures">{t("kitchen.doneAt", { time: formatClock(ticket.done_at, zone) })}</span>
      )}
    </button>
  );
};

/** What can be done with a ticket besides cooking it. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "../ui/localized-name.ts";
import { BigDialog } from "./big-dialog.tsx";
import { useKitchenContext, useTicketNames } from "./kitchen-actions.ts";

export const TicketSheet = ({ ticket, onClose }: { ticket: KitchenTicket; onClose: () => void }) => {
  const { t } = useTranslation();
  const { actions } = useKitchenContext();
  const { nameOf, whoOf } = useTicketNames();
  const dishOf = useLocalizedName();
  const dishes = [...new Map(ticket.lines.filter(({ item_id }) => item_id !== null).map((line) => [line.item_id, line])).values()];
  const doAndClose = (act: () => void) => (): void => {
    act();
    onClose();
  };
  return (
    <BigDialog title={t("kitchen.sheetOf", { name: nameOf(ticket), who: whoOf(ticket) })} onClose={onClose}>
      {ticket.state === "fired" && (
        <button
          type="button"
          className="kd-button kd-button-wide kd-button-main"
          onClick={doAndClose(() => actions.setPriority(ticket, !ticket.is_priority))}
        >
          ★ {ticket.is_priority ? t("kitchen.notFirst") : t("kitchen.makeFirst")}
        </button>
      )}
      <ul className="kd-rows">
        {dishes.map((line) => (
          <li key={line.index} className="kd-row">
            <span className="kd-row-name">{dishOf(line.name)}</span>
            <button
              type="button"
              className="kd-button"
              aria-label={t("kitchen.soldOutOf", { dish: dishOf(line.name) })}
              onClick={doAndClose(() => actions.sellOut(line))}
            >
              {t("kitchen.soldOut")}
            </button>
          </li>
        ))}
      </ul>
    </BigDialog>
  );
};

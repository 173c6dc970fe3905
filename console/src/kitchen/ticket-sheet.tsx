/** What can be done with a ticket besides cooking it. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useWrite } from "#kit/write.ts";
import { BigDialog } from "./big-dialog.tsx";
import { useKitchenContext, useTicketNames } from "./kitchen-actions.ts";

type TicketSheetProps = { ticket: KitchenTicket; onToast: (text: string) => void; onEnded: () => void; onClose: () => void };

/**
 * It is not queued: after hours without a connection the dish may be back. The sheet is closed by the press, and the answer is shown all
 * the same.
 */
const useSellOut = ({ ticket: { lines }, onToast, onEnded }: TicketSheetProps): ((dish: number) => void) => {
  const { t } = useTranslation();
  const nameOf = useLocalizedName();
  const describe = useErrorText();
  const dishOf = (id: string | number): string => nameOf(lines.find(({ item_id }) => item_id === id)?.name ?? {});
  const { write } = useWrite<"sellOutDish">({
    waitMsMax: 10_000,
    onDone: (_answer, { params }) => onToast(t("kitchen.soldOutDone", { dish: dishOf(params.id) })),
    onRefused: (error, { params }) => {
      if (hasErrorCode(error, "signed_out")) onEnded();
      else onToast(t("kitchen.soldOutFailed", { dish: dishOf(params.id), reason: describe(error) }));
    },
  });
  return (id) => write({ id: "sellOutDish", params: { id } });
};

export const TicketSheet = (props: TicketSheetProps) => {
  const { ticket, onClose } = props;
  const { t } = useTranslation();
  const sellOut = useSellOut(props);
  const { actions } = useKitchenContext();
  const { nameOf, whoOf } = useTicketNames();
  const dishOf = useLocalizedName();
  const dishes = new Map(ticket.lines.flatMap(({ item_id, name }) => (item_id === null ? [] : [[item_id, name] as const])));
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
        {[...dishes].map(([id, name]) => (
          <li key={id} className="kd-row">
            <span className="kd-row-name">{dishOf(name)}</span>
            <button
              type="button"
              className="kd-button"
              aria-label={t("kitchen.soldOutOf", { dish: dishOf(name) })}
              onClick={doAndClose(() => sellOut(id))}
            >
              {t("kitchen.soldOut")}
            </button>
          </li>
        ))}
      </ul>
    </BigDialog>
  );
};

/** Everything but the next step of an order. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useTranslation } from "react-i18next";
import { ActionMenu, MenuAction } from "#kit/action-menu.tsx";
import { BinIcon, DotsIcon, ListIcon, NoIcon, PrintIcon, TakingsIcon } from "#kit/icons.tsx";
import { dueOf } from "./counter-amounts.ts";
import { useBoardContext } from "./order-actions.ts";
import { orderNameOf, STEPS } from "./order-steps.ts";

export const OrderMenu = ({ order, isWaiting }: { order: BoardOrder; isWaiting: boolean }) => {
  const { t } = useTranslation();
  return (
    <ActionMenu className="order-more" label={t("order.menu", { name: orderNameOf(order) })} icon={<DotsIcon />}>
      <MenuItems order={order} isWaiting={isWaiting} />
    </ActionMenu>
  );
};

/** An order with a change that waits for the connection cannot be closed: the server would compare with a status that it has not seen. */
const MenuItems = ({ order, isWaiting }: { order: BoardOrder; isWaiting: boolean }) => {
  const { t } = useTranslation();
  const { open, print } = useBoardContext();
  const steps = STEPS[order.order.status];
  const [canReject, canCancel] = [steps.canReject && !isWaiting, steps.canCancel && !isWaiting];
  return (
    <>
      <MenuAction icon={<ListIcon />} onSelect={() => open({ kind: "details", order })}>
        {t("order.details")}
      </MenuAction>
      {dueOf(order) > 0 && (
        <MenuAction icon={<TakingsIcon />} onSelect={() => open({ kind: "payment", order })}>
          {t("order.takePayment")}
        </MenuAction>
      )}
      <MenuAction icon={<PrintIcon />} onSelect={() => print(order, "receipt")}>
        {t("order.printReceipt")}
      </MenuAction>
      <MenuAction icon={<PrintIcon />} onSelect={() => print(order, "ticket")}>
        {t("order.printTicket")}
      </MenuAction>
      {(canReject || canCancel) && <hr />}
      {canReject && (
        <MenuAction className="bad" icon={<NoIcon />} onSelect={() => open({ kind: "reject", order })}>
          {t("order.reject")}
        </MenuAction>
      )}
      {canCancel && (
        <MenuAction className="bad" icon={<BinIcon />} onSelect={() => open({ kind: "cancel", order })}>
          {t("order.cancel")}
        </MenuAction>
      )}
    </>
  );
};

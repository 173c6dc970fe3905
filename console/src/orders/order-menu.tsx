/** Everything but the next step of an order. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { ActionIcon, Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon, DotsIcon, ListIcon, NoIcon, PrintIcon, TakingsIcon } from "../ui/icons.tsx";
import { dueOf } from "./counter-amounts.ts";
import { useBoardContext } from "./order-actions.ts";
import { orderNameOf, STEPS } from "./order-steps.ts";

/** An order with a change that waits for the connection cannot be closed: the server would compare with a status that it has not seen. */
export const OrderMenu = ({ order, isWaiting }: { order: BoardOrder; isWaiting: boolean }) => {
  const { t } = useTranslation();
  const { open, print } = useBoardContext();
  const steps = STEPS[order.order.status];
  const [canReject, canCancel] = [steps.canReject && !isWaiting, steps.canCancel && !isWaiting];
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" className="order-more" aria-label={t("order.menu", { name: orderNameOf(order) })}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="order-menu">
        <Menu.Item leftSection={<ListIcon />} onClick={() => open({ kind: "details", order })}>
          {t("order.details")}
        </Menu.Item>
        {dueOf(order) > 0 && (
          <Menu.Item leftSection={<TakingsIcon />} onClick={() => open({ kind: "payment", order })}>
            {t("order.takePayment")}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<PrintIcon />} onClick={() => print(order, "receipt")}>
          {t("order.printReceipt")}
        </Menu.Item>
        <Menu.Item leftSection={<PrintIcon />} onClick={() => print(order, "ticket")}>
          {t("order.printTicket")}
        </Menu.Item>
        {(canReject || canCancel) && <Menu.Divider />}
        {canReject && (
          <Menu.Item className="bad" leftSection={<NoIcon />} onClick={() => open({ kind: "reject", order })}>
            {t("order.reject")}
          </Menu.Item>
        )}
        {canCancel && (
          <Menu.Item className="bad" leftSection={<BinIcon />} onClick={() => open({ kind: "cancel", order })}>
            {t("order.cancel")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

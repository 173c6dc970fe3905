import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useBoardContext } from "../order-actions.ts";
import { strikeableOf } from "./can-strike.ts";

export const StrikeButton = ({ order, line }: { order: BoardOrder; line: OrderLine }) => {
  const { t } = useTranslation();
  const { open } = useBoardContext();
  const pick = useLocalizedName();
  if (strikeableOf(order.order, line) === 0) return null;
  return (
    <Button
      variant="default"
      className="service-target line-strike"
      aria-label={`${t("strike.strike")} ${t("strike.line", { quantity: line.quantity, line: pick(line.name) })}`}
      onClick={() => open({ kind: "strike", order, line })}
    >
      {t("strike.strike")}
    </Button>
  );
};

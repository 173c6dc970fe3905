/** What a type is now, in words. */
import type { TypeLoad } from "@comanda/contract/console/order-types.ts";
import { useTranslation } from "react-i18next";
import { formatClock } from "#kit/venue-time.ts";
import { useBoardContext } from "../order-actions.ts";

export const useLoadText = () => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  return ({ paused_until, busy_until, extra_minutes }: TypeLoad): string => {
    const parts = [
      ...(paused_until === null ? [] : [t("pause.states.paused", { time: formatClock(paused_until, zone) })]),
      ...(busy_until === null ? [] : [t("pause.states.busy", { minutes: extra_minutes, time: formatClock(busy_until, zone) })]),
    ];
    return parts.length === 0 ? t("pause.states.open") : parts.join(" · ");
  };
};

/** The state of a dish or an option in words. An end on another day names the day. */
import type { DishState, OptionState } from "@comanda/contract/console/menu-today.ts";
import { useTranslation } from "react-i18next";
import { formatClock, formatDayAndClock } from "#kit/venue-time.ts";

const HALF_DAY_MS = 12 * 60 * 60 * 1000;

/** Within half a day a time needs no date. */
export const formatEnd = (until: string, zone: string): string =>
  Date.parse(until) - Date.now() < HALF_DAY_MS ? formatClock(until, zone) : formatDayAndClock(until, zone);

export const useStateText = () => {
  const { t } = useTranslation();
  return (state: DishState | OptionState, zone: string): string => {
    if (state.kind === "available") return t("menuToday.states.available");
    if (state.kind === "counted") {
      const count = state.remaining ?? 0;
      return count === 0 ? t("menuToday.states.none") : t("menuToday.states.left", { count });
    }
    return state.until === null
      ? t("menuToday.states.soldOut")
      : t("menuToday.states.soldOutUntil", { time: formatEnd(state.until, zone) });
  };
};

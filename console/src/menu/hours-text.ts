import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import type { TFunction } from "i18next";

/** Weekly times in one line: Fri 18:00–20:00. */
export const hoursText = (t: TFunction, hours: Hours | null): string =>
  (hours ?? []).map(({ days, from, to }) => `${days.map((day) => t(`hoursFields.weekdays.${day}`)).join(", ")} ${from}–${to}`).join("; ");

/** Days of a card: when it can be used last. */
import { dateLocale } from "#kit/language.ts";

/** A calendar day has no zone. */
export const formatDay = (date: string): string =>
  new Intl.DateTimeFormat(dateLocale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

/** Returns this day some years later; 29 February becomes 28 February. */
export const yearsAfter = (today: string, years: number): string => {
  const [year = "", month, day] = today.split("-");
  const later = `${Number(year) + years}-${month}`;
  return month === "02" && day === "29" ? `${later}-28` : `${later}-${day}`;
};

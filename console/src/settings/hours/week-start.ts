/** The days of a week in the order of the reader's country. Monday is 0. */
import { WEEK } from "./week-rules.ts";

type WeekInfo = { firstDay: number };
/** Browsers have the one or the other. */
type LocaleWithWeek = { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };

/** The browser names countries ("en-GB"), the console only languages. */
export const weekOrder = (language: string, preferred: readonly string[]): number[] => {
  const tag = preferred.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;
  const locale = new Intl.Locale(tag) as LocaleWithWeek;
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 };
  return WEEK.map((_name, at) => (at + firstDay - 1) % WEEK.length);
};

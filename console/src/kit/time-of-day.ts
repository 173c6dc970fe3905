/** A time as people write it: "18:30", "1830", "18.30", "6:30 pm", "١٨:٣٠". */
const ARABIC_DIGITS = "٠١٢٣٤٥٦٧٨٩";
const PERSIAN_DIGITS = "۰۱۲۳۴۵۶۷۸۹";
const TIME = /^(\d{1,2})(?:\s*[:.,h]?\s*(\d{2}))?\s*(?:h|uhr)?\s*([ap]\.?m?\.?|[صم])?$/;

const withWesternDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(Math.max(ARABIC_DIGITS.indexOf(digit), PERSIAN_DIGITS.indexOf(digit))));

/** The clock has two halves: 12 is the first hour of each. Null where the hour is none of its hours. */
const hourOfHalf = (hour: number, half: string): number | null => {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.startsWith("p") || half === "م" ? 12 : 0);
};

/** `HH:MM`, or null. */
export const readTimeOfDay = (text: string): string | null => {
  const [, hours, minutes = "00", half] = TIME.exec(withWesternDigits(text).trim().toLowerCase()) ?? [];
  if (hours === undefined) return null;
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  return hour === null || hour > 23 || Number(minutes) > 59 ? null : `${String(hour).padStart(2, "0")}:${minutes}`;
};

/** What more letters would hardly change: taken while it is typed. */
export const isWholeTime = (text: string): boolean => /^\d{1,2}[:.]\d{2}$/.test(withWesternDigits(text).trim());

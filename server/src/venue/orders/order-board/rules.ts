/** What a search means, and when a reading of the board is recorded. */
import { latinDigits } from "@comanda/contract/digits.ts";

export type SearchedOrder = { number: number | null; name: string | null; digits: string | null; table: string | null };

/** "42" and "#42" are numbers and the last digits of a phone number; anything else is part of a name. Null: no order can match. */
export const parseSearch = (text: string): SearchedOrder | null => {
  const compact = latinDigits(text).replaceAll(/[\s()+./-]/g, "");
  const [, digits] = /^#?(\d{1,15})$/.exec(compact) ?? [];
  if (digits === undefined) return text.trim() === "" ? null : { number: null, name: text.trim(), digits: null, table: null };
  const number = digits.length <= 6 && Number(digits) > 0 ? Number(digits) : null;
  const lastDigits = text.trim().startsWith("#") || digits.length < 3 ? null : digits;
  const table = text.trim().startsWith("#") || number === null ? null : String(number);
  return number === null && lastDigits === null ? null : { number, name: null, digits: lastDigits, table };
};

const MINUTE_MS = 60_000;
/** A board that stays open without news is recorded this often at most. */
const READING_MS_MAX = 5 * MINUTE_MS;

type Reading = { number: number; read_at: Date };

/** Whether a screen shows more than what is recorded: an order that waits, or a board that was not open lately. */
export const isNewReading = (recorded: Reading | undefined, reading: Reading, hasWaitingOrder: boolean): boolean =>
  !recorded ||
  reading.read_at.getTime() - recorded.read_at.getTime() >= READING_MS_MAX ||
  (hasWaitingOrder && reading.number > recorded.number);

/** An order may wait for a minute without being shown. Alarms are 15 minutes apart. */
export const alarmLimits = (now: Date): { waitingBefore: Date; lastAlarmBefore: Date } => ({
  waitingBefore: new Date(now.getTime() - MINUTE_MS),
  lastAlarmBefore: new Date(now.getTime() - 15 * MINUTE_MS),
});

/** The position that a page sends back, and what a search means. */

/** Changes without an event are kept for two days. A page that slept longer than this reads everything. */
const POSITION_MS_MAX = 24 * 60 * 60 * 1000;
/** Reading the whole board is cheaper than this many changes. */
const CHANGES_MAX = 500;

export type BoardPosition = { epoch: string; number: number; at: Date };

export const formatPosition = ({ epoch, number, at }: BoardPosition): string => `${epoch}.${number}.${at.getTime()}`;

/** Null for a text that is no position. */
export const parsePosition = (text: string): BoardPosition | null => {
  const [, epoch = "", number, at] = /^([0-9-]{1,40})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return number === undefined ? null : { epoch, number: Number(number), at: new Date(Number(at)) };
};

/** Whether the changes after `known` can be listed one by one. */
export const canContinue = (known: BoardPosition, present: BoardPosition): boolean =>
  known.epoch === present.epoch &&
  known.number <= present.number &&
  present.number - known.number <= CHANGES_MAX &&
  present.at.getTime() - known.at.getTime() < POSITION_MS_MAX;

/** "42" and "#42" are numbers and the last digits of a phone number; anything else is part of a name. */
export const parseSearch = (text: string): { number: number | null; name: string | null; digits: string | null } => {
  const compact = text.replaceAll(/[\s()+./-]/g, "");
  const [, digits] = /^#?(\d{1,15})$/.exec(compact) ?? [];
  if (digits === undefined) return { number: null, name: text.trim(), digits: null };
  const number = digits.length <= 6 && Number(digits) > 0 ? Number(digits) : null;
  return { number, name: null, digits: text.trim().startsWith("#") || digits.length < 3 ? null : digits };
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

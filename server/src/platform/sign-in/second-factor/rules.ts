/** The daily limit of wrong codes, and when the user is alerted. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** What was proven before the code. Wrong codes are counted for each, so a stolen password cannot use up the owner's attempts on a known device. */
export type FirstFactor = "password" | "device" | "mailbox";

/** Three codes out of a million are valid at a time: twenty wrongCodes a day succeed with 1 in 16,000. */
export const WRONG_CODES_PER_DAY_MAX = 20;
const ALERT_AT = 5;

export type WrongCodes = { since: Date; wrong: number };

export const wrongToday = (wrongCodes: WrongCodes | undefined, now: Date): number =>
  wrongCodes && now.getTime() - wrongCodes.since.getTime() < DAY_MS ? wrongCodes.wrong : 0;

export const isLimitReached = (wrongCodes: WrongCodes | undefined, now: Date): boolean =>
  wrongToday(wrongCodes, now) >= WRONG_CODES_PER_DAY_MAX;

export const secondsUntilReset = (wrongCodes: WrongCodes, now: Date): number =>
  Math.max(1, Math.ceil((wrongCodes.since.getTime() + DAY_MS - now.getTime()) / 1000));

/** The day begins with the first wrong code. */
export const countWrongCode = (wrongCodes: WrongCodes | undefined, now: Date): WrongCodes => {
  const wrong = wrongToday(wrongCodes, now);
  return wrong > 0 && wrongCodes ? { since: wrongCodes.since, wrong: wrong + 1 } : { since: now, wrong: 1 };
};

/** Once a day for each first factor. */
export const isAlertDue = ({ wrong }: WrongCodes): boolean => wrong === ALERT_AT;

/** How many wrong codes a day may bring, and when the person is told. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** What was proven before the code: wrong codes are counted apart, so a thief of the password cannot use up the codes of the owner. */
export type Proof = "password" | "device" | "mailbox";

/** Twenty guesses of three codes that are good at a time, out of a million: 1 in 16,000 a day. */
export const WRONG_CODES_PER_DAY_MAX = 20;
const ALERT_AT = 5;

export type Guesses = { since: Date; wrong: number };

export const wrongToday = (guesses: Guesses | undefined, now: Date): number =>
  guesses && now.getTime() - guesses.since.getTime() < DAY_MS ? guesses.wrong : 0;

export const isUsedUp = (guesses: Guesses | undefined, now: Date): boolean => wrongToday(guesses, now) >= WRONG_CODES_PER_DAY_MAX;

/** When the next code may be tried. */
export const secondsUntilNext = (guesses: Guesses, now: Date): number =>
  Math.max(1, Math.ceil((guesses.since.getTime() + DAY_MS - now.getTime()) / 1000));

/** One more wrong code; the day begins with the first. */
export const addGuess = (guesses: Guesses | undefined, now: Date): Guesses => {
  const wrong = wrongToday(guesses, now);
  return wrong > 0 && guesses ? { since: guesses.since, wrong: wrong + 1 } : { since: now, wrong: 1 };
};

/** Once a day for each proof. */
export const isWorthAnAlert = ({ wrong }: Guesses): boolean => wrong === ALERT_AT;

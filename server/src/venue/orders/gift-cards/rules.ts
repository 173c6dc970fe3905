/** Whether a card can pay, and when it expires. */
import type { GiftCardStatus } from "@comanda/contract/console/gift-cards.ts";
import { addDays, formatDate, parseDate, startOfDay } from "#lib/instant.ts";
import { formatAmount } from "#lib/money.ts";
import { wallClock } from "#lib/time-zone.ts";

/** A card is valid for at most this many years. */
const YEARS_MAX = 10;
/** A refund to a card that expired opens it again for this long. */
const REOPENED_DAYS = 30;

export const last4Of = (plainCode: string): string => plainCode.slice(-4);

export const todayOf = (zone: string, now: Date): string => formatDate(wallClock(zone, now));

/** The midnight after the last day on the venue's clock. */
export const endOf = (expiresOn: string, zone: string): Date => {
  const date = parseDate(expiresOn);
  if (!date) throw new Error("A card's last day is a date");
  return startOfDay(zone, addDays(date, 1));
};

/** The last second of the last day. */
export const lastSecondOf = (expiresOn: string, zone: string): Date => new Date(endOf(expiresOn, zone).getTime() - 1000);

export const isPastLastDay = (expiresOn: string | null, today: string): boolean => expiresOn !== null && expiresOn < today;

export const expiryFault = (expiresOn: string | null, today: string): string | null => {
  if (expiresOn === null) return null;
  const latest = `${Number(today.slice(0, 4)) + YEARS_MAX}${today.slice(4)}`;
  return expiresOn < today || expiresOn > latest ? `Must be today or later, and at most ${YEARS_MAX} years ahead.` : null;
};

/** The later of the card's own last day and a month from today. */
export const reopenedUntil = (expiresOn: string, zone: string, now: Date): string => {
  const inAMonth = formatDate(addDays(wallClock(zone, now), REOPENED_DAYS));
  return expiresOn > inAMonth ? expiresOn : inAMonth;
};

type PayingCard = { status: GiftCardStatus; expires_on: string | null; balance_minor: number; currency: string };

/** Why the card cannot pay this amount: the field and its sentence. Null when it can. */
export const refusalOf = (card: PayingCard, amountMinor: number, today: string): Record<string, string[]> | null => {
  if (card.status === "frozen") return { gift_card: ["The gift card is frozen."] };
  if (card.status === "expired" || isPastLastDay(card.expires_on, today)) return { gift_card: ["The gift card has expired."] };
  if (amountMinor <= card.balance_minor) return null;
  return { amount_minor: [`The gift card has only ${formatAmount(card.balance_minor, card.currency)} left.`] };
};

const LAST4 = /^[0-9A-Z]{4}$/;

/** What is searched for as the end of a code. Null when it cannot be one. */
export const searchedLast4 = (text: string): string | null => {
  const plain = text.trim().toUpperCase();
  return LAST4.test(plain) ? plain : null;
};

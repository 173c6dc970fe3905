/** When a message is sent, in which language, and when it is retried. Its texts are in texts.ts. */

import { MESSAGE_RETRIES_MAX, type MessageFailure, type MessageState, type MessageSubject } from "@comanda/contract/console/messages.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { isReviewMessage } from "./review-texts.ts";
import { isGuestNotification, LANGUAGES, type MessageLanguage } from "./texts.ts";

/** The first preference that has texts, else English. `it-CH` matches `it`. */
export const chooseLanguage = (preferences: readonly (string | null)[]): MessageLanguage => {
  for (const preference of preferences) {
    const language = LANGUAGES.find((known) => known === preference?.split("-")[0]);
    if (language) return language;
  }
  return "en";
};

/** The order for all mail to staff: the user's choice, the invitation's language, the venue's language, English. */
export const staffLanguage = ({ own, invited, venue }: Record<"own" | "invited" | "venue", string | null>): MessageLanguage =>
  chooseLanguage([own, invited, venue]);

/** The name in this language, else in the fallback, else in any language. */
export const translatedName = (names: Translations, language: string, fallback: string): string =>
  names[language] ?? names[fallback] ?? Object.values(names).find((name) => name !== null) ?? "";

/** E-mail if the guest gave an address, else a text message. */
export const chooseChannel = ({
  email,
  phone,
}: {
  email: string | null;
  phone: string;
}): { channel: "email" | "sms"; recipient: string } =>
  email === null ? { channel: "sms", recipient: phone } : { channel: "email", recipient: email };

const RETRY_SECONDS = [60, 300, 1800, 7200];

/** Null after the last attempt. */
export const retryAfterSeconds = (attempts: number): number | null => RETRY_SECONDS[attempts - 1] ?? null;

/** The limit of 24 hours. Two bookings with a change and a cancellation each stay below it; a loop of bookings does not. */
const GUEST_MESSAGES_MAX = 6;
const OTHER_MESSAGES_MAX = 20;

export type DailyLimits = { smsPerVenue: number; mailsPerVenue: number };
export type SentToday = { toRecipient: number; byVenue: number };

/** Why a message is not sent, or null. Text messages cost money, and an unauthenticated booking chooses the recipient. */
export const skipReason = (
  { kind, channel }: { kind: string; channel: "email" | "sms" },
  sent: SentToday,
  limits: DailyLimits,
): string | null => {
  const perRecipient = isGuestNotification(kind) || isReviewMessage(kind) ? GUEST_MESSAGES_MAX : OTHER_MESSAGES_MAX;
  if (sent.toRecipient >= perRecipient) return `this recipient was sent ${sent.toRecipient} messages in 24 hours`;
  const perVenue = channel === "sms" ? limits.smsPerVenue : limits.mailsPerVenue;
  return sent.byVenue >= perVenue ? `the venue sent ${sent.byVenue} such messages in 24 hours` : null;
};

/** Which messages can be sent again by hand, and to which address. */
const HOUR_MS = 60 * 60 * 1000;

/** What pages show, and what can be sent again. */
export const SHOWN_MS = 7 * 24 * HOUR_MS;
/** The table that was free is not free the next day. */
const RETRY_MS: Partial<Record<MessageSubject, number>> = { waiting: 12 * HOUR_MS };

/** What staff see in the bookings. All other messages are the managers'. */
const OF_STAFF: readonly MessageSubject[] = ["reservation", "waiting"];
export const isOfStaff = (about: MessageSubject): boolean => OF_STAFF.includes(about);

type StoredState = { state: "queued" | "sent" | "failed" | "skipped"; failure: MessageFailure | null };

/** A message above the limit of a day was not sent although it was meant to be. */
export const shownState = ({ state, failure }: StoredState): MessageState => {
  if (state === "queued") return "waiting";
  return state === "skipped" && failure === "limit" ? "failed" : state;
};

type RetriedMessage = StoredState & { about_kind: MessageSubject; retries: number; created_at: Date; hasText: boolean };

export const canRetry = (message: RetriedMessage, now: Date): boolean =>
  shownState(message) === "failed" &&
  message.hasText &&
  message.retries < MESSAGE_RETRIES_MAX &&
  now.getTime() - message.created_at.getTime() < (RETRY_MS[message.about_kind] ?? SHOWN_MS);

const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/;
const NUMBER = /^[+\d\p{Nd}][\p{Nd}\s().-]{2,39}$/u;

/** Null: nothing is wrong with it. */
export const recipientFault = (channel: "email" | "sms", recipient: string): string | null => {
  if (channel === "email") return ADDRESS.test(recipient) ? null : "Enter an e-mail address, such as ada@example.com.";
  return NUMBER.test(recipient) ? null : "Enter a phone number, such as +39 055 123456.";
};

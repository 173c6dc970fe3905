/** Which messages can be sent again by hand, and to which address. */
import { MESSAGE_RETRIES_MAX, type MessageFailure, type MessageState, type MessageSubject } from "@comanda/contract/console/messages.ts";

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

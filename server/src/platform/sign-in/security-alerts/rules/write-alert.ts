/** Composes the mail about a security event, and limits how many are sent. */
import { plainLine, plainName } from "#lib/plain-text.ts";
import type { MessageLanguage } from "#platform/messages/notifications/rules/texts.ts";
import { type AlertKind, type AlertSubject, LABELS, LAST_OF_DAY, TEXTS } from "./texts.ts";

export type AlertFacts = {
  name: string;
  device: string | null;
  address: string | null;
  at: Date;
  byEmail?: string | null;
} & Partial<AlertSubject>;

/** `lastBody` replaces `body` in the last mail that is sent within a day. */
type AlertText = { subject: string; body: string; lastBody: string };
/** The limit for one address, kind and venue in a day. The last mail says that no more follow. */
export const ALERTS_PER_DAY_MAX = 5;
/** The limit for one address of alerts from all its venues: more than one venue can cause, so that none uses up what others have. */
export const VENUE_ALERTS_PER_DAY_MAX = 100;
export const ALERT_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Times are in UTC, because the user's time zone is not known. */
const formatUtc = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** A user can choose any name, so the sign-in address is shown beside it. */
const formatActor = ({ by = "", byEmail = null }: AlertFacts): string =>
  byEmail === null ? plainName(by) : `${plainName(by)} (${plainLine(byEmail, 254)})`;

export const writeAlert = (kind: AlertKind, language: MessageLanguage, facts: AlertFacts): AlertText & { language: string } => {
  const labels = LABELS[language];
  const named = { about: plainName(facts.about ?? ""), venue: plainName(facts.venue ?? ""), by: formatActor(facts) };
  const { subject, event, advice } = TEXTS[language][kind](named);
  const device = facts.device ?? (kind === "device.new" ? labels.unknown : null);
  const details = [
    ...(device === null ? [] : [`${labels.device}: ${device}`]),
    ...(facts.address === null ? [] : [`${labels.address}: ${facts.address}`]),
    `${labels.at}: ${formatUtc(facts.at)}`,
  ];
  const body = [labels.greeting(plainName(facts.name)), event, details.join("\n"), advice].join("\n\n");
  return { language, subject, body, lastBody: `${body}\n\n${LAST_OF_DAY[language]}` };
};

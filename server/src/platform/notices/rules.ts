/** The texts guests get, in their language or the venue's, and when a failed message is tried again. */
import type { Translations } from "@comanda/contract/shared.ts";
import { plainLine, plainName } from "#lib/plain-text.ts";

export type NoticeKind = "reservation.confirmed" | "reservation.requested" | "reservation.cancelled";

export type Facts = { guest: string; venue: string; date: string; time: string; party: number };
export type Text = { subject: string; body: string };

/** Nothing is left of a name that was only a link or a phone number. */
const named = (guest: string): string => (guest === "" ? "" : ` ${guest}`);

const LANGUAGES = ["en", "it", "ar"] as const;
type Language = (typeof LANGUAGES)[number];

const TEXTS: Record<Language, Record<NoticeKind, (facts: Facts) => Text>> = {
  en: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `Your table at ${venue}`,
      body: `Hello${named(guest)},\n\nyour table for ${party} at ${venue} is booked: ${date}, ${time}.\nWe look forward to seeing you.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `Your request at ${venue}`,
      body: `Hello${named(guest)},\n\nwe have your request for ${party} at ${venue}: ${date}, ${time}.\nWe will tell you as soon as it is confirmed.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `Your booking at ${venue} is cancelled`,
      body: `Hello${named(guest)},\n\nyour booking at ${venue} on ${date} at ${time} is cancelled.\nWe are sorry, and hope to see you another time.`,
    }),
  },
  it: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `Il suo tavolo da ${venue}`,
      body: `Buongiorno${named(guest)},\n\nil suo tavolo per ${party} da ${venue} è prenotato: ${date}, ore ${time}.\nLa aspettiamo con piacere.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `La sua richiesta da ${venue}`,
      body: `Buongiorno${named(guest)},\n\nabbiamo ricevuto la sua richiesta per ${party} da ${venue}: ${date}, ore ${time}.\nLe daremo conferma al più presto.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `La sua prenotazione da ${venue} è annullata`,
      body: `Buongiorno${named(guest)},\n\nla sua prenotazione da ${venue} del ${date} alle ${time} è annullata.\nCi dispiace e speriamo di vederla presto.`,
    }),
  },
  ar: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `طاولتكم في ${venue}`,
      body: `مرحباً${named(guest)}،\n\nتم حجز طاولتكم لعدد ${party} في ${venue} بتاريخ ${date} الساعة ${time}.\nيسعدنا استقبالكم.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `طلبكم في ${venue}`,
      body: `مرحباً${named(guest)}،\n\nوصلنا طلب الحجز لعدد ${party} في ${venue} بتاريخ ${date} الساعة ${time}.\nسنؤكد لكم الحجز قريباً.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `تم إلغاء حجزكم في ${venue}`,
      body: `مرحباً${named(guest)}،\n\nتم إلغاء حجزكم في ${venue} بتاريخ ${date} الساعة ${time}.\nنعتذر ونأمل رؤيتكم قريباً.`,
    }),
  },
};

export type OwnerNoticeKind = "webhook.failing";

export type OwnerFacts = { owner: string; venue: string; url: string; reason: string };

const OWNER_TEXTS: Record<Language, Record<OwnerNoticeKind, (facts: OwnerFacts) => Text>> = {
  en: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: events do not reach ${hostOf(url)}`,
      body: `Hello ${owner},\n\nthe events of ${venue} have not been reaching this address:\n${url}\n\nThe last attempt: ${reason}\n\nNothing is lost. Once the address works again, what is still due arrives by itself; what was given up can be sent again from the delivery log, for 30 days.`,
    }),
  },
  it: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: gli eventi non raggiungono ${hostOf(url)}`,
      body: `Buongiorno ${owner},\n\ngli eventi di ${venue} non raggiungono questo indirizzo:\n${url}\n\nUltimo tentativo: ${reason}\n\nNulla è perduto. Quando l'indirizzo tornerà a rispondere, ciò che è ancora in attesa arriverà da solo; il resto si può rinviare dal registro delle consegne per 30 giorni.`,
    }),
  },
  ar: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: الأحداث لا تصل إلى ${hostOf(url)}`,
      body: `مرحباً ${owner}،\n\nأحداث ${venue} لا تصل إلى هذا العنوان:\n${url}\n\nآخر محاولة: ${reason}\n\nلم يُفقد شيء. عندما يعود العنوان إلى العمل يصل ما بقي من تلقاء نفسه، ويمكن إعادة إرسال ما تُرك من سجل التسليم خلال 30 يوماً.`,
    }),
  },
};

const hostOf = (url: string): string => new URL(url).host;

export const writeOwnerNotice = (kind: OwnerNoticeKind, language: Language, facts: OwnerFacts): Text =>
  OWNER_TEXTS[language][kind]({
    ...facts,
    owner: plainName(facts.owner),
    venue: plainName(facts.venue),
    reason: plainLine(facts.reason, 300),
  });

/** The first wish that we have texts for; English when there is none. `it-CH` is served by `it`. */
export const chooseLanguage = (wishes: readonly (string | null)[]): Language => {
  for (const wish of wishes) {
    const language = LANGUAGES.find((known) => known === wish?.split("-")[0]);
    if (language) return language;
  }
  return "en";
};

/** The one order for mail to people who work in venues: their own choice, what their invitation said, the venue's language, English. */
export const staffLanguage = ({ own, invited, venue }: Record<"own" | "invited" | "venue", string | null>): Language =>
  chooseLanguage([own, invited, venue]);

/** A guest, or whoever booked in their name, chose the name: it must not bring a link or a second paragraph into the venue's mail. */
export const writeNotice = (kind: NoticeKind, language: Language, facts: Facts): Text =>
  TEXTS[language][kind]({ ...facts, guest: plainName(facts.guest), venue: plainName(facts.venue) });

/** A name in the wished language, else in any that has one. */
export const nameIn = (names: Translations, language: string, fallback: string): string =>
  names[language] ?? names[fallback] ?? Object.values(names).find((name) => name !== null) ?? "";

/** E-mail where the guest gave an address, else a text message. */
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

/** In 24 hours. A guest who books, changes and cancels twice stays below; a loop of bookings does not. */
const GUEST_MESSAGES_MAX = 6;
const OTHER_MESSAGES_MAX = 20;

export type DailyLimits = { smsPerVenue: number; mailsPerVenue: number };
export type SentToday = { toRecipient: number; byVenue: number };

/** Why a message is not sent, or null: text messages cost money, and a stranger decides whom they go to. */
export const skipReason = (
  { kind, channel }: { kind: string; channel: "email" | "sms" },
  sent: SentToday,
  limits: DailyLimits,
): string | null => {
  const perRecipient = kind in TEXTS.en ? GUEST_MESSAGES_MAX : OTHER_MESSAGES_MAX;
  if (sent.toRecipient >= perRecipient) return `this recipient was sent ${sent.toRecipient} messages in 24 hours`;
  const perVenue = channel === "sms" ? limits.smsPerVenue : limits.mailsPerVenue;
  return sent.byVenue >= perVenue ? `the venue sent ${sent.byVenue} such messages in 24 hours` : null;
};

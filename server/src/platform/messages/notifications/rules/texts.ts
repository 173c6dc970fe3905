/** The texts of notifications to guests and owners, in English, Italian and Arabic. */
import { plainLine, plainName } from "#lib/plain-text.ts";

export type NotificationKind = "reservation.confirmed" | "reservation.requested" | "reservation.cancelled" | "waitlist.ready";

export type NotificationFacts = { guest: string; venue: string; date: string; time: string; party: number };
export type MessageText = { subject: string; body: string };

/** Empty for a name that was only a link or a phone number, because `plainName` removes those. */
const greetingName = (guest: string): string => (guest === "" ? "" : ` ${guest}`);

export const LANGUAGES = ["en", "it", "ar"] as const;
export type MessageLanguage = (typeof LANGUAGES)[number];

const TEXTS: Record<MessageLanguage, Record<NotificationKind, (facts: NotificationFacts) => MessageText>> = {
  en: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `Your table at ${venue}`,
      body: `Hello${greetingName(guest)},\n\nyour table for ${party} at ${venue} is booked: ${date}, ${time}.\nWe look forward to seeing you.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `Your request at ${venue}`,
      body: `Hello${greetingName(guest)},\n\nwe have your request for ${party} at ${venue}: ${date}, ${time}.\nWe will send you a message as soon as it is confirmed.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `Your booking at ${venue} is cancelled`,
      body: `Hello${greetingName(guest)},\n\nyour booking at ${venue} on ${date} at ${time} is cancelled.\nWe are sorry, and hope to see you another time.`,
    }),
    "waitlist.ready": ({ guest, venue, party }) => ({
      subject: `Your table at ${venue} is free`,
      body: `Hello${greetingName(guest)},\n\nyour table for ${party} at ${venue} is free now.\nPlease come to the entrance.`,
    }),
  },
  it: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `Il suo tavolo da ${venue}`,
      body: `Buongiorno${greetingName(guest)},\n\nil suo tavolo per ${party} da ${venue} è prenotato: ${date}, ore ${time}.\nLa aspettiamo con piacere.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `La sua richiesta da ${venue}`,
      body: `Buongiorno${greetingName(guest)},\n\nabbiamo ricevuto la sua richiesta per ${party} da ${venue}: ${date}, ore ${time}.\nLe daremo conferma al più presto.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `La sua prenotazione da ${venue} è annullata`,
      body: `Buongiorno${greetingName(guest)},\n\nla sua prenotazione da ${venue} del ${date} alle ${time} è annullata.\nCi dispiace e speriamo di vederla presto.`,
    }),
    "waitlist.ready": ({ guest, venue, party }) => ({
      subject: `Il suo tavolo da ${venue} è libero`,
      body: `Buongiorno${greetingName(guest)},\n\nil suo tavolo per ${party} da ${venue} è libero.\nLa aspettiamo all'ingresso.`,
    }),
  },
  ar: {
    "reservation.confirmed": ({ guest, venue, date, time, party }) => ({
      subject: `طاولتكم في ${venue}`,
      body: `مرحباً${greetingName(guest)}،\n\nتم حجز طاولتكم لعدد ${party} في ${venue} بتاريخ ${date} الساعة ${time}.\nيسعدنا استقبالكم.`,
    }),
    "reservation.requested": ({ guest, venue, date, time, party }) => ({
      subject: `طلبكم في ${venue}`,
      body: `مرحباً${greetingName(guest)}،\n\nوصلنا طلب الحجز لعدد ${party} في ${venue} بتاريخ ${date} الساعة ${time}.\nسنؤكد لكم الحجز قريباً.`,
    }),
    "reservation.cancelled": ({ guest, venue, date, time }) => ({
      subject: `تم إلغاء حجزكم في ${venue}`,
      body: `مرحباً${greetingName(guest)}،\n\nتم إلغاء حجزكم في ${venue} بتاريخ ${date} الساعة ${time}.\nنعتذر ونأمل رؤيتكم قريباً.`,
    }),
    "waitlist.ready": ({ guest, venue, party }) => ({
      subject: `طاولتكم في ${venue} جاهزة`,
      body: `مرحباً${greetingName(guest)}،\n\nطاولتكم لعدد ${party} في ${venue} جاهزة الآن.\nتفضلوا إلى المدخل.`,
    }),
  },
};

export type OwnerNotificationKind = "webhook.failing";

export type OwnerFacts = { owner: string; venue: string; url: string; reason: string };

const OWNER_TEXTS: Record<MessageLanguage, Record<OwnerNotificationKind, (facts: OwnerFacts) => MessageText>> = {
  en: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: events do not reach ${hostOf(url)}`,
      body: `Hello ${owner},\n\nthe events of ${venue} have not been reaching this address:\n${url}\n\nThe last attempt: ${reason}\n\nNo event is lost. When the address works again, waiting events are sent automatically. Failed events can be sent again from the delivery log for 30 days.`,
    }),
  },
  it: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: gli eventi non raggiungono ${hostOf(url)}`,
      body: `Buongiorno ${owner},\n\ngli eventi di ${venue} non raggiungono questo indirizzo:\n${url}\n\nUltimo tentativo: ${reason}\n\nNessun evento è perso. Quando l'indirizzo tornerà a rispondere, gli eventi in attesa verranno inviati automaticamente. Gli eventi non riusciti si possono inviare di nuovo dal registro delle consegne per 30 giorni.`,
    }),
  },
  ar: {
    "webhook.failing": ({ owner, venue, url, reason }) => ({
      subject: `${venue}: الأحداث لا تصل إلى ${hostOf(url)}`,
      body: `مرحباً ${owner}،\n\nأحداث ${venue} لا تصل إلى هذا العنوان:\n${url}\n\nآخر محاولة: ${reason}\n\nلم يُفقد أي حدث. عندما يعود العنوان إلى العمل تُرسَل الأحداث المنتظرة تلقائياً، ويمكن إعادة إرسال الأحداث التي تعذّر إرسالها من سجل التسليم خلال 30 يوماً.`,
    }),
  },
};

const hostOf = (url: string): string => new URL(url).host;

export const writeOwnerNotification = (kind: OwnerNotificationKind, language: MessageLanguage, facts: OwnerFacts): MessageText =>
  OWNER_TEXTS[language][kind]({
    ...facts,
    owner: plainName(facts.owner),
    venue: plainName(facts.venue),
    reason: plainLine(facts.reason, 300),
  });

/** The guest's name is free text of an unauthenticated caller: it must not add a link or a paragraph to the venue's mail. */
export const writeNotification = (kind: NotificationKind, language: MessageLanguage, facts: NotificationFacts): MessageText =>
  TEXTS[language][kind]({ ...facts, guest: plainName(facts.guest), venue: plainName(facts.venue) });

export const isGuestNotification = (kind: string): kind is NotificationKind => kind in TEXTS.en;

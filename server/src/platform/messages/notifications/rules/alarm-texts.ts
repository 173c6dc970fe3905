/** The mail about orders that no screen has shown, in English, Italian and Arabic. */
import { plainName } from "#lib/plain-text.ts";
import type { MessageLanguage, MessageText } from "./texts.ts";

export type AlarmFacts = { person: string; venue: string; count: number; since: string };

const TEXTS: Record<MessageLanguage, (facts: AlarmFacts) => MessageText> = {
  en: ({ person, venue, count, since }) => ({
    subject: `${venue}: ${count === 1 ? "an order waits" : `${count} orders wait`} and no screen shows it`,
    body: `Hello ${person},\n\n${count === 1 ? "an order has been waiting" : `${count} orders have been waiting, the first`} since ${since}, and no screen with the orders board of ${venue} is connected.\n\nOpen the orders board and accept or reject. The next mail about this comes after 15 minutes at the earliest.`,
  }),
  it: ({ person, venue, count, since }) => ({
    subject: `${venue}: ${count === 1 ? "un ordine attende" : `${count} ordini attendono`} e nessuno schermo lo mostra`,
    body: `Buongiorno ${person},\n\n${count === 1 ? "un ordine attende" : `${count} ordini attendono, il primo`} dalle ${since}, e nessuno schermo con gli ordini di ${venue} è collegato.\n\nApra la pagina degli ordini e accetti o rifiuti. Il prossimo messaggio arriva non prima di 15 minuti.`,
  }),
  ar: ({ person, venue, count, since }) => ({
    subject: `${venue}: طلبات تنتظر (${count}) ولا تظهر على أي شاشة`,
    body: `مرحباً ${person}،\n\nعدد الطلبات المنتظرة: ${count}، أولها منذ الساعة ${since}، ولا توجد شاشة متصلة تعرض طلبات ${venue}.\n\nافتحوا صفحة الطلبات واقبلوا أو ارفضوا. الرسالة التالية بعد 15 دقيقة على الأقل.`,
  }),
};

export const writeAlarm = (language: MessageLanguage, facts: AlarmFacts): MessageText =>
  TEXTS[language]({ ...facts, person: plainName(facts.person), venue: plainName(facts.venue) });

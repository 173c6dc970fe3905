/** The mail about a venue that never was live and is removed, in English, Italian and Arabic. */
import { plainName } from "#lib/plain-text.ts";
import type { MessageLanguage, MessageText } from "#platform/messages/notifications/rules/texts.ts";

type RemovalFacts = { person: string; venue: string; on: string };

const TEXTS: Record<MessageLanguage, (facts: RemovalFacts) => MessageText> = {
  en: ({ person, venue, on }) => ({
    subject: `${venue} is removed on ${on} unless you take it live`,
    body: `Hello ${person},\n\nyou opened ${venue} on Comanda and have not taken it live. On ${on} it is removed with its settings and dishes. Your account stays.\n\nTo keep it, open the console and take it live. To keep only its settings and dishes, download them on the page “Import and export”.`,
  }),
  it: ({ person, venue, on }) => ({
    subject: `${venue} verrà eliminato il ${on} se non lo attiva`,
    body: `Buongiorno ${person},\n\nha aperto ${venue} su Comanda ma non l'ha ancora attivato. Il ${on} verrà eliminato con le impostazioni e i piatti. Il suo account resta.\n\nPer conservarlo, apra la console e lo attivi. Per conservare solo impostazioni e piatti, li scarichi dalla pagina “Import and export”.`,
  }),
  ar: ({ person, venue, on }) => ({
    subject: `سيُحذف ${venue} في ${on} ما لم تبدأوا العمل به`,
    body: `مرحباً ${person}،\n\nفتحتم ${venue} على كومندا ولم تبدأوا العمل به. سيُحذف في ${on} مع إعداداته وأطباقه. يبقى حسابكم.\n\nللإبقاء عليه افتحوا لوحة التحكم وابدأوا العمل. وللاحتفاظ بالإعدادات والأطباق فقط نزّلوها من صفحة الاستيراد والتصدير.`,
  }),
};

export const writeRemovalNotice = (language: MessageLanguage, facts: RemovalFacts): MessageText =>
  TEXTS[language]({ ...facts, person: plainName(facts.person), venue: plainName(facts.venue) });

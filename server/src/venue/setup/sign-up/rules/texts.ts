/** The mail that leads to a new venue, in English, Italian and Arabic. */

import { plainName } from "#lib/plain-text.ts";
import { LANGUAGES, type MessageLanguage, type MessageText } from "#platform/messages/notifications/rules/texts.ts";

/** `known`: the address has an account, so the mail has no secret. */
export type SignUpMailKind = "invited" | "asked" | "known";

type SignUpFacts = { url: string; days: number };

const TEXTS: Record<MessageLanguage, Record<SignUpMailKind, (facts: SignUpFacts) => MessageText>> = {
  en: {
    invited: ({ url, days }) => ({
      subject: "Open your restaurant on Comanda",
      body: `Hello,\n\nyou are invited to open a restaurant on Comanda. It takes about five minutes. The link works once, for ${days} days:\n\n${url}\n\nIf you did not expect this mail, ignore it. Nothing is opened unless the link is used.`,
    }),
    asked: ({ url }) => ({
      subject: "Confirm your address for Comanda",
      body: `Hello,\n\nwith this link you confirm your address and open your restaurant on Comanda. It works once, for one day:\n\n${url}\n\nIf you did not ask for it, ignore this mail. Nothing is opened unless the link is used.`,
    }),
    known: ({ url }) => ({
      subject: "You already have an account on Comanda",
      body: `Hello,\n\na restaurant was to be opened with this address. You already have an account: sign in, then open another restaurant here:\n\n${url}\n\nIf you did not ask for it, ignore this mail.`,
    }),
  },
  it: {
    invited: ({ url, days }) => ({
      subject: "Apra il suo ristorante su Comanda",
      body: `Buongiorno,\n\nla invitiamo ad aprire un ristorante su Comanda. Bastano circa cinque minuti. Il link vale una volta sola, per ${days} giorni:\n\n${url}\n\nSe non si aspettava questo messaggio, lo ignori. Senza usare il link non viene aperto nulla.`,
    }),
    asked: ({ url }) => ({
      subject: "Confermi il suo indirizzo per Comanda",
      body: `Buongiorno,\n\ncon questo link conferma il suo indirizzo e apre il suo ristorante su Comanda. Vale una volta sola, per un giorno:\n\n${url}\n\nSe non l'ha richiesto lei, ignori questo messaggio. Senza usare il link non viene aperto nulla.`,
    }),
    known: ({ url }) => ({
      subject: "Ha già un account su Comanda",
      body: `Buongiorno,\n\nqualcuno ha chiesto di aprire un ristorante con questo indirizzo. Lei ha già un account: acceda e apra qui un altro ristorante:\n\n${url}\n\nSe non l'ha richiesto lei, ignori questo messaggio.`,
    }),
  },
  ar: {
    invited: ({ url, days }) => ({
      subject: "افتحوا مطعمكم على كومندا",
      body: `مرحباً،\n\nندعوكم إلى فتح مطعم على كومندا. يستغرق ذلك نحو خمس دقائق. يعمل الرابط مرة واحدة خلال ${days} أيام:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها. لا يُفتح شيء دون استخدام الرابط.`,
    }),
    asked: ({ url }) => ({
      subject: "أكّدوا عنوانكم لكومندا",
      body: `مرحباً،\n\nبهذا الرابط تؤكدون عنوانكم وتفتحون مطعمكم على كومندا. يعمل مرة واحدة خلال يوم واحد:\n\n${url}\n\nإن لم تطلبوا ذلك فتجاهلوا هذه الرسالة. لا يُفتح شيء دون استخدام الرابط.`,
    }),
    known: ({ url }) => ({
      subject: "لديكم حساب على كومندا",
      body: `مرحباً،\n\nطُلب فتح مطعم بهذا العنوان. لديكم حساب بالفعل: سجّلوا الدخول ثم افتحوا مطعماً آخر هنا:\n\n${url}\n\nإن لم تطلبوا ذلك فتجاهلوا هذه الرسالة.`,
    }),
  },
};

export const writeSignUpMail = (kind: SignUpMailKind, locale: string | null, facts: SignUpFacts): MessageText =>
  TEXTS[LANGUAGES.find((language) => language === locale) ?? "en"][kind](facts);

/** The mail about a venue that never was live and is removed, in English, Italian and Arabic. */
type RemovalFacts = { person: string; venue: string; on: string };

const REMOVAL_TEXTS: Record<MessageLanguage, (facts: RemovalFacts) => MessageText> = {
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
  REMOVAL_TEXTS[language]({ ...facts, person: plainName(facts.person), venue: plainName(facts.venue) });

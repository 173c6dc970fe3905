/** The mail of one-time links, in English, Italian and Arabic. */
import { plainName } from "#lib/plain-text.ts";
import type { MessageLanguage, MessageText } from "#platform/messages/notifications/rules/texts.ts";
import type { LinkKind } from "./link-policy.ts";

type LinkFacts = { url: string; venue: string };

/** `known`: an invitation of a user who has a password. */
type MailKind = LinkKind | "known";

const TEXTS: Record<MessageLanguage, Record<MailKind, (facts: LinkFacts) => MessageText>> = {
  en: {
    invitation: ({ url, venue }) => ({
      subject: `You are invited to ${venue} on Comanda`,
      body: `Hello,\n\n${venue} has invited you to its console. Choose a password here. The link works once, for seven days:\n\n${url}\n\nIf you did not expect this mail, ignore it. Nothing changes unless the link is used.`,
    }),
    known: ({ url, venue }) => ({
      subject: `You are invited to ${venue} on Comanda`,
      body: `Hello,\n\n${venue} has invited you to its console. You have an account: sign in with your password, then accept or decline. The invitation is open for seven days:\n\n${url}\n\nIf you did not expect this mail, ignore it. Nothing changes unless you accept.`,
    }),
    reset: ({ url }) => ({
      subject: "A new password for Comanda",
      body: `Hello,\n\na new password was requested for your account. Choose it here. The link works once, for one hour:\n\n${url}\n\nIf you did not request it, ignore this mail. Your password does not change.`,
    }),
    sign_in: ({ url }) => ({
      subject: "Your sign-in link for Comanda",
      body: `Hello,\n\na sign-in by e-mail was requested for your account. Open this link on the device that you want to sign in on. It works once, for 15 minutes:\n\n${url}\n\nIf you did not request it, ignore this mail and do not share the link.`,
    }),
  },
  it: {
    invitation: ({ url, venue }) => ({
      subject: `${venue} la invita su Comanda`,
      body: `Buongiorno,\n\n${venue} la invita nella sua console. Scelga qui una password. Il link vale una volta sola, per sette giorni:\n\n${url}\n\nSe non si aspettava questo messaggio, lo ignori. Senza usare il link non cambia nulla.`,
    }),
    known: ({ url, venue }) => ({
      subject: `${venue} la invita su Comanda`,
      body: `Buongiorno,\n\n${venue} la invita nella sua console. Lei ha già un account: acceda con la sua password, poi accetti o rifiuti. L'invito è aperto per sette giorni:\n\n${url}\n\nSe non si aspettava questo messaggio, lo ignori. Se non accetta, non cambia nulla.`,
    }),
    reset: ({ url }) => ({
      subject: "Una nuova password per Comanda",
      body: `Buongiorno,\n\nè stata richiesta una nuova password per il suo account. La scelga qui. Il link vale una volta sola, per un'ora:\n\n${url}\n\nSe non l'ha richiesta lei, ignori questo messaggio. La password non cambia.`,
    }),
    sign_in: ({ url }) => ({
      subject: "Il suo link di accesso a Comanda",
      body: `Buongiorno,\n\nè stato richiesto un accesso tramite e-mail per il suo account. Apra questo link sul dispositivo da cui vuole accedere. Vale una volta sola, per 15 minuti:\n\n${url}\n\nSe non l'ha richiesto lei, ignori questo messaggio e non condivida il link.`,
    }),
  },
  ar: {
    invitation: ({ url, venue }) => ({
      subject: `دعوة من ${venue} إلى كومندا`,
      body: `مرحباً،\n\nتدعوكم ${venue} إلى لوحة التحكم الخاصة بها. اختاروا كلمة مرور هنا. يعمل الرابط مرة واحدة خلال سبعة أيام:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها. لا يتغير شيء دون استخدام الرابط.`,
    }),
    known: ({ url, venue }) => ({
      subject: `دعوة من ${venue} إلى كومندا`,
      body: `مرحباً،\n\nتدعوكم ${venue} إلى لوحة التحكم الخاصة بها. لديكم حساب: سجّلوا الدخول بكلمة مروركم، ثم اقبلوا أو ارفضوا. الدعوة مفتوحة سبعة أيام:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها. لا يتغير شيء ما لم تقبلوا.`,
    }),
    reset: ({ url }) => ({
      subject: "كلمة مرور جديدة لكومندا",
      body: `مرحباً،\n\nطُلبت كلمة مرور جديدة لحسابكم. اختاروها هنا. يعمل الرابط مرة واحدة خلال ساعة:\n\n${url}\n\nإن لم تطلبوها فتجاهلوا هذه الرسالة. لا تتغير كلمة المرور.`,
    }),
    sign_in: ({ url }) => ({
      subject: "رابط الدخول إلى كومندا",
      body: `مرحباً،\n\nطُلب تسجيل الدخول إلى حسابكم عبر البريد الإلكتروني. افتحوا هذا الرابط على الجهاز الذي تريدون الدخول منه. يعمل مرة واحدة خلال 15 دقيقة:\n\n${url}\n\nإن لم تطلبوا ذلك فتجاهلوا هذه الرسالة ولا تشاركوا الرابط.`,
    }),
  },
};

export const writeLinkMail = (kind: MailKind, language: MessageLanguage, facts: LinkFacts): MessageText =>
  TEXTS[language][kind]({ ...facts, venue: plainName(facts.venue) });

/** How long a link works, how often one is sent, and what its mail says. */
import { plainName } from "#lib/plain-text.ts";
import type { chooseLanguage } from "#platform/notices/rules.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const LINK_LIFE_MS = { invitation: 7 * DAY_MS, reset: 60 * MINUTE_MS, sign_in: 15 * MINUTE_MS };
export type LinkKind = keyof typeof LINK_LIFE_MS;
/** Those that anybody can ask for, by an address. */
export type RequestedKind = Exclude<LinkKind, "invitation">;

/** At most one mail of a kind in this time to one account, however often it is asked for. */
const LINK_EVERY_MS = 3 * MINUTE_MS;
/** After this many in a day the next one is sent when the last one has run out: whoever asks in another's name cannot fill a mailbox. */
const LINKS_PER_DAY_MAX = 5;

/** Whether another link may be sent, by the moments of those before it, the last one first. */
export const maySendAnother = (kind: RequestedKind, sentAt: readonly Date[], now: Date): boolean => {
  const [last] = sentAt;
  if (!last) return true;
  const ofToday = sentAt.filter((at) => now.getTime() - at.getTime() < DAY_MS).length;
  return now.getTime() - last.getTime() >= (ofToday < LINKS_PER_DAY_MAX ? LINK_EVERY_MS : LINK_LIFE_MS[kind]);
};
/** A request that waits for its job is not repeated before this. */
export const REQUEST_EVERY_MS = MINUTE_MS;

type Facts = { url: string; venue: string };
type Text = { subject: string; body: string };
type Language = ReturnType<typeof chooseLanguage>;

/** `added`: an invitation of a person who has a password. */
type MailKind = LinkKind | "added";

const TEXTS: Record<Language, Record<MailKind, (facts: Facts) => Text>> = {
  en: {
    invitation: ({ url, venue }) => ({
      subject: `You are invited to ${venue} on Comanda`,
      body: `Hello,\n\n${venue} has invited you to its console. Choose a password here; the link works for seven days, once:\n\n${url}\n\nIf you did not expect this, ignore it: nothing happens without the link.`,
    }),
    added: ({ url, venue }) => ({
      subject: `You were added to ${venue} on Comanda`,
      body: `Hello,\n\n${venue} has added you to its console. Sign in with the password that you have:\n\n${url}\n\nIf you did not expect this, ignore it.`,
    }),
    reset: ({ url }) => ({
      subject: "A new password for Comanda",
      body: `Hello,\n\nsomebody, probably you, asked for a new password. Choose it here; the link works for one hour, once:\n\n${url}\n\nIf it was not you, ignore this: your password stays as it is.`,
    }),
    sign_in: ({ url }) => ({
      subject: "Your sign-in link for Comanda",
      body: `Hello,\n\nsomebody, probably you, asked to sign in by e-mail. Open this link on the device that you want to sign in on; it works for 15 minutes, once:\n\n${url}\n\nIf it was not you, ignore this and do not pass the link on.`,
    }),
  },
  it: {
    invitation: ({ url, venue }) => ({
      subject: `${venue} la invita su Comanda`,
      body: `Buongiorno,\n\n${venue} la invita nella sua console. Scelga qui una password; il link vale sette giorni, una volta sola:\n\n${url}\n\nSe non se lo aspettava, lo ignori: senza il link non accade nulla.`,
    }),
    added: ({ url, venue }) => ({
      subject: `${venue} l'ha aggiunta su Comanda`,
      body: `Buongiorno,\n\n${venue} l'ha aggiunta alla sua console. Acceda con la password che ha già:\n\n${url}\n\nSe non se lo aspettava, lo ignori.`,
    }),
    reset: ({ url }) => ({
      subject: "Una nuova password per Comanda",
      body: `Buongiorno,\n\nqualcuno, probabilmente lei, ha chiesto una nuova password. La scelga qui; il link vale un'ora, una volta sola:\n\n${url}\n\nSe non è stato lei, lo ignori: la password resta quella di prima.`,
    }),
    sign_in: ({ url }) => ({
      subject: "Il suo link di accesso a Comanda",
      body: `Buongiorno,\n\nqualcuno, probabilmente lei, ha chiesto di accedere tramite e-mail. Apra questo link sul dispositivo da cui vuole accedere; vale 15 minuti, una volta sola:\n\n${url}\n\nSe non è stato lei, lo ignori e non lo dia a nessuno.`,
    }),
  },
  ar: {
    invitation: ({ url, venue }) => ({
      subject: `دعوة من ${venue} إلى كومندا`,
      body: `مرحباً،\n\nتدعوكم ${venue} إلى لوحة التحكم الخاصة بها. اختاروا كلمة مرور هنا؛ يعمل الرابط سبعة أيام ومرة واحدة:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها: لا يحدث شيء دون الرابط.`,
    }),
    added: ({ url, venue }) => ({
      subject: `تمت إضافتكم إلى ${venue} في كومندا`,
      body: `مرحباً،\n\nأضافتكم ${venue} إلى لوحة التحكم الخاصة بها. سجّلوا الدخول بكلمة المرور التي لديكم:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها.`,
    }),
    reset: ({ url }) => ({
      subject: "كلمة مرور جديدة لكومندا",
      body: `مرحباً،\n\nطلب أحدهم، وربما أنتم، كلمة مرور جديدة. اختاروها هنا؛ يعمل الرابط ساعة واحدة ومرة واحدة:\n\n${url}\n\nإن لم تكونوا أنتم فتجاهلوا الرسالة: تبقى كلمة المرور كما هي.`,
    }),
    sign_in: ({ url }) => ({
      subject: "رابط الدخول إلى كومندا",
      body: `مرحباً،\n\nطلب أحدهم، وربما أنتم، الدخول عبر البريد الإلكتروني. افتحوا هذا الرابط على الجهاز الذي تريدون الدخول منه؛ يعمل 15 دقيقة ومرة واحدة:\n\n${url}\n\nإن لم تكونوا أنتم فتجاهلوا الرسالة ولا تعطوا الرابط لأحد.`,
    }),
  },
};

export const writeLink = (kind: MailKind, language: Language, facts: Facts): Text =>
  TEXTS[language][kind]({ ...facts, venue: plainName(facts.venue) });

/** Where a link of the mail leads: the proxy in front of several cells sends a browser to the one that is named once. */
export const linkUrlOf = (rootUrl: string, cell: number): string => `${rootUrl}/console/link${cell === 0 ? "" : `?cell=${cell}`}`;

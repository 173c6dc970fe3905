/** How long things last, who outranks whom, and what a link's mail says. */
import { ROLES, type Role } from "@comanda/contract/console-operation.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A session ends after two weeks without use, and after sixty days in any case. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
export const SESSION_LIFE_MS = 60 * DAY_MS;
/** How often a session's last use is written down. */
export const SEEN_EVERY_MS = 5 * 60 * 1000;

export const LINK_LIFE_MS = { invitation: 7 * DAY_MS, reset: 60 * 60 * 1000 };
export type LinkKind = keyof typeof LINK_LIFE_MS;

export const sessionEnd = (createdAt: Date, seenAt: Date): Date =>
  new Date(Math.min(createdAt.getTime() + SESSION_LIFE_MS, seenAt.getTime() + SESSION_IDLE_MS));

/** Whether somebody with this role may do what the other role may. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);

type Facts = { url: string; venue: string };
type Text = { subject: string; body: string };
type Language = "en" | "it" | "ar";

const TEXTS: Record<Language, Record<LinkKind, (facts: Facts) => Text>> = {
  en: {
    invitation: ({ url, venue }) => ({
      subject: `You are invited to ${venue} on Comanda`,
      body: `Hello,\n\n${venue} has invited you to its console. Choose a password here; the link works for seven days, once:\n\n${url}\n\nIf you did not expect this, ignore it: nothing happens without the link.`,
    }),
    reset: ({ url }) => ({
      subject: "A new password for Comanda",
      body: `Hello,\n\nsomebody, probably you, asked for a new password. Choose it here; the link works for one hour, once:\n\n${url}\n\nIf it was not you, ignore this: your password stays as it is.`,
    }),
  },
  it: {
    invitation: ({ url, venue }) => ({
      subject: `${venue} la invita su Comanda`,
      body: `Buongiorno,\n\n${venue} la invita nella sua console. Scelga qui una password; il link vale sette giorni, una volta sola:\n\n${url}\n\nSe non se lo aspettava, lo ignori: senza il link non accade nulla.`,
    }),
    reset: ({ url }) => ({
      subject: "Una nuova password per Comanda",
      body: `Buongiorno,\n\nqualcuno, probabilmente lei, ha chiesto una nuova password. La scelga qui; il link vale un'ora, una volta sola:\n\n${url}\n\nSe non è stato lei, lo ignori: la password resta quella di prima.`,
    }),
  },
  ar: {
    invitation: ({ url, venue }) => ({
      subject: `دعوة من ${venue} إلى كومندا`,
      body: `مرحباً،\n\nتدعوكم ${venue} إلى لوحة التحكم الخاصة بها. اختاروا كلمة مرور هنا؛ يعمل الرابط سبعة أيام ومرة واحدة:\n\n${url}\n\nإن لم تتوقعوا هذه الرسالة فتجاهلوها: لا يحدث شيء دون الرابط.`,
    }),
    reset: ({ url }) => ({
      subject: "كلمة مرور جديدة لكومندا",
      body: `مرحباً،\n\nطلب أحدهم، وربما أنتم، كلمة مرور جديدة. اختاروها هنا؛ يعمل الرابط ساعة واحدة ومرة واحدة:\n\n${url}\n\nإن لم تكونوا أنتم فتجاهلوا الرسالة: تبقى كلمة المرور كما هي.`,
    }),
  },
};

export const writeLink = (kind: LinkKind, language: string | null, facts: Facts): Text =>
  (TEXTS[(language?.split("-")[0] ?? "en") as Language] ?? TEXTS.en)[kind](facts);

/** Where a link of the mail leads: the proxy in front of several cells sends a browser to the one that is named once. */
export const linkUrlOf = (rootUrl: string, cell: number): string => `${rootUrl}/console/link${cell === 0 ? "" : `?cell=${cell}`}`;

/** Texts to guests about reviews, in English, Italian and Arabic: the question with the link, and the venue's reply. */
import { plainName, plainText } from "#lib/plain-text.ts";
import type { MessageLanguage, MessageText } from "./texts.ts";

/** The job that sends the message puts the link in its place. */
const LINK_MARK = "{review_link}";

export type ReviewMessage =
  | { kind: "review.requested"; guest: string; isVisit: boolean }
  | { kind: "review.replied"; guest: string; reply: string };

export const isReviewMessage = (kind: string): boolean => kind === "review.requested" || kind === "review.replied";

export const fillInReviewLink = (body: string, link: string): string => body.replaceAll(LINK_MARK, () => link);

type ReviewTexts = {
  requested: (facts: { name: string; venue: string; isVisit: boolean }) => MessageText;
  replied: (facts: { name: string; venue: string; reply: string }) => MessageText;
};

const TEXTS: Record<MessageLanguage, ReviewTexts> = {
  en: {
    requested: ({ name, venue, isVisit }) => ({
      subject: `How was it at ${venue}?`,
      body: `Hello${name},\n\nthank you for ${isVisit ? "your visit to" : "your order at"} ${venue}. How was it? You can rate it here. The link works once, for 14 days:\n\n${LINK_MARK}\n\nIf you would rather not, ignore this message.`,
    }),
    replied: ({ name, venue, reply }) => ({
      subject: `${venue} has replied to your review`,
      body: `Hello${name},\n\nthank you for your review. ${venue} writes:\n\n${reply}`,
    }),
  },
  it: {
    requested: ({ name, venue, isVisit }) => ({
      subject: `Come è andata da ${venue}?`,
      body: `Buongiorno${name},\n\ngrazie per ${isVisit ? "la sua visita" : "il suo ordine"} da ${venue}. Come è andata? Può dare un voto qui. Il link vale una volta sola, per 14 giorni:\n\n${LINK_MARK}\n\nSe preferisce di no, ignori questo messaggio.`,
    }),
    replied: ({ name, venue, reply }) => ({
      subject: `${venue} ha risposto alla sua recensione`,
      body: `Buongiorno${name},\n\ngrazie per la sua recensione. ${venue} scrive:\n\n${reply}`,
    }),
  },
  ar: {
    requested: ({ name, venue, isVisit }) => ({
      subject: `كيف كانت تجربتكم في ${venue}؟`,
      body: `مرحباً${name}،\n\nشكراً على ${isVisit ? "زيارتكم إلى" : "طلبكم من"} ${venue}. كيف كانت تجربتكم؟ يمكنكم تقييمها هنا. يعمل الرابط مرة واحدة خلال 14 يوماً:\n\n${LINK_MARK}\n\nإن كنتم لا ترغبون في ذلك فتجاهلوا هذه الرسالة.`,
    }),
    replied: ({ name, venue, reply }) => ({
      subject: `ردّ ${venue} على تقييمكم`,
      body: `مرحباً${name}،\n\nشكراً على تقييمكم. كتب لكم ${venue}:\n\n${reply}`,
    }),
  },
};

/** The guest's name is free text of an unauthenticated caller; the reply was written by a manager. */
export const writeReviewMessage = (message: ReviewMessage, language: MessageLanguage, venueName: string): MessageText => {
  const [guest, venue] = [plainName(message.guest), plainName(venueName)];
  const name = guest === "" ? "" : ` ${guest}`;
  const { requested, replied } = TEXTS[language];
  return message.kind === "review.requested"
    ? requested({ name, venue, isVisit: message.isVisit })
    : replied({ name, venue, reply: plainText(message.reply) });
};

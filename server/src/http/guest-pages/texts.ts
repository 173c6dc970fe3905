/** What the guest's page says, in the languages of the messages that lead to it. */
export const GUEST_LANGUAGES = ["en", "it", "ar"] as const;
export type GuestLanguage = (typeof GUEST_LANGUAGES)[number];

export type PageProblem = "closed" | "limited" | "unavailable" | "tooLarge";

type PageTexts = {
  direction: "ltr" | "rtl";
  title: (venue: string) => string;
  leads: Record<"order" | "visit", string>;
  rating: string;
  ratings: Record<1 | 2 | 3 | 4 | 5, string>;
  comment: string;
  commentHint: string;
  submit: string;
  privacy: (venue: string) => string;
  ratingMissing: string;
  commentTooLong: string;
  faultsTitle: string;
  thanks: string;
  thanksLead: (venue: string) => string;
  problems: Record<PageProblem, { title: string; lead: string }>;
};

export const GUEST_TEXTS: Record<GuestLanguage, PageTexts> = {
  en: {
    direction: "ltr",
    title: (venue) => `How was it at ${venue}?`,
    leads: { order: "Rate your order. It takes a minute.", visit: "Rate your visit. It takes a minute." },
    rating: "Your rating",
    ratings: { 1: "Poor", 2: "Fair", 3: "Good", 4: "Very good", 5: "Excellent" },
    comment: "Your comment (optional)",
    commentHint: "At most 2000 characters.",
    submit: "Send",
    privacy: (venue) => `${venue} sees your rating, your comment and your name. You can send it once.`,
    ratingMissing: "Choose a rating from 1 to 5.",
    commentTooLong: "The comment is too long: at most 2000 characters.",
    faultsTitle: "It was not sent",
    thanks: "Thank you",
    thanksLead: (venue) => `${venue} has your review.`,
    problems: {
      closed: { title: "This link does not work", lead: "It was used before, its time is over, or it is not complete." },
      limited: { title: "Too many requests", lead: "Wait a minute, then open the link again." },
      unavailable: {
        title: "Please try again shortly",
        lead: "The page cannot be shown right now. Nothing was lost: the link still works.",
      },
      tooLarge: { title: "It was not sent", lead: "What was sent is too large or not complete. Go back and try again." },
    },
  },
  it: {
    direction: "ltr",
    title: (venue) => `Come è andata da ${venue}?`,
    leads: { order: "Dia un voto al suo ordine. Basta un minuto.", visit: "Dia un voto alla sua visita. Basta un minuto." },
    rating: "Il suo voto",
    ratings: { 1: "Scarso", 2: "Discreto", 3: "Buono", 4: "Molto buono", 5: "Eccellente" },
    comment: "Il suo commento (facoltativo)",
    commentHint: "Al massimo 2000 caratteri.",
    submit: "Invia",
    privacy: (venue) => `${venue} vede il voto, il commento e il suo nome. Si può inviare una volta sola.`,
    ratingMissing: "Scelga un voto da 1 a 5.",
    commentTooLong: "Il commento è troppo lungo: al massimo 2000 caratteri.",
    faultsTitle: "Non è stato inviato",
    thanks: "Grazie",
    thanksLead: (venue) => `${venue} ha ricevuto la sua recensione.`,
    problems: {
      closed: { title: "Questo link non funziona", lead: "È già stato usato, è scaduto o non è completo." },
      limited: { title: "Troppe richieste", lead: "Attenda un minuto e apra di nuovo il link." },
      unavailable: { title: "Riprovi tra poco", lead: "La pagina non è disponibile in questo momento. Il link è ancora valido." },
      tooLarge: { title: "Non è stato inviato", lead: "Il testo inviato è troppo grande o incompleto. Torni indietro e riprovi." },
    },
  },
  ar: {
    direction: "rtl",
    title: (venue) => `كيف كانت تجربتكم في ${venue}؟`,
    leads: { order: "قيّموا طلبكم. لا يستغرق ذلك سوى دقيقة.", visit: "قيّموا زيارتكم. لا يستغرق ذلك سوى دقيقة." },
    rating: "تقييمكم",
    ratings: { 1: "ضعيف", 2: "مقبول", 3: "جيد", 4: "جيد جداً", 5: "ممتاز" },
    comment: "تعليقكم (اختياري)",
    commentHint: "2000 حرف على الأكثر.",
    submit: "إرسال",
    privacy: (venue) => `يرى ${venue} تقييمكم وتعليقكم واسمكم. يمكن الإرسال مرة واحدة.`,
    ratingMissing: "اختاروا تقييماً من 1 إلى 5.",
    commentTooLong: "التعليق أطول من اللازم: 2000 حرف على الأكثر.",
    faultsTitle: "لم يُرسل التقييم",
    thanks: "شكراً لكم",
    thanksLead: (venue) => `وصل تقييمكم إلى ${venue}.`,
    problems: {
      closed: { title: "هذا الرابط لا يعمل", lead: "استُخدم من قبل، أو انتهت مدته، أو أنه غير كامل." },
      limited: { title: "طلبات كثيرة", lead: "انتظروا دقيقة ثم افتحوا الرابط من جديد." },
      unavailable: { title: "حاولوا بعد قليل", lead: "لا يمكن عرض الصفحة الآن. لم يُفقد شيء والرابط ما زال يعمل." },
      tooLarge: { title: "لم يُرسل التقييم", lead: "ما أُرسل كبير جداً أو غير كامل. ارجعوا وحاولوا من جديد." },
    },
  },
};

/** A link that says nothing about its guest gets the browser's first language that has texts. */
export const languageOfBrowser = (accepted: string | undefined): GuestLanguage => {
  const wanted = (accepted ?? "")
    .slice(0, 200)
    .split(",")
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.flatMap((code) => GUEST_LANGUAGES.filter((language) => language === code))[0] ?? "en";
};

/** The sentences of mail about security events, in English, Italian and Arabic. */
import type { MessageLanguage } from "#platform/messages/notifications/rules/texts.ts";

export type AlertKind =
  | "password.changed"
  | "factor.on"
  | "factor.off"
  | "factor.reset"
  | "device.new"
  | "recovery_code.used"
  | "codes.guessed"
  | "token.created"
  | "app.allowed"
  | "webhook.added"
  | "webhook.changed"
  | "till.connected";

/** `about`: the name of a token or an app, the host of an address, or a number of codes. */
export type AlertSubject = { about: string; venue: string; by: string };
type AlertSentences = { subject: string; event: string; advice: string };
type AlertLabels = { greeting: (name: string) => string; device: string; unknown: string; address: string; at: string };

export const LABELS: Record<MessageLanguage, AlertLabels> = {
  en: { greeting: (name) => `Hello ${name},`, device: "Device", unknown: "unknown", address: "IP address", at: "Time" },
  it: { greeting: (name) => `Buongiorno ${name},`, device: "Dispositivo", unknown: "sconosciuto", address: "Indirizzo IP", at: "Ora" },
  ar: { greeting: (name) => `مرحباً ${name}،`, device: "الجهاز", unknown: "غير معروف", address: "عنوان IP", at: "الوقت" },
};

const NOT_YOU = {
  en: "If this was not you, open the sign-in page, choose “Forgot your password?” and set a new password. That signs out every device.",
  it: "Se non è stato lei, apra la pagina di accesso, scelga “Password dimenticata?” e ne imposti una nuova. Tutti i dispositivi verranno disconnessi.",
  ar: "إن لم تكونوا أنتم، فافتحوا صفحة الدخول واختاروا «نسيت كلمة المرور؟» وعيّنوا كلمة مرور جديدة. سيُسجَّل خروج كل الأجهزة.",
};

export const LAST_OF_DAY = {
  en: "For the next 24 hours you will get no more mails like this one. Later events are shown in the console: in the activity of the venue, and in the devices of your account.",
  it: "Per le prossime 24 ore non riceverà altri messaggi come questo. Gli eventi successivi sono visibili nella console: nelle attività del locale e nei dispositivi del suo account.",
  ar: "لن تصلكم رسائل أخرى كهذه خلال الأربع والعشرين ساعة القادمة. تجدون الأحداث التالية في لوحة التحكم: في نشاط المطعم وفي أجهزة حسابكم.",
};

export const TEXTS: Record<MessageLanguage, Record<AlertKind, (subject: AlertSubject) => AlertSentences>> = {
  en: {
    "password.changed": () => ({
      subject: "Your Comanda password was changed",
      event: "Your password was changed, and every other device was signed out.",
      advice: NOT_YOU.en,
    }),
    "factor.on": () => ({
      subject: "Your second factor is on",
      event: "The second factor of your account was turned on. Keep your recovery codes in a safe place.",
      advice: NOT_YOU.en,
    }),
    "factor.off": () => ({
      subject: "Your second factor is off",
      event: "The second factor of your account was turned off.",
      advice: NOT_YOU.en,
    }),
    "factor.reset": () => ({
      subject: "Your second factor was removed",
      event: "The operator of this service removed the second factor of your account and signed out every device.",
      advice: "Sign in with your password and turn it on again. If you did not ask for this, contact the operator.",
    }),
    "device.new": () => ({
      subject: "New sign-in to Comanda",
      event: "A new device signed in to your account.",
      advice: NOT_YOU.en,
    }),
    "recovery_code.used": ({ about }) => ({
      subject: "A recovery code was used",
      event: `A recovery code was used for your account. Codes left: ${about}.`,
      advice: NOT_YOU.en,
    }),
    "codes.guessed": ({ about }) => ({
      subject: "Wrong codes for your account",
      event: `The first step of a sign-in to your account succeeded. Then ${about} wrong codes were entered.`,
      advice: NOT_YOU.en,
    }),
    "token.created": ({ about, venue, by }) => ({
      subject: `New API token for ${venue}`,
      event: `${by} created the API token “${about}” for ${venue}.`,
      advice: "If you do not know why, open the tokens of the venue in the console and revoke it.",
    }),
    "app.allowed": ({ about, venue, by }) => ({
      subject: `An app was allowed at ${venue}`,
      event: `${by} allowed the app “${about}” at ${venue}.`,
      advice: "If you do not know why, open the apps of the venue in the console and remove it.",
    }),
    "webhook.added": ({ about, venue, by }) => ({
      subject: `New webhook address for ${venue}`,
      event: `${by} added a webhook address: events of ${venue} are sent to ${about}.`,
      advice: "If you do not know why, open the webhooks of the venue in the console and remove it.",
    }),
    "webhook.changed": ({ about, venue, by }) => ({
      subject: `A webhook address of ${venue} was changed`,
      event: `${by} changed a webhook address: events of ${venue} are now sent to ${about}.`,
      advice: "If you do not know why, open the webhooks of the venue in the console and remove it.",
    }),
    "till.connected": ({ about, venue, by }) => ({
      subject: `A till was connected at ${venue}`,
      event: `${by} connected a till: new orders of ${venue} are sent to ${about}.`,
      advice: "If you do not know why, open the till of the venue in the console and disconnect it.",
    }),
  },
  it: {
    "password.changed": () => ({
      subject: "La sua password di Comanda è cambiata",
      event: "La sua password è stata cambiata e tutti gli altri dispositivi sono stati disconnessi.",
      advice: NOT_YOU.it,
    }),
    "factor.on": () => ({
      subject: "Secondo fattore attivo",
      event: "Il secondo fattore del suo account è stato attivato. Conservi i codici di recupero in un luogo sicuro.",
      advice: NOT_YOU.it,
    }),
    "factor.off": () => ({
      subject: "Secondo fattore disattivato",
      event: "Il secondo fattore del suo account è stato disattivato.",
      advice: NOT_YOU.it,
    }),
    "factor.reset": () => ({
      subject: "Secondo fattore rimosso",
      event: "Il gestore del servizio ha rimosso il secondo fattore del suo account e disconnesso tutti i dispositivi.",
      advice: "Acceda con la password e lo riattivi. Se non l'ha chiesto lei, contatti il gestore.",
    }),
    "device.new": () => ({
      subject: "Nuovo accesso a Comanda",
      event: "Un nuovo dispositivo ha effettuato l'accesso al suo account.",
      advice: NOT_YOU.it,
    }),
    "recovery_code.used": ({ about }) => ({
      subject: "È stato usato un codice di recupero",
      event: `È stato usato un codice di recupero del suo account. Codici rimasti: ${about}.`,
      advice: NOT_YOU.it,
    }),
    "codes.guessed": ({ about }) => ({
      subject: "Codici errati per il suo account",
      event: `Il primo passaggio di un accesso al suo account è riuscito. Poi sono stati inseriti ${about} codici errati.`,
      advice: NOT_YOU.it,
    }),
    "token.created": ({ about, venue, by }) => ({
      subject: `Nuovo token API per ${venue}`,
      event: `${by} ha creato il token API «${about}» per ${venue}.`,
      advice: "Se non sa perché, apra i token del locale nella console e lo revochi.",
    }),
    "app.allowed": ({ about, venue, by }) => ({
      subject: `Un'app è stata autorizzata per ${venue}`,
      event: `${by} ha autorizzato l'app «${about}» per ${venue}.`,
      advice: "Se non sa perché, apra le app del locale nella console e la rimuova.",
    }),
    "webhook.added": ({ about, venue, by }) => ({
      subject: `Nuovo indirizzo webhook per ${venue}`,
      event: `${by} ha aggiunto un indirizzo webhook: gli eventi di ${venue} vengono inviati a ${about}.`,
      advice: "Se non sa perché, apra i webhook del locale nella console e lo rimuova.",
    }),
    "webhook.changed": ({ about, venue, by }) => ({
      subject: `Un indirizzo webhook di ${venue} è cambiato`,
      event: `${by} ha cambiato un indirizzo webhook: gli eventi di ${venue} vengono ora inviati a ${about}.`,
      advice: "Se non sa perché, apra i webhook del locale nella console e lo rimuova.",
    }),
    "till.connected": ({ about, venue, by }) => ({
      subject: `Una cassa è stata collegata a ${venue}`,
      event: `${by} ha collegato una cassa: i nuovi ordini di ${venue} vengono inviati a ${about}.`,
      advice: "Se non sa perché, apra la cassa del locale nella console e la scolleghi.",
    }),
  },
  ar: {
    "password.changed": () => ({
      subject: "تم تغيير كلمة مروركم في كومندا",
      event: "تم تغيير كلمة المرور وسُجّل خروج كل الأجهزة الأخرى.",
      advice: NOT_YOU.ar,
    }),
    "factor.on": () => ({
      subject: "تم تفعيل العامل الثاني",
      event: "تم تفعيل العامل الثاني لحسابكم. احفظوا رموز الاسترداد في مكان آمن.",
      advice: NOT_YOU.ar,
    }),
    "factor.off": () => ({
      subject: "تم إيقاف العامل الثاني",
      event: "تم إيقاف العامل الثاني لحسابكم.",
      advice: NOT_YOU.ar,
    }),
    "factor.reset": () => ({
      subject: "أُزيل العامل الثاني",
      event: "أزال مشغّل الخدمة العامل الثاني من حسابكم وسجّل خروج كل الأجهزة.",
      advice: "سجّلوا الدخول بكلمة المرور وفعّلوه من جديد. إن لم تطلبوا ذلك فتواصلوا مع المشغّل.",
    }),
    "device.new": () => ({
      subject: "تسجيل دخول جديد إلى كومندا",
      event: "تم تسجيل الدخول إلى حسابكم من جهاز جديد.",
      advice: NOT_YOU.ar,
    }),
    "recovery_code.used": ({ about }) => ({
      subject: "استُخدم رمز استرداد",
      event: `استُخدم رمز استرداد لحسابكم. الرموز المتبقية: ${about}.`,
      advice: NOT_YOU.ar,
    }),
    "codes.guessed": ({ about }) => ({
      subject: "رموز خاطئة لحسابكم",
      event: `نجحت الخطوة الأولى من تسجيل دخول إلى حسابكم، ثم أُدخلت رموز خاطئة، عددها ${about}.`,
      advice: NOT_YOU.ar,
    }),
    "token.created": ({ about, venue, by }) => ({
      subject: `رمز API جديد لـ ${venue}`,
      event: `أنشأ ${by} رمز API باسم «${about}» لـ ${venue}.`,
      advice: "إن لم تعرفوا السبب فافتحوا رموز المطعم في لوحة التحكم وألغوه.",
    }),
    "app.allowed": ({ about, venue, by }) => ({
      subject: `سُمح لتطبيق في ${venue}`,
      event: `سمح ${by} للتطبيق «${about}» في ${venue}.`,
      advice: "إن لم تعرفوا السبب فافتحوا تطبيقات المطعم في لوحة التحكم وأزيلوه.",
    }),
    "webhook.added": ({ about, venue, by }) => ({
      subject: `عنوان webhook جديد لـ ${venue}`,
      event: `أضاف ${by} عنوان webhook: تُرسَل أحداث ${venue} إلى ${about}.`,
      advice: "إن لم تعرفوا السبب فافتحوا webhooks المطعم في لوحة التحكم وأزيلوه.",
    }),
    "webhook.changed": ({ about, venue, by }) => ({
      subject: `تغيّر عنوان webhook لـ ${venue}`,
      event: `غيّر ${by} عنوان webhook: تُرسَل أحداث ${venue} الآن إلى ${about}.`,
      advice: "إن لم تعرفوا السبب فافتحوا webhooks المطعم في لوحة التحكم وأزيلوه.",
    }),
    "till.connected": ({ about, venue, by }) => ({
      subject: `وُصل صندوق دفع في ${venue}`,
      event: `وصل ${by} صندوق دفع: تُرسَل طلبات ${venue} الجديدة إلى ${about}.`,
      advice: "إن لم تعرفوا السبب فافتحوا صندوق الدفع في لوحة التحكم وافصلوه.",
    }),
  },
};

/** Arabic translations of the contract's event descriptions. */
import type { EventType } from "@comanda/contract/events/events.ts";

export const EVENT_DESCRIPTIONS: Record<EventType, string> = {
  ping: "تُرسل عندما يطلب أحدهم إرسالًا تجريبيًا. لا تقول شيئًا عن المطعم، بل أن العنوان يرد.",
  "order.created": "تُرسل عند تسجيل طلب من أي قناة، حتى الذي ينتظر موعد الافتتاح التالي.",
  "order.status_changed": "تُرسل عند انتقال طلب من حالة إلى أخرى. في الطلب الحالة الجديدة وفي `previous_status` القديمة.",
  "order.paid": "تُرسل مرة لكل طلب حين تغطي مدفوعاته المبلغ كاملًا لأول مرة.",
  "reservation.created": "تُرسل عند إنشاء حجز، سواء تأكد فورًا أو ما زال ينتظر المطعم.",
  "reservation.updated": "تُرسل عند تغيّر أي شيء في الحجز، ومنه حالته وطاولته. للإلغاء حدث خاص به.",
  "reservation.cancelled": "تُرسل عند إلغاء حجز. ويقول `cancelled_by` من أي طرف.",
  "menu.item_updated": "تُرسل عند تغيّر طبق: سعره أو نصه أو نفاده أو عودته. لا يُخبر عن طبق جديد ولا عن استيراد.",
  "payment.refunded": "تُرسل عند رد دفعة كليًا أو جزئيًا، مرة لكل رد.",
  "guest.created": "تُرسل حين يصبح لمن لم يكن معروفًا ملف، مثلًا مع أول طلب أو حجز.",
  "guest.updated":
    "تُرسل عند تغيّر بيانات ضيف أو موافقته، وعند نسيان ضيف: حينها `erased` صحيحة ولا يبقى إلا المعرّف. الزيارة وحدها لا يُخبر عنها.",
  "giftcard.issued": "تُرسل عند إصدار بطاقة هدية، بيعت لضيف أو منحها العاملون. لا يُرسل الرمز كاملًا أبدًا.",
  "giftcard.redeemed": "تُرسل عند دفع طلب ببطاقة هدية كليًا أو جزئيًا. `balance_minor` هو ما بقي في البطاقة.",
  "review.created": "تُرسل عندما يترك ضيف تقييمًا، بكلمات أو بدونها.",
  "stock.below_par": "تُرسل عندما ينزل مخزون مكوّن في فرع عن حده الأدنى بعد أن كان عنده أو فوقه. لا يُخبر عن نزول آخر حتى يعود فوقه.",
  "shift.published": "تُرسل عند نشر جدول مناوبات فرع لأسبوع، مع كل مناوبات ذلك الأسبوع.",
  "experience.booked": "تُرسل عند حجز تذاكر تجربة ودفعها.",
};

/** Arabic translations of the server's field errors. Others are shown in English. */
export const FIELD_ERRORS: Record<string, string> = {
  "Is not an address.": "هذا ليس عنوانًا.",
  "Must not have a part behind #.": "يجب ألا يحوي جزءًا بعد علامة #.",
  "Must not have a user name.": "يجب ألا يحوي اسم مستخدم.",
  "Must start with https://.": "يجب أن يبدأ بـ https://.",
  "Must start with https:// (http:// only for localhost).": "يجب أن يبدأ بـ https:// (أو http:// لـ localhost فقط).",
  "Must be a PNG, JPEG or WebP picture of at most 64 kB.": "يجب أن تكون صورة PNG أو JPEG أو WebP لا تتجاوز 64 كيلوبايت.",
  "You have 20 apps already. Withdraw one first.": "لديك 20 تطبيقًا بالفعل. اسحب أحدها أولًا.",
  "3 secrets are valid already. End the old ones now.": "هناك 3 أسرار صالحة بالفعل. أنهِ القديمة الآن.",
  "Must not have characters that cannot be seen.": "يجب ألا يحوي حروفًا لا تُرى.",
  "Looks like the name of another app in the catalogue.": "يشبه اسم تطبيق آخر في الدليل.",
  "A venue has at most 100 active tokens: revoke one first.": "للمطعم 100 مفتاح صالح على الأكثر: ألغِ أحدها أولًا.",
  "The address is not a URL.": "هذا ليس عنوان URL.",
  "The address must start with https://.": "يجب أن يبدأ العنوان بـ https://.",
  "The address must not hold a user name or a password.": "يجب ألا يحوي العنوان اسم مستخدم أو كلمة مرور.",
};

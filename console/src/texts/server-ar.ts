/** What the service says in English only, in Arabic: when events occur, and why a message did not arrive. */
import type { EventType } from "@comanda/contract/events.ts";

export const OCCURS: Record<EventType, string> = {
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

export const SENTENCES: Record<string, string> = {
  "The address is not a URL.": "هذا ليس عنوان URL.",
  "The address must start with https://.": "يجب أن يبدأ العنوان بـ https://.",
  "The address must not hold a user name or a password.": "يجب ألا يحوي العنوان اسم مستخدم أو كلمة مرور.",
  "The address is not one we can send to.": "لا يمكننا الإرسال إلى هذا العنوان.",
  "The address belongs to a private or special network.": "العنوان يتبع شبكة خاصة.",
  "The name of the host could not be resolved.": "تعذّر العثور على اسم المضيف.",
  "The connection failed.": "تعذّر الاتصال.",
  "No connection could be made in time.": "لم يتم الاتصال في الوقت المحدد.",
  "No TLS connection with HTTP/1.1 could be agreed on.": "لم يُتفق على اتصال TLS مع HTTP/1.1.",
  "The certificate of the host is not valid.": "شهادة المضيف غير صالحة.",
  "No complete answer came in time.": "لم يأتِ رد كامل في الوقت المحدد.",
  "The receiver answered with a redirect, which is not followed.": "ردّ الخادم بإعادة توجيه، ونحن لا نتبعها.",
  "The receiver did not answer with a 2xx status.": "لم يرد الخادم برمز 2xx.",
  "The receiver's answer is not valid HTTP.": "رد الخادم ليس HTTP صالحًا.",
  "The signing secret could not be opened: check SECRET_KEYS.": "تعذّر فتح سر التوقيع: على المشغّل فحص SECRET_KEYS.",
  "The receiver was disconnected before it could be reached.": "فُصل المستقبِل قبل الوصول إليه.",
  "The address was removed before it could be reached.": "حُذف العنوان قبل الوصول إليه.",
  "The venue had no plan in force when it was due. It can be sent again.": "لم تكن للمكان باقة سارية في موعدها. يمكن إرسالها من جديد.",
};

export const arAccess = {
  access: {
    lostTitle: "لم يعد لك وصول إلى هذا المطعم",
    lostLead: "لم تعد من فريقه. إن كان ذلك خطأ فاطلب دعوة جديدة.",
    lostAction: "إلى مطاعمك",
    endedTitle: "سجّل الدخول من جديد لفتح هذا المطعم",
    endedLead: "أنهى مالك جلساتك في {{venue}}، كما يُفعل عند فقدان جهاز. تبقى مطاعمك الأخرى مفتوحة.",
    endedAction: "تسجيل الدخول من جديد",
    factorTitle: "فعّل عاملًا ثانيًا",
    factorLead: "يطلبه {{venue}} من مالكيه ومديريه. تحتاج إلى تطبيق مصادقة على هاتفك. يستغرق ذلك دقيقة.",
    factorAfter: "ثم تعود إلى المطعم.",
    featureTitle: "ليس في خطتك",
    featureLead: "لا تشمل خطة {{venue}} ما يلي: {{feature}}. يستطيع المالك تغيير الخطة.",
    features: { reservations: "الحجوزات", reporting: "التقارير" },
    featureAction: "إلى الطلبات",
  },
};

/** Texts of forms: what is not saved yet, and rows of periods. */
export const arForms = {
  draft: {
    discard: "تجاهل التغييرات",
    unsaved: "لم تُحفظ التغييرات",
    faster: "غيّر {{who}} هذا في هذه الأثناء. لم تُحفظ تغييراتك.",
    fasterUnknown: "تغيّر هذا في هذه الأثناء. لم تُحفظ تغييراتك.",
    showPresent: "عرض المحفوظ الآن",
    leaveTitle: "المغادرة بلا حفظ؟",
    leaveLead: "ستضيع تغييراتك.",
    leave: "مغادرة",
  },
  hoursFields: {
    periodsNone: "لا فترات: لا يستطيع الضيوف الحجز.",
    days: "الأيام",
    weekdays: { mon: "الإثنين", tue: "الثلاثاء", wed: "الأربعاء", thu: "الخميس", fri: "الجمعة", sat: "السبت", sun: "الأحد" },
    from: "من",
    to: "إلى",
    addPeriod: "إضافة فترة",
    removePeriod: "إزالة الفترة {{number}}",
    periodOf: "الفترة {{number}}",
    daysMissing: "اختر يومًا واحدًا على الأقل.",
    timeMissing: "أدخل وقتًا.",
  },
};

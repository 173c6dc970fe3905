/** Names of scopes. */
export const arScopes = {
  menu: "القائمة",
  orders: "الطلبات",
  reservations: "الحجوزات",
  guests: "الضيوف",
  reports: "التقارير",
  read: "قراءة",
  write: "كتابة",
  "menu:read": "قراءة الأطباق والأسعار وما نفد.",
  "menu:write": "تغيير الأطباق والأسعار وما نفد.",
  "orders:read": "قراءة الطلبات مع أسماء الضيوف.",
  "orders:write": "تقديم الطلبات وتغيير حالتها.",
  "reservations:read": "قراءة الحجوزات والأوقات المتاحة.",
  "reservations:write": "إنشاء الحجوزات وإلغاؤها.",
  "guests:read": "قراءة ملفات الضيوف الذين وافقوا على ذلك.",
  "reports:read": "قراءة المبيعات اليومية.",
  operations: "ما تسمح به كل صلاحية",
  resource: "المجال",
};

/** Scopes that the consent screen marks as sensitive, and why. */
export const arSensitiveScopes = {
  "menu:write": "ما يكتبه يراه الضيوف ويطلبونه ويدفعون ثمنه.",
  "orders:write": "ما يقدّمه من طلبات يصل إلى مطبخك.",
  "reservations:write": "يمكنه ملء طاولاتك، وإلغاء حجوزات ضيوفك.",
  "guests:read": "هذه بيانات شخصية، وأنت مسؤول عمّن يراها.",
  "reports:read": "تُظهر ما يكسبه مطعمك.",
};

/** The console's change stream (server-sent events) of a venue, and the areas it names. */
export const CHANGE_STREAM_PATH = "/venues/{venue}/live";
/** A paired screen reads the changes of its own venue here. */
export const SCREEN_STREAM_PATH = "/screen/live";

/** The area of each kind of subject. Its changes are numbered, in the order of their commits. */
export const AREA_OF_SUBJECT = {
  order: "orders",
  ticket: "tickets",
  payment: "payments",
  bill: "bills",
  reservation: "reservations",
  block: "reservations",
  waiting: "reservations",
  floor: "reservations",
  booking_rules: "reservations",
  item: "menu",
  option: "menu",
  menu: "menu",
  category: "menu",
  modifier_group: "menu",
  happy_hour: "menu",
  guest: "guests",
  gift_card: "gift-cards",
  review: "reviews",
  review_rules: "reviews",
  ingredient: "stock",
  recipe: "stock",
  shift: "shifts",
  shift_week: "shifts",
  shift_rules: "shifts",
  experience: "experiences",
  experience_session: "experiences",
  experience_booking: "experiences",
  restaurant: "settings",
  branches: "settings",
  ordering: "settings",
  charges: "settings",
  order_type: "settings",
  screen: "screens",
  staff: "team",
  token: "tokens",
  app: "apps",
  webhook: "webhooks",
  message: "messages",
} as const;
export type ChangedKind = keyof typeof AREA_OF_SUBJECT;
export type NumberedArea = (typeof AREA_OF_SUBJECT)[ChangedKind];

/** Logs. The activity log changes with every numbered change; the other two change without a number. */
const LOG_AREAS = ["activity", "deliveries", "requests"] as const;

/** The stream names the area that changed, without data. The console then refetches. */
export type ChangeArea = NumberedArea | (typeof LOG_AREAS)[number];
export const CHANGE_AREAS: readonly ChangeArea[] = [...new Set([...Object.values(AREA_OF_SUBJECT), ...LOG_AREAS])];

/** The sample of a fresh sandbox as the API shows it on `SAMPLE_DAY`: what the examples of operations are about. Plain data, no schema. */
import type { Guest } from "../venue/guests.ts";
import type { Category, Item, Menu } from "../venue/menu.ts";
import type { Order } from "../venue/orders.ts";
import type { Reservation } from "../venue/reservations.ts";
import { SANDBOX_ID_FIRST as FIRST, SANDBOX_ORDER_ID, SANDBOX_RESERVATION_ID } from "./sandbox-ids.ts";

/** The day on which the sample's dates stand as they are written here. */
export const SAMPLE_DAY = "2026-11-14";
const LAID_OUT_AT = `${SAMPLE_DAY}T01:15:00+01:00`;

export const BRANCH_ID = FIRST;

export const soup: Item = {
  id: FIRST,
  category_id: FIRST,
  name: { en: "Lentil soup", it: "Zuppa di lenticchie", ar: "شوربة عدس" },
  description: {
    en: "Red lentils, cumin and a lemon to squeeze.",
    it: "Lenticchie rosse, cumino e un limone da spremere.",
    ar: "عدس أحمر وكمون وليمونة للعصر.",
  },
  price_minor: null,
  is_available: true,
  show_online: true,
  dietary: "vegan",
  allergens: ["celery"],
  sort_order: 0,
  variants: [
    { id: FIRST, name: { en: "Cup", it: "Tazza", ar: "كوب" }, price_minor: 450, is_default: false },
    { id: FIRST + 1, name: { en: "Bowl", it: "Ciotola", ar: "وعاء" }, price_minor: 750, is_default: true },
  ],
  modifier_groups: [
    {
      id: FIRST,
      name: { en: "Bread", it: "Pane", ar: "الخبز" },
      min_select: 1,
      max_select: 1,
      options: [
        { id: FIRST, name: { en: "Rye", it: "Di segale", ar: "جاودار" }, price_minor: 0, is_available: true },
        { id: FIRST + 1, name: { en: "White", it: "Bianco", ar: "أبيض" }, price_minor: 0, is_available: true },
        { id: FIRST + 2, name: { en: "Gluten-free", it: "Senza glutine", ar: "خالٍ من الغلوتين" }, price_minor: 100, is_available: true },
      ],
    },
  ],
  updated_at: LAID_OUT_AT,
};

export const chicken: Item = {
  ...soup,
  id: FIRST + 2,
  name: { en: "Chicken and rice", it: "Pollo e riso", ar: "دجاج وأرز" },
  description: {
    en: "Poached chicken, rice cooked in its broth.",
    it: "Pollo bollito, riso cotto nel suo brodo.",
    ar: "دجاج مسلوق وأرز مطبوخ بمرقه.",
  },
  price_minor: 1250,
  dietary: "non_veg",
  sort_order: 2,
  variants: [],
  modifier_groups: [],
};

export const biscuit: Item = {
  id: FIRST + 7,
  category_id: FIRST + 2,
  name: { en: "Oat biscuit", it: "Biscotto d'avena", ar: "بسكويت الشوفان" },
  description: { en: "One is never enough.", it: "Uno non basta mai.", ar: "واحدة لا تكفي أبداً." },
  price_minor: 200,
  is_available: true,
  show_online: true,
  dietary: "vegan",
  allergens: ["gluten"],
  sort_order: 1,
  variants: [],
  modifier_groups: [],
  updated_at: LAID_OUT_AT,
};

const category = (index: number, name: Category["name"]): Category => ({
  id: FIRST + index,
  menu_id: FIRST,
  name,
  is_active: true,
  sort_order: index,
});

export const fromThePot = category(0, { en: "From the pot", it: "Dalla pentola", ar: "من القدر" });
const onToast = category(1, { en: "On toast", it: "Sul pane tostato", ar: "على الخبز المحمص" });
export const fromTheOven = category(2, { en: "From the oven", it: "Dal forno", ar: "من الفرن" });
const fromTheKettle = category(3, { en: "From the kettle", it: "Dal bollitore", ar: "من الإبريق" });

export const menu: Menu = {
  id: FIRST,
  name: { en: "All day", it: "Tutto il giorno", ar: "طوال اليوم" },
  is_active: true,
  sort_order: 0,
  categories: [fromThePot, onToast, fromTheOven, fromTheKettle],
};

const NO_AMOUNT = { discount_minor: 0, tax_added_minor: 0, delivery_fee_minor: 0 };

/** The one order of the sample, at the first table. */
export const order: Order = {
  id: SANDBOX_ORDER_ID,
  status: "placed",
  type: "dine_in",
  channel: "web",
  branch_id: BRANCH_ID,
  table: { id: FIRST, name: "1 · Window", code: "T1" },
  customer: { name: "Nora Winther", phone: "+44 7700 900 321", email: "nora.winther@example.com" },
  note: "Lemon on the side, please.",
  delivery_address: null,
  currency: "EUR",
  ...NO_AMOUNT,
  subtotal_minor: 3000,
  service_charge_minor: 300,
  total_minor: 3300,
  tax_breakdown: [{ name: "Tax 10%", rate: 10, inclusive: true, taxable_minor: 3300, tax_minor: 300 }],
  cancel_reason: null,
  items: [
    {
      id: 71681,
      item_id: soup.id,
      name: soup.name,
      variant_name: { en: "Bowl", it: "Ciotola", ar: "وعاء" },
      quantity: 2,
      unit_price_minor: 750,
      line_total_minor: 1500,
      voided: false,
      modifiers: [{ name: { en: "Rye", it: "Di segale", ar: "جاودار" }, price_minor: 0 }],
    },
    {
      id: 72705,
      item_id: FIRST + 3,
      name: { en: "Mushrooms on toast", it: "Crostone ai funghi", ar: "فطر على الخبز المحمص" },
      variant_name: null,
      quantity: 1,
      unit_price_minor: 850,
      line_total_minor: 1000,
      voided: false,
      modifiers: [
        { name: { en: "White", it: "Bianco", ar: "أبيض" }, price_minor: 0 },
        { name: { en: "Poached egg", it: "Uovo in camicia", ar: "بيضة مسلوقة" }, price_minor: 150 },
      ],
    },
    {
      id: 73729,
      item_id: FIRST + 8,
      name: { en: "Pot of tea", it: "Teiera di tè", ar: "إبريق شاي" },
      variant_name: { en: "For two", it: "Per due", ar: "لشخصين" },
      quantity: 1,
      unit_price_minor: 500,
      line_total_minor: 500,
      voided: false,
      modifiers: [],
    },
  ],
  placed_at: LAID_OUT_AT,
  scheduled_for: null,
  paid_at: null,
  updated_at: LAID_OUT_AT,
};

/** The one booking of the sample: tomorrow evening. */
export const reservation: Reservation = {
  id: SANDBOX_RESERVATION_ID,
  status: "confirmed",
  name: "Samir Haddad",
  phone: "+44 7700 900 322",
  email: "samir.haddad@example.com",
  party_size: 4,
  date: "2026-11-15",
  time: "19:30",
  table_id: FIRST + 2,
  note: "By the stove, if there is room.",
  deposit_minor: null,
  deposit_status: null,
  created_at: LAID_OUT_AT,
  updated_at: LAID_OUT_AT,
};

export const agreedGuest: Guest = {
  id: FIRST,
  name: "Nora Winther",
  phone: "+44 7700 900 321",
  email: "nora.winther@example.com",
  contact_shared: true,
  locale: "en",
  marketing_opted_in: true,
  marketing_opted_in_at: "2026-01-10T19:30:00+01:00",
  visits_count: 0,
  total_spend_minor: 0,
  last_visit_at: null,
  created_at: LAID_OUT_AT,
};

/** Without consent, phone and e-mail are null (open point D125). */
export const newGuest: Guest = {
  ...agreedGuest,
  id: FIRST + 1,
  name: "Samir Haddad",
  phone: null,
  email: null,
  contact_shared: false,
  locale: "ar",
  marketing_opted_in: false,
  marketing_opted_in_at: null,
};

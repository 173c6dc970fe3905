/** Fixtures: the form of an order that staff take, and its price. */
import type { FormDish, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import { ago, MINUTE } from "./fixture-times.ts";

const dish = (id: number, category_id: number, [en, ar]: [string, string], changes: Partial<FormDish> = {}): FormDish => ({
  id,
  category_id,
  name: { en, ar },
  price_minor: 1150,
  is_available: true,
  remaining: null,
  sizes: [],
  group_ids: [],
  ...changes,
});

export const orderForm: OrderForm = {
  types: ["pickup", "delivery", "dine_in"],
  tables: [
    { code: "T1", name: "Table 1", branch_id: 1 },
    { code: "T2", name: "Terrace 2", branch_id: 1 },
  ],
  delivery_cities: ["Rome", "Fiumicino"],
  categories: [
    { id: 1, name: { en: "Pizza", ar: "بيتزا" } },
    { id: 2, name: { en: "Pasta", ar: "باستا" } },
    { id: 3, name: { en: "Dessert", ar: "حلويات" } },
  ],
  dishes: [
    dish(11, 1, ["Pizza Margherita", "بيتزا مارغريتا"], {
      price_minor: null,
      sizes: [
        { id: 1, name: { en: "Regular", ar: "عادي" }, price_minor: 950, is_default: true },
        { id: 2, name: { en: "Family", ar: "عائلي" }, price_minor: 1900, is_default: false },
      ],
      group_ids: [1, 2],
    }),
    dish(12, 1, ["Pizza with buffalo mozzarella, wild rocket and San Daniele ham", "بيتزا بموزاريلا الجاموس والجرجير البري"]),
    dish(21, 2, ["Tagliatelle al ragù", "تالياتيلي بالراغو"], { remaining: 6 }),
    dish(22, 2, ["Risotto ai funghi", "ريزوتو بالفطر"], { is_available: false }),
    dish(31, 3, ["Tiramisù", "تيراميسو"], { price_minor: 650 }),
  ],
  groups: [
    {
      id: 1,
      name: { en: "Dough", ar: "العجين" },
      min_select: 1,
      max_select: 1,
      options: [
        { id: 1, name: { en: "Classic", ar: "كلاسيكي" }, price_minor: 0, is_available: true },
        { id: 2, name: { en: "Gluten-free", ar: "خالٍ من الغلوتين" }, price_minor: 200, is_available: true },
      ],
    },
    {
      id: 2,
      name: { en: "Extras", ar: "إضافات" },
      min_select: 0,
      max_select: 3,
      options: [
        { id: 3, name: { en: "Buffalo mozzarella", ar: "موزاريلا جاموس" }, price_minor: 250, is_available: true },
        { id: 4, name: { en: "Truffle", ar: "كمأة" }, price_minor: 600, is_available: false },
      ],
    },
  ],
  currency: "EUR",
  zone: "Europe/Rome",
  now: ago(0),
};

export const orderQuote: OrderQuote = {
  lines: [{ index: 0, unit_price_minor: 1150, line_total_minor: 1150 }],
  amounts: {
    subtotal_minor: 1800,
    discount_minor: 0,
    service_charge_minor: 0,
    tax_added_minor: 180,
    delivery_fee_minor: 300,
    total_minor: 2280,
  },
  promised_at: ago(-40 * MINUTE),
  refusals: [
    { field: "delivery_address.city", reason: "not_delivered_there", values: {} },
    { field: "lines.1.item_id", reason: "one_left", values: {} },
  ],
};

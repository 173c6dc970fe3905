/** Fixtures: the menu of an evening on which some dishes ran out. */
import type { DishState, DishToday, MenuToday, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { ago, HOUR } from "./fixture-times.ts";

const AVAILABLE: DishState = { kind: "available", until: null, remaining: null };
const endOfToday = ago(-10 * HOUR);

const dish = (id: number, category_id: number, [en, ar]: [string, string], state: DishState = AVAILABLE): DishToday => ({
  id,
  category_id,
  name: { en, ar },
  state,
});

const option = (id: number, [en, ar]: [string, string], state: OptionToday["state"], dishes: number): OptionToday => ({
  id,
  name: { en, ar },
  group_name: { en: "Extras", ar: "إضافات" },
  state,
  dishes,
});

const dinner = { en: "Dinner", ar: "العشاء" };

export const menuToday: MenuToday = {
  categories: [
    { id: 1, name: { en: "Pizza", ar: "بيتزا" }, menu_name: dinner },
    { id: 2, name: { en: "Pasta", ar: "باستا" }, menu_name: dinner },
    { id: 3, name: { en: "Dessert", ar: "حلويات" }, menu_name: dinner },
  ],
  dishes: [
    dish(11, 1, ["Pizza Margherita", "بيتزا مارغريتا"]),
    dish(12, 1, [
      "Pizza with buffalo mozzarella, wild rocket and San Daniele ham",
      "بيتزا بموزاريلا الجاموس والجرجير البري ولحم سان دانييلي",
    ]),
    dish(21, 2, ["Tagliatelle al ragù", "تالياتيلي بالراغو"], { kind: "counted", until: null, remaining: 6 }),
    dish(22, 2, ["Risotto ai funghi", "ريزوتو بالفطر"], { kind: "sold_out", until: endOfToday, remaining: null }),
    dish(31, 3, ["Tiramisù", "تيراميسو"], { kind: "counted", until: null, remaining: 0 }),
    dish(32, 3, ["Panna cotta", "بانا كوتا"], { kind: "sold_out", until: null, remaining: null }),
  ],
  options: [
    option(41, ["Buffalo mozzarella", "موزاريلا جاموس"], { kind: "available", until: null }, 9),
    option(42, ["Truffle", "كمأة"], { kind: "sold_out", until: endOfToday }, 1),
  ],
  today_ends_at: endOfToday,
  zone: "Europe/Rome",
  now: ago(0),
};

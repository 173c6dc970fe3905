/** Fixtures: a menu with sizes, extras, a happy hour, and dishes that lack something. */
import type { ItemValue, MenuChange, MenuPlan, MenuPreview, PlanItem, ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";

const dish = (id: number, name: Translations, change: Partial<ItemValue> = {}, is_available = true): PlanItem => ({
  key: `dish-${id}`,
  id,
  version: "v1",
  is_available,
  value: {
    category: "pizza",
    name,
    description: null,
    price_minor: 1250,
    variants: [],
    modifier_groups: [],
    dietary: "none",
    allergens: ["gluten", "milk"],
    show_online: true,
    tax: null,
    ...change,
  },
});

const category = (
  key: string,
  id: number,
  name: Translations,
  change: { menu?: string; station?: string | null; is_active?: boolean } = {},
) => ({
  key,
  id,
  version: "v1",
  value: { menu: "dinner", name, is_active: true, hours: null, station: "Hot", ...change },
});

const sizes: ItemValue["variants"] = [
  { key: "glass", name: { en: "Glass", ar: "كأس" }, price_minor: 600, is_default: true },
  { key: "bottle", name: { en: "Bottle", ar: "زجاجة" }, price_minor: 2800, is_default: false },
];

export const menuPlan: MenuPlan = {
  menus: [
    { key: "dinner", id: 1, version: "v1", value: { name: { en: "Dinner", ar: "العشاء" }, is_active: true, hours: null } },
    {
      key: "bar",
      id: 2,
      version: "v1",
      value: { name: { en: "Bar", ar: "البار" }, is_active: false, hours: [{ days: ["fri", "sat"], from: "18:00", to: "01:00" }] },
    },
  ],
  categories: [
    category("pizza", 1, { en: "Pizza", ar: "بيتزا" }),
    category("pasta", 2, { en: "Pasta", ar: "باستا" }),
    category("wine", 3, { en: "Wine by the glass and by the bottle", ar: "النبيذ" }, { menu: "bar", station: null }),
  ],
  items: [
    dish(1, { en: "Pizza Margherita", ar: "بيتزا مارغريتا" }, { modifier_groups: ["extras"] }),
    dish(2, {
      en: "Pizza with buffalo mozzarella, wild rocket and San Daniele ham",
      ar: "بيتزا بموزاريلا الجاموس والجرجير البري ولحم سان دانييلي",
    }),
    dish(3, { en: "Marinara", ar: null }, { price_minor: 900, show_online: false, dietary: "vegan" }),
    dish(4, { en: "Tagliatelle al ragù", ar: "تالياتيلي بالراغو" }, { category: "pasta", allergens: null }, false),
    dish(5, { en: "Chianti", ar: "كيانتي" }, { category: "wine", price_minor: null, variants: sizes }),
  ],
  modifier_groups: [
    {
      key: "extras",
      id: 1,
      version: "v1",
      value: {
        name: { en: "Extras", ar: "إضافات" },
        min_select: 0,
        max_select: 3,
        options: [
          { key: "burrata", name: { en: "Burrata", ar: "بوراتا" }, price_minor: 350 },
          { key: "chilli", name: { en: "Chilli", ar: "فلفل حار" }, price_minor: 0 },
        ],
      },
    },
    { key: "dough", id: 2, version: "v1", value: { name: { en: "Dough", ar: "العجين" }, min_select: 1, max_select: 1, options: [] } },
  ],
  happy_hours: [
    {
      key: "aperitivo",
      id: 1,
      version: "v1",
      value: {
        name: { en: "Aperitivo", ar: "أبيريتيفو" },
        is_active: true,
        hours: [{ days: ["mon", "tue"], from: "17:00", to: "19:00" }],
        percent_off: 20,
        price_minor: null,
        categories: ["pizza"],
        items: ["dish-4"],
        variants: [{ item: "dish-5", variant: "glass" }],
      },
    },
  ],
  taxes: [
    { key: "food", name: "Food", rate: 10, is_default: true },
    { key: "drinks", name: "Drinks", rate: 22, is_default: false },
  ],
  default_language: "en",
  currency: "EUR",
  zone: "Europe/Rome",
};

/** As many dishes as a large restaurant has. */
export const largeMenuPlan: MenuPlan = {
  ...menuPlan,
  items: Array.from({ length: 500 }, (_none, at) =>
    dish(at + 1, { en: `Dish ${at + 1}`, ar: `طبق ${at + 1}` }, { category: ["pizza", "pasta", "wine"][at % 3] ?? "pizza" }),
  ),
};

export const menuPreview: MenuPreview = {
  at: "2026-11-20T18:00:00.000Z",
  offered_menus: ["dinner"],
  closed_categories: [],
  happy_hours: ["aperitivo"],
  prices: [
    { item: "dish-1", variant: null, price_minor: 1000 },
    { item: "dish-2", variant: null, price_minor: 1000 },
  ],
};

const plannedPrice = (id: number, price: Pick<ScheduledPrice, "item" | "variant" | "price_minor" | "starts_at">): ScheduledPrice => ({
  id: `01930000-0000-7000-8000-00000000000${id}`,
  planned_by: "سامي",
  ...price,
});
export const plannedPrices: ScheduledPrice[] = [
  plannedPrice(1, { item: "dish-1", variant: null, price_minor: 1350, starts_at: "2026-11-19T04:00:00.000Z" }),
  plannedPrice(2, { item: "dish-2", variant: null, price_minor: 1400, starts_at: "2026-11-19T04:00:00.000Z" }),
  plannedPrice(3, { item: "dish-5", variant: "glass", price_minor: 650, starts_at: "2026-12-01T04:00:00.000Z" }),
];

const change = (id: number, change: Partial<MenuChange>): MenuChange => ({
  id,
  at: "2026-11-18T17:30:00.000Z",
  actor_kind: "staff",
  actor_name: "Nina Ferrari",
  list: "items",
  name: { en: "Pizza Margherita", ar: "بيتزا مارغريتا" },
  kind: "changed",
  before: { price_minor: 1200 },
  after: { price_minor: 1250 },
  can_put_back: true,
  ...change,
});
export const menuChanges: MenuChange[] = [
  change(6, {}),
  change(5, {
    actor_name: "سامي",
    before: { allergens: ["gluten"], show_online: false },
    after: { allergens: ["gluten", "milk"], show_online: true },
  }),
  change(4, { before: { price_minor: 1100 }, after: { price_minor: 1200 }, can_put_back: false }),
  change(3, {
    list: "categories",
    name: { en: "Pasta", ar: "باستا" },
    before: { sort_order: 1 },
    after: { sort_order: 2 },
    can_put_back: false,
  }),
  change(2, {
    actor_kind: "system",
    actor_name: "",
    list: "happy_hours",
    name: { en: "Aperitivo", ar: "أبيريتيفو" },
    kind: "created",
    before: null,
  }),
  change(1, {
    list: "menus",
    name: { en: "Bar", ar: "البار" },
    before: { hours: null, name: { en: "Bar", ar: null } },
    after: { hours: [{ days: ["fri", "sat"], from: "18:00", to: "01:00" }], name: { en: "Bar", ar: "البار" } },
  }),
];

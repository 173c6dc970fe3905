/** Fixtures: an evening in the kitchen. */
import type { Kitchen, KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import type { Screen } from "@comanda/contract/console/screens.ts";
import { ago, HOUR, MINUTE } from "./fixture-times.ts";

type LineFixture = [quantity: number, dish: keyof typeof DISHES, more?: Partial<KitchenLine>];

const DISHES = {
  margherita: { id: 1, allergens: ["gluten", "milk"], name: { en: "Pizza Margherita", ar: "بيتزا مارغريتا" } },
  tagliatelle: {
    id: 2,
    allergens: ["gluten", "eggs", "milk", "celery", "sulphites"],
    name: { en: "Tagliatelle al ragù", ar: "تالياتيلي بالراغو" },
  },
  steak: { id: 3, allergens: [], name: { en: "Tagliata of beef", ar: "شرائح لحم بقري" } },
  bass: { id: 4, allergens: ["fish"], name: { en: "Grilled sea bass", ar: "قاروص مشوي" } },
  burrata: { id: 5, allergens: ["milk"], name: { en: "Burrata with tomatoes", ar: "بوراتا بالطماطم" } },
  fries: { id: 6, allergens: null, name: { en: "Fries", ar: "بطاطا مقلية" } },
  tiramisu: { id: 7, allergens: ["gluten", "eggs", "milk", "nuts"], name: { en: "Tiramisù", ar: "تيراميسو" } },
} satisfies Record<string, Pick<KitchenLine, "allergens" | "name"> & { id: number }>;

const LARGE = { variant_name: { en: "Large", ar: "كبيرة" } };
const modifiers = (...names: [en: string, ar: string][]) => ({ modifiers: names.map(([en, ar]) => ({ name: { en, ar } })) });
const RARE = modifiers(["Rare", "قليل الاستواء"]);
const MOZZARELLA = modifiers(["Buffalo mozzarella", "موزاريلا جاموس"], ["No basil", "بلا ريحان"]);

const line = ([quantity, dish, more]: LineFixture, index: number): KitchenLine => ({
  index,
  item_id: DISHES[dish].id,
  name: { ...DISHES[dish].name },
  variant_name: null,
  quantity,
  modifiers: [],
  allergens: DISHES[dish].allergens,
  is_done: false,
  is_struck: false,
  is_acknowledged: false,
  ...more,
});

type TicketFixture = Partial<Omit<KitchenTicket, "lines">> & { age: number; dueIn: number; lines: LineFixture[] };

/** Each ticket is of an order of its own, unless it names one. */
export const ticket = (number: number, { age, dueIn, lines, ...more }: TicketFixture): KitchenTicket => ({
  id: number,
  order_id: `0199f3c2-7d10-7a4b-9c11-00000000${String(2000 + number)}`,
  number,
  type: "dine_in",
  table: "7",
  customer_name: null,
  note: null,
  branch_id: null,
  station: "Grill",
  state: "fired",
  is_priority: false,
  is_acknowledged: false,
  lines: lines.map(line),
  elsewhere: [],
  fired_at: ago(age * MINUTE),
  promised_at: ago(-dueIn * MINUTE),
  done_at: null,
  changed_at: ago(age * MINUTE),
  ...more,
});

export const tickets: KitchenTicket[] = [
  ticket(41, {
    age: 26,
    dueIn: -6,
    table: "12",
    lines: [
      [2, "steak", RARE],
      [1, "bass", { is_done: true }],
      [2, "fries"],
    ],
    elsewhere: [{ station: "Cold", state: "done" }],
  }),
  ticket(42, {
    age: 18,
    dueIn: 3,
    table: "Terrace 4",
    note: "Nut allergy at the table: clean pan, no pesto.",
    lines: [
      [2, "margherita", { ...LARGE, ...MOZZARELLA }],
      [1, "tagliatelle", { is_struck: true }],
    ],
  }),
  ticket(43, {
    age: 15,
    dueIn: 9,
    type: "delivery",
    table: null,
    customer_name: "Sofia Conti",
    state: "voided",
    lines: [
      [1, "steak"],
      [1, "fries"],
    ],
  }),
  ticket(44, {
    age: 12,
    dueIn: 12,
    is_priority: true,
    table: "3",
    lines: [
      [1, "bass"],
      [3, "fries", modifiers(["No salt", "بلا ملح"])],
    ],
    elsewhere: [
      { station: "Cold", state: "fired" },
      { station: "Pizza", state: "done" },
    ],
  }),
  ticket(45, {
    age: 9,
    dueIn: 16,
    type: "pickup",
    table: null,
    customer_name: "Karim Haddad",
    lines: [
      [1, "steak", modifiers(["Medium", "متوسط الاستواء"])],
      [1, "burrata"],
    ],
  }),
  ticket(46, {
    age: 7,
    dueIn: 18,
    table: "9",
    lines: [
      [4, "margherita"],
      [2, "bass"],
      [1, "fries"],
      [1, "steak"],
      [1, "burrata"],
    ],
  }),
  ticket(47, { age: 4, dueIn: 21, table: "1", lines: [[2, "tagliatelle"]] }),
  ticket(48, {
    age: 1,
    dueIn: 24,
    table: "15",
    lines: [
      [1, "steak", RARE],
      [1, "bass"],
    ],
  }),
];

/** More than a wall can show at once. */
const many: KitchenTicket[] = [
  ...tickets,
  ...Array.from({ length: 16 }, (_, place) =>
    ticket(49 + place, {
      age: 1,
      dueIn: 25,
      table: String(20 + place),
      lines: [
        [1 + (place % 3), "steak"],
        [1, "fries"],
        [2, "bass"],
      ],
    }),
  ),
];

const longOne = ticket(70, {
  age: 40,
  dueIn: 22,
  table: "Hall",
  lines: Array.from({ length: 24 }, (_, place): LineFixture => [1 + (place % 4), place % 2 === 0 ? "steak" : "margherita"]),
});

const expoTickets = tickets.flatMap((given) =>
  [44, 46].includes(given.id)
    ? [
        given,
        {
          ...ticket(given.id + 100, { age: 6, dueIn: 18, lines: [[1, "burrata"]] }),
          number: given.number,
          order_id: given.order_id,
          table: given.table,
          station: "Cold",
        },
      ]
    : [given],
);

const screen: Screen = {
  id: 5,
  purpose: "kitchen",
  name: "Grill screen",
  branch_id: null,
  stations: ["Grill"],
  language: "en",
  has_sound: false,
  browser: "Chrome",
  system: "Android",
  paired_by: "Nina Rossi",
  paired_at: ago(20 * HOUR),
  seen_at: ago(0),
};

export const kitchen: Kitchen = {
  position: "1000",
  is_whole: true,
  changed_orders: [],
  tickets,
  is_cut: false,
  screen,
  missing: { stations: [], is_branch_missing: false },
  branches: [],
  venue_name: { en: "Trattoria da Nino", ar: "تراتوريا دا نينو" },
  default_language: "it",
  zone: "Europe/Rome",
  now: ago(0),
};

export const busyKitchen: Kitchen = { ...kitchen, tickets: many, screen: { ...screen, has_sound: true } };
export const longKitchen: Kitchen = { ...kitchen, tickets: [longOne, ...tickets] };
export const expoKitchen: Kitchen = { ...kitchen, tickets: expoTickets, screen: { ...screen, name: "Pass", stations: [] } };
export const arabicKitchen: Kitchen = {
  ...busyKitchen,
  screen: { ...screen, name: "شاشة الشواية", language: "ar", stations: ["الشواية"] },
};
export const otherKitchen: Kitchen = { ...kitchen, screen: { ...screen, id: 6 } };
/** The station of the screen was renamed, and its branch removed. */
export const kitchenWithoutParts: Kitchen = { ...kitchen, tickets: [], missing: { stations: ["Grill"], is_branch_missing: true } };
export const emptyKitchen: Kitchen = { ...kitchen, tickets: [] };

const doneAt = (minutes: number): Pick<KitchenTicket, "state" | "done_at"> => ({ state: "done", done_at: ago(minutes * MINUTE) });
export const doneTickets: KitchenTicket[] = [
  ticket(40, { age: 30, dueIn: -4, lines: [[2, "bass"]], ...doneAt(2) }),
  ticket(39, {
    age: 33,
    dueIn: -9,
    table: null,
    type: "pickup",
    customer_name: "Luca",
    lines: [
      [1, "steak"],
      [1, "fries"],
    ],
    ...doneAt(6),
  }),
  ticket(38, {
    age: 41,
    dueIn: -20,
    table: "Terrace 2",
    lines: [
      [3, "margherita"],
      [1, "burrata"],
    ],
    ...doneAt(11),
  }),
];

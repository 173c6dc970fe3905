/** Menu today: what staff sell out during service, until when, and how many portions are left. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";

const REMAINING_MAX = 999;

/**
 * `sold_out` without `until` lasts until a person ends it. `counted` with 0 remaining is sold out as well: its last portion was ordered.
 */
export const DishState = Type.Object({
  kind: Literals(["available", "sold_out", "counted"]),
  until: Nullable(Instant),
  remaining: Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
});
export type DishState = Static<typeof DishState>;

export const OptionState = Type.Object({ kind: Literals(["available", "sold_out"]), until: Nullable(Instant) });
export type OptionState = Static<typeof OptionState>;

export const DishToday = Type.Object({ id: Id, category_id: Id, name: Translations, state: DishState });
export type DishToday = Static<typeof DishToday>;

export const OptionToday = Type.Object({
  id: Id,
  name: Translations,
  group_name: Translations,
  state: OptionState,
  /** How many dishes show it. */
  dishes: Count,
});
export type OptionToday = Static<typeof OptionToday>;

const CategoryToday = Type.Object({ id: Id, name: Translations, menu_name: Translations });
export type CategoryToday = Static<typeof CategoryToday>;

/** Dishes are in the order of the menus. */
export const MenuToday = Type.Object({
  categories: Type.Array(CategoryToday),
  dishes: Type.Array(DishToday),
  options: Type.Array(OptionToday),
  /** The next 05:00 on the venue's clock: the end of "sold out today". */
  today_ends_at: Instant,
  zone: Type.String(),
  now: Instant,
});
export type MenuToday = Static<typeof MenuToday>;

/** `today`: until the day of service ends. `time` needs `until`, `count` needs `remaining`. */
export const DISH_CHOICES = ["available", "today", "time", "until_said", "count"] as const;
export type DishChoice = (typeof DISH_CHOICES)[number];
export const OPTION_CHOICES = ["available", "today", "until_said"] as const;
export type OptionChoice = (typeof OPTION_CHOICES)[number];

const DishChange = Type.Object({
  seen: DishState,
  to: Literals(DISH_CHOICES),
  until: Type.Optional(Instant),
  remaining: Type.Optional(Type.Integer({ minimum: 0, maximum: REMAINING_MAX })),
});
export type DishChange = Static<typeof DishChange>;

const OptionChange = Type.Object({ seen: OptionState, to: Literals(OPTION_CHOICES) });
export type OptionChange = Static<typeof OptionChange>;

export const menuTodayOperations = {
  readMenuToday: {
    method: "GET",
    path: "/venues/{venue}/menu-today",
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(MenuToday) },
  },
  /** 409 `state_changed` when the dish no longer has the state that the page saw. */
  setDishToday: {
    method: "POST",
    path: "/venues/{venue}/menu-today/dishes/{id}",
    who: "staff",
    isService: true,
    isIdempotent: true,
    body: DishChange,
    success: { status: 200, body: Data(DishToday) },
  },
  /** 409 `state_changed` as above. Every dish that shows the option is changed with it. */
  setOptionToday: {
    method: "POST",
    path: "/venues/{venue}/menu-today/options/{id}",
    who: "staff",
    isService: true,
    isIdempotent: true,
    body: OptionChange,
    success: { status: 200, body: Data(OptionToday) },
  },
} as const satisfies Record<string, ConsoleOperation>;

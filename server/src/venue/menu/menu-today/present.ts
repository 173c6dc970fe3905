import type { DishToday, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { dishState, optionState } from "./rules.ts";
import type { DishRow, OptionTodayRow } from "./store.ts";

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const presentDish = ({ id, category_id, name, is_available, sold_out_until, remaining }: DishRow): DishToday => ({
  id,
  category_id,
  name,
  state: dishState({ is_available, sold_out_until: instantOf(sold_out_until), remaining }),
});

export const presentOption = ({ id, name, group_name, dishes, is_available, sold_out_until }: OptionTodayRow): OptionToday => ({
  id,
  name,
  group_name,
  state: optionState({ is_available, sold_out_until: instantOf(sold_out_until) }),
  dishes,
});

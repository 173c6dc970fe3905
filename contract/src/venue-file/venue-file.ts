/**
 * The venue file: everything an owner configures, as one JSON document that `comanda-admin venue import` reads and
 * `comanda-admin venue export` writes. Things that refer to each other carry a `key`, a short name unique in its list.
 */
import { type Static, type TSchema, Type } from "typebox";
import { Literals, Shape } from "../shared.ts";
import { BookingRules } from "./booking-rules.ts";
import { Charges } from "./charges.ts";
import { EXPERIENCES_MAX, ExperienceFile } from "./experiences.ts";
import { Default, strict } from "./fields.ts";
import { HappyHour, MenuFile, ModifierGroupFile } from "./menu.ts";
import { OrderingRules } from "./ordering-rules.ts";
import { BRANCHES_MAX, Branch, Restaurant, TABLES_MAX, Table, TableCombination } from "./restaurant.ts";
import { ReviewRules } from "./review-rules.ts";
import { ShiftRules } from "./shift-rules.ts";
import { GuestFile, Staff } from "./staff-and-guests.ts";
import { INGREDIENTS_MAX, IngredientFile, RECIPES_MAX, RecipeFile } from "./stock.ts";

export const VENUE_FILE_FORMAT = "comanda.venue/1";

/** A member with a default need not be there, though the type says that it always is: reading fills it in. */
const withoutDefaultsRequired = <T extends TSchema>(schema: T): T => {
  const { properties, required, items, ...rest } = schema as T & {
    properties?: Record<string, TSchema & { default?: unknown }>;
    required?: string[];
    items?: TSchema;
  };
  return {
    ...rest,
    ...(items ? { items: withoutDefaultsRequired(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withoutDefaultsRequired(property)])),
          required: (required ?? []).filter((name) => properties[name]?.default === undefined),
        }
      : {}),
  } as unknown as T;
};

export const VenueFile = withoutDefaultsRequired(
  Shape(
    "VenueFile",
    {
      format: Literals([VENUE_FILE_FORMAT]),
      restaurant: Restaurant,
      branches: Type.Array(Branch, { minItems: 1, maxItems: BRANCHES_MAX }),
      tables: Default(Type.Array(Table, { maxItems: TABLES_MAX }), []),
      table_combinations: Default(Type.Array(TableCombination, { maxItems: TABLES_MAX }), []),
      modifier_groups: Default(Type.Array(ModifierGroupFile, { maxItems: 1000 }), []),
      menus: Type.Array(MenuFile, { maxItems: 50 }),
      happy_hours: Default(Type.Array(HappyHour, { maxItems: 200 }), []),
      ingredients: Default(Type.Array(IngredientFile, { maxItems: INGREDIENTS_MAX }), []),
      recipes: Default(Type.Array(RecipeFile, { maxItems: RECIPES_MAX }), []),
      experiences: Default(Type.Array(ExperienceFile, { maxItems: EXPERIENCES_MAX }), []),
      ordering: Default(OrderingRules, {}),
      booking: Default(BookingRules, {}),
      charges: Default(Charges, {}),
      reviews: Default(ReviewRules, {}),
      shifts: Default(ShiftRules, {}),
      staff: Default(Type.Array(Staff, { maxItems: 1000 }), []),
      guests: Default(Type.Array(GuestFile, { maxItems: 100_000 }), []),
    },
    strict,
  ),
);
export type VenueFile = Static<typeof VenueFile>;

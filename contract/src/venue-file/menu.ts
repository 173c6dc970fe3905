/** Menus, categories, dishes, extras and happy hours in a venue file. */
import { Type } from "typebox";
import { Minor, Nullable, TranslationsInput } from "../shared.ts";
import { Allergen, DESCRIPTION_LENGTH_MAX, Dietary } from "../venue/menu.ts";
import { Default, Key, Name, Percent, strict, Text } from "./fields.ts";
import { Hours } from "./opening-hours.ts";

export const ModifierGroupFile = Type.Object(
  {
    key: Key,
    name: Name,
    min_select: Default(Type.Integer({ minimum: 0, maximum: 100 }), 0),
    max_select: Default(Nullable(Type.Integer({ minimum: 1, maximum: 100 })), null),
    options: Type.Array(
      Type.Object({ key: Key, name: Name, price_minor: Default(Minor, 0), is_available: Default(Type.Boolean(), true) }, strict),
      { maxItems: 100 },
    ),
  },
  strict,
);

export const ItemFile = Type.Object(
  {
    key: Key,
    name: Name,
    description: Default(Nullable(TranslationsInput({ lengthMax: DESCRIPTION_LENGTH_MAX })), null),
    price_minor: Default(Nullable(Minor), null),
    variants: Default(
      Type.Array(Type.Object({ key: Key, name: Name, price_minor: Minor, is_default: Default(Type.Boolean(), false) }, strict), {
        maxItems: 20,
      }),
      [],
    ),
    modifier_groups: Default(Type.Array(Key, { maxItems: 100, uniqueItems: true }), []),
    dietary: Default(Dietary, "none"),
    allergens: Default(Nullable(Type.Array(Allergen, { maxItems: 14, uniqueItems: true })), null),
    is_available: Default(Type.Boolean(), true),
    show_online: Default(Type.Boolean(), true),
    tax: Default(Nullable(Key), null),
  },
  strict,
);

export const CategoryFile = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    station: Default(Nullable(Text(60, "The kitchen station that cooks this category.")), null),
    items: Type.Array(ItemFile, { maxItems: 2000 }),
  },
  strict,
);

export const MenuFile = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    categories: Type.Array(CategoryFile, { maxItems: 500 }),
  },
  strict,
);

export const HappyHour = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    percent_off: Default(Nullable(Percent), null),
    price_minor: Default(Nullable(Minor), null),
    categories: Default(Type.Array(Key, { maxItems: 500 }), []),
    items: Default(Type.Array(Key, { maxItems: 2000 }), []),
    variants: Default(Type.Array(Type.Object({ item: Key, variant: Key }, strict), { maxItems: 2000 }), []),
  },
  { ...strict, description: "Exactly one of `percent_off` and `price_minor` is set; the lowest price wins where several run." },
);

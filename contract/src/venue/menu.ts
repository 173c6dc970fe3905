/** The resources of the menu (contract §2.2–2.4, §2.11). */
import { type Static, Type } from "typebox";
import { DateTime, Id, Literals, Minor, Nullable, Shape, TextInput, Translations, TranslationsInput } from "../shared.ts";
import { ALLERGENS } from "./allergens.ts";

export const NAME_LENGTH_MAX = 255;
export const DESCRIPTION_LENGTH_MAX = 5000;

export const Dietary = Literals(["none", "veg", "non_veg", "egg", "vegan"]);
export type Dietary = Static<typeof Dietary>;

export const Allergen = Literals(ALLERGENS);
export type Allergen = Static<typeof Allergen>;

export const Variant = Shape("Variant", {
  id: Id,
  name: Translations,
  price_minor: Minor,
  is_default: Type.Boolean(),
});

export const ModifierOption = Shape("ModifierOption", {
  id: Id,
  name: Translations,
  price_minor: Minor,
  is_available: Type.Boolean(),
});

export const ModifierGroup = Shape("ModifierGroup", {
  id: Id,
  name: Translations,
  min_select: Type.Integer({ minimum: 0 }),
  max_select: Nullable(Type.Integer({ minimum: 0 })),
  options: Type.Array(ModifierOption),
});

export const Item = Shape(
  "Item",
  {
    id: Id,
    category_id: Id,
    name: Translations,
    description: Nullable(Translations),
    price_minor: Nullable(Minor),
    is_available: Type.Boolean({ description: "False means sold out." }),
    show_online: Type.Boolean(),
    dietary: Dietary,
    allergens: Nullable(Type.Array(Allergen)),
    sort_order: Type.Integer(),
    variants: Type.Array(Variant),
    modifier_groups: Type.Array(ModifierGroup),
    updated_at: Nullable(DateTime),
  },
  { description: "A dish. Priced by `price_minor`, or per size by `variants`: then `price_minor` is null." },
);
export type Item = Static<typeof Item>;

const category = {
  id: Id,
  menu_id: Id,
  name: Translations,
  is_active: Type.Boolean(),
  sort_order: Type.Integer(),
};
export const Category = Shape("Category", category);
export type Category = Static<typeof Category>;
export const CategoryWithItems = Shape("CategoryWithItems", { ...category, items: Type.Array(Item) });

const menu = { id: Id, name: Translations, is_active: Type.Boolean(), sort_order: Type.Integer() };
export const Menu = Shape("Menu", { ...menu, categories: Type.Array(Category) });
export type Menu = Static<typeof Menu>;
export const MenuWithItems = Shape("MenuWithItems", { ...menu, categories: Type.Array(CategoryWithItems) });
export type MenuWithItems = Static<typeof MenuWithItems>;

export const MenuNow = Shape(
  "MenuNow",
  {
    available: Type.Boolean({ description: "Whether the menu is active and inside its hours." }),
    closed_category_ids: Type.Array(Id),
    prices: Type.Array(Type.Object({ item_id: Id, variant_id: Nullable(Id), price_minor: Minor }), {
      description: "Each dish or size that a happy hour has cut, at the price charged now.",
    }),
  },
  { description: "What the time of day makes of the menu, on the default branch's clock." },
);
export type MenuNow = Static<typeof MenuNow>;

export const NewItem = Shape("NewItem", {
  category_id: Id,
  name: TextInput({ lengthMax: NAME_LENGTH_MAX, required: true }),
  description: Type.Optional(Nullable(TextInput({ lengthMax: DESCRIPTION_LENGTH_MAX, required: false }))),
  price_minor: Type.Optional(Nullable(Minor)),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        name: TranslationsInput({ lengthMax: NAME_LENGTH_MAX }),
        price_minor: Minor,
        is_default: Type.Optional(Type.Boolean()),
      }),
      { maxItems: 20 },
    ),
  ),
  dietary: Type.Optional(Dietary),
  allergens: Type.Optional(Nullable(Type.Array(Allergen, { maxItems: 1000 }))),
  is_available: Type.Optional(Type.Boolean()),
  show_online: Type.Optional(Type.Boolean()),
  modifier_group_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
});
export type NewItem = Static<typeof NewItem>;

export const ItemChanges = Shape("ItemChanges", {
  category_id: Type.Optional(Id),
  name: Type.Optional(TextInput({ lengthMax: NAME_LENGTH_MAX, required: true })),
  description: Type.Optional(Nullable(TextInput({ lengthMax: DESCRIPTION_LENGTH_MAX, required: false }))),
  price_minor: Type.Optional(Minor),
  dietary: Type.Optional(Dietary),
  allergens: Type.Optional(Nullable(Type.Array(Allergen, { maxItems: 1000 }))),
  is_available: Type.Optional(Type.Boolean()),
  show_online: Type.Optional(Type.Boolean()),
});
export type ItemChanges = Static<typeof ItemChanges>;

export const ItemAvailability = Shape("ItemAvailability", { is_available: Type.Boolean() });

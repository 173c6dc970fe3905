/**
 * The menu as managers change it. Subjects are named by their keys, as in a venue file, and have the bounds of the file. One save has any
 * number of edits, and takes effect as a whole or not at all.
 */
import { type Static, Type } from "typebox";
import { CalendarDate, Currency, Id, Literals, Minor, Nullable, TimeOfDay, Translations, UUID_PATTERN } from "../shared.ts";
import { Key, Language } from "../venue-file/fields.ts";
import { CategoryFile, HappyHour, ItemFile, MenuFile, ModifierGroupFile } from "../venue-file/menu.ts";
import { ActivityEntry } from "./logs.ts";
import { Before, type ConsoleOperation, Count, Data, Instant, Rows } from "./operation.ts";

/** Changes with what an edit of the subject replaces. Being sold out is no part of it: that changes during service. */
const Version = Type.String({ maxLength: 80 });

const Variants = ItemFile.properties.variants;
const { name, is_active, hours } = MenuFile.properties;

export const MenuValue = Type.Object({ name, is_active, hours });
export type MenuValue = Static<typeof MenuValue>;

export const CategoryValue = Type.Object({ menu: Key, name, is_active, hours, station: CategoryFile.properties.station });
export type CategoryValue = Static<typeof CategoryValue>;

const { description, price_minor, modifier_groups, dietary, allergens, show_online, tax } = ItemFile.properties;
export const ItemValue = Type.Object({
  category: Key,
  name: ItemFile.properties.name,
  description,
  price_minor,
  variants: Variants,
  modifier_groups,
  dietary,
  allergens,
  show_online,
  tax,
});
export type ItemValue = Static<typeof ItemValue>;

const { min_select, max_select } = ModifierGroupFile.properties;
const OptionValue = Type.Object({ key: Key, name, price_minor: Minor });
export const GroupValue = Type.Object({ name, min_select, max_select, options: Type.Array(OptionValue, { maxItems: 100 }) });
export type GroupValue = Static<typeof GroupValue>;

const { percent_off, categories, items, variants } = HappyHour.properties;
export const HappyHourValue = Type.Object({
  name,
  is_active,
  hours,
  percent_off,
  price_minor: HappyHour.properties.price_minor,
  categories,
  items,
  variants,
});
export type HappyHourValue = Static<typeof HappyHourValue>;

const stored = { key: Key, id: Id, version: Version };

const PlanItem = Type.Object({ ...stored, value: ItemValue, is_available: Type.Boolean() });
export type PlanItem = Static<typeof PlanItem>;

const PlanTax = Type.Object({ key: Key, name: Type.String(), rate: Type.Number(), is_default: Type.Boolean() });

/** Every list is in the order of the menu. */
export const MenuPlan = Type.Object({
  menus: Type.Array(Type.Object({ ...stored, value: MenuValue })),
  categories: Type.Array(Type.Object({ ...stored, value: CategoryValue })),
  items: Type.Array(PlanItem),
  modifier_groups: Type.Array(Type.Object({ ...stored, value: GroupValue })),
  happy_hours: Type.Array(Type.Object({ ...stored, value: HappyHourValue })),
  taxes: Type.Array(PlanTax),
  default_language: Language,
  currency: Currency,
  zone: Type.String(),
});
export type MenuPlan = Static<typeof MenuPlan>;

/** `seen` is null for a new subject, whose key is made by the page. `value` is null when the subject is removed. */
const edit = { key: Key, seen: Nullable(Version) };
const EDITS_MAX = 2000;
const Edits = <T extends ReturnType<typeof Type.Object>>(schema: T) => Type.Optional(Type.Array(schema, { maxItems: EDITS_MAX }));

/** A price alone, so that many prices fit into one save. Without a size it is the price of a dish that has none. */
const PriceEdit = Type.Object({ item: Key, variant: Nullable(Key), seen_minor: Minor, price_minor: Minor });

export const ORDERED_LISTS = ["menus", "categories", "items", "modifier_groups", "happy_hours"] as const;
export type OrderedList = (typeof ORDERED_LISTS)[number];

/** All subjects of one list, in their new order. Categories are ordered in their menu, dishes in their category. */
const OrderEdit = Type.Object({ list: Literals(ORDERED_LISTS), parent: Nullable(Key), keys: Type.Array(Key, { maxItems: EDITS_MAX }) });

export const MenuEdits = Type.Object({
  menus: Edits(Type.Object({ ...edit, value: Nullable(MenuValue) })),
  categories: Edits(Type.Object({ ...edit, value: Nullable(CategoryValue) })),
  items: Edits(Type.Object({ ...edit, value: Nullable(ItemValue) })),
  modifier_groups: Edits(Type.Object({ ...edit, value: Nullable(GroupValue) })),
  happy_hours: Edits(Type.Object({ ...edit, value: Nullable(HappyHourValue) })),
  prices: Edits(PriceEdit),
  orders: Type.Optional(Type.Array(OrderEdit, { maxItems: 600 })),
});
export type MenuEdits = Static<typeof MenuEdits>;

/** What the time of day makes of the saved menu at one moment, by the rules that price an order. */
export const MenuPreview = Type.Object({
  at: Instant,
  /** Menus that are offered then: switched on, and within their hours. */
  offered_menus: Type.Array(Key),
  /** Categories outside of their own hours. */
  closed_categories: Type.Array(Key),
  /** Happy hours that run then. */
  happy_hours: Type.Array(Key),
  /** Each dish or size that a happy hour has reduced, at its price then. */
  prices: Type.Array(Type.Object({ item: Key, variant: Nullable(Key), price_minor: Minor })),
});
export type MenuPreview = Static<typeof MenuPreview>;

const { actor_kind, actor_name, before, after } = ActivityEntry.properties;

/** An entry of the activity log about the menu. `name` is that of the subject, also when it was removed since. */
export const MenuChange = Type.Object({
  id: Id,
  at: Instant,
  actor_kind,
  actor_name,
  list: Literals(ORDERED_LISTS),
  name: Translations,
  kind: Literals(["created", "changed", "removed"]),
  before,
  after,
  /** False when the subject was changed again since, or when only its place changed. */
  can_put_back: Type.Boolean(),
});
export type MenuChange = Static<typeof MenuChange>;

const Uuid = Type.String({ pattern: UUID_PATTERN });

/** A price that begins at a moment to come. */
export const ScheduledPrice = Type.Object({
  id: Uuid,
  item: Key,
  variant: Nullable(Key),
  price_minor: Minor,
  starts_at: Instant,
  planned_by: Type.String(),
});
export type ScheduledPrice = Static<typeof ScheduledPrice>;

/** A new price of a dish for a moment replaces the one that was planned for it. */
const PlannedPrices = Type.Object({
  prices: Type.Array(Type.Object({ item: Key, variant: Nullable(Key), price_minor: Minor }), { minItems: 1, maxItems: 500 }),
  date: CalendarDate,
  time: TimeOfDay,
});
export type PlannedPrices = Static<typeof PlannedPrices>;

const PUT_BACK_MAX = 500;

export const menuEditorOperations = {
  readMenuPlan: {
    method: "GET",
    path: "/venues/{venue}/menu-plan",
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(MenuPlan) },
  },
  /**
   * All or nothing. 409 `state_changed` when a subject is no longer as the page saw it; `details.subjects` names those. 422 under the path of
   * the edit. The answer counts what changed; the page reads the plan again.
   */
  saveMenu: {
    method: "POST",
    path: "/venues/{venue}/menu-plan",
    who: "manager",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: 2 * 1024 * 1024,
    perMinute: 120,
    body: MenuEdits,
    success: { status: 200, body: Data(Type.Object({ changed: Count })) },
  },
  /** Shows the menu as a guest sees it at that date and time of the venue's clock. */
  previewMenu: {
    method: "GET",
    path: "/venues/{venue}/menu-preview",
    who: "manager",
    isService: true,
    perMinute: 60,
    query: Type.Object({ date: CalendarDate, time: TimeOfDay }),
    success: { status: 200, body: Data(MenuPreview) },
  },
  listScheduledPrices: {
    method: "GET",
    path: "/venues/{venue}/scheduled-prices",
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(Type.Array(ScheduledPrice)) },
  },
  /**
   * Plans prices for a moment on the venue's clock. 422 when the moment is over or more than a year away, or a dish or size occurs twice.
   */
  schedulePrices: {
    method: "POST",
    path: "/venues/{venue}/scheduled-prices",
    who: "manager",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: 256 * 1024,
    perMinute: 20,
    body: PlannedPrices,
    success: { status: 201, body: Data(Type.Object({ planned: Count, starts_at: Instant })) },
  },
  /** The answer's count leaves out planned prices that have begun already. */
  cancelScheduledPrices: {
    method: "POST",
    path: "/venues/{venue}/scheduled-prices/cancel",
    who: "manager",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ ids: Type.Array(Uuid, { minItems: 1, maxItems: 500, uniqueItems: true }) }),
    success: { status: 200, body: Data(Type.Object({ cancelled: Count })) },
  },
  /** Changes of the menu, the newest first, with the person, app or token that made each. */
  listMenuChanges: {
    method: "GET",
    path: "/venues/{venue}/menu-plan/changes",
    who: "manager",
    isService: true,
    perMinute: 120,
    query: Type.Object({ ...Before }),
    success: { status: 200, body: Rows(MenuChange) },
  },
  /**
   * Undoes entries of the activity log, all or none. 409 `state_changed` when a subject was changed again since. 422 for entries that are no
   * change of the menu, or of what is sold out.
   */
  putBackMenu: {
    method: "POST",
    path: "/venues/{venue}/menu-plan/put-back",
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: Type.Object({ entries: Type.Array(Id, { minItems: 1, maxItems: PUT_BACK_MAX, uniqueItems: true }) }),
    success: { status: 200, body: Data(Type.Object({ changed: Count })) },
  },
} as const satisfies Record<string, ConsoleOperation>;

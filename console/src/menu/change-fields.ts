/** What a change of the menu was from and to, in words. Keys become the names of what they stand for. */

import type { GroupValue, ItemValue, MenuChange, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import type { TFunction } from "i18next";
import { diffOf, type FieldChange, formatPlain } from "#kit/diff.ts";
import { formatMoney } from "#kit/number-format.ts";
import { hoursText } from "./hours-text.ts";
import { enMenuTools } from "./texts-tools.en.ts";

type Texts = { t: TFunction; pick: (texts: Translations) => string; plan: MenuPlan };
type WordedFields = Record<string, unknown>;

const FIELDS: Record<string, string> = enMenuTools.menuTools.fields;

const named = ({ pick, plan }: Texts, list: "menus" | "categories" | "items" | "modifier_groups", key: string): string =>
  pick(plan[list].find((one) => one.key === key)?.value.name ?? {}) || key;

const namedAll = (texts: Texts, list: "categories" | "items" | "modifier_groups", keys: unknown): string =>
  (keys as string[]).map((key) => named(texts, list, key)).join(", ");

const priced = ({ pick, plan }: Texts, rows: ItemValue["variants"] | GroupValue["options"]): string =>
  rows.map(({ name, price_minor }) => `${pick(name)} ${formatMoney(price_minor, plan.currency)}`).join(", ");

/** How each field is said. Others are plain values. */
const WORDS: Record<string, (texts: Texts, value: never) => unknown> = {
  category: (texts, key: string) => named(texts, "categories", key),
  menu: (texts, key: string) => named(texts, "menus", key),
  categories: (texts, keys) => namedAll(texts, "categories", keys),
  items: (texts, keys) => namedAll(texts, "items", keys),
  modifier_groups: (texts, keys) => namedAll(texts, "modifier_groups", keys),
  variants: (texts, sizes: ItemValue["variants"] | { item: string }[]) =>
    (sizes as { item?: string }[]).some(({ item }) => item !== undefined)
      ? namedAll(
          texts,
          "items",
          (sizes as { item: string }[]).map(({ item }) => item),
        )
      : priced(texts, sizes as ItemValue["variants"]),
  options: (texts, options: GroupValue["options"]) => priced(texts, options),
  hours: ({ t }, hours: Hours) => hoursText(t, hours),
  dietary: ({ t }, diet: ItemValue["dietary"]) => t(`menuEditor.diets.${diet}`),
  allergens: ({ t }, allergens: NonNullable<ItemValue["allergens"]>) =>
    allergens.map((one) => t(`menuEditor.allergenNames.${one}`)).join(", "),
};

const inWords = (texts: Texts, fields: WordedFields | null): WordedFields | null =>
  fields &&
  Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field !== "sort_order")
      .map(([field, value]) => [field, value === null ? null : (WORDS[field]?.(texts, value as never) ?? value)]),
  );

const formatField =
  ({ t, plan }: Texts) =>
  (path: string, value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "menuTools.yes" : "menuTools.no");
    return typeof value === "number" && path.endsWith("_minor") ? formatMoney(minor(value), plan.currency) : formatPlain(value);
  };

/** What a subject that was added or removed consisted of is not listed. */
export const changedFields = (texts: Texts, { kind, before, after }: MenuChange): FieldChange[] =>
  kind === "changed"
    ? diffOf(inWords(texts, before), inWords(texts, after), formatField(texts)).filter((field) => field.kind !== "context")
    : [];

/** `name.it` is the name in one language. */
export const fieldName = (t: TFunction, path: string): string => {
  const [field = "", language] = path.split(".");
  if (FIELDS[field] === undefined) return path.replaceAll("_", " ");
  const label = t(`menuTools.fields.${field as keyof typeof enMenuTools.menuTools.fields}`);
  return language === undefined ? label : `${label} (${language})`;
};

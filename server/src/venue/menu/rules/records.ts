/** How a change of the menu is recorded: its entry in the activity log, and its events. */

import type { PlanChanges, SubjectChange } from "./changes.ts";
import { auditActionOf } from "./items.ts";
import type { MenuSubject } from "./plan.ts";

type MenuRecord = { action: string; before?: Record<string, unknown>; after?: Record<string, unknown> };

const pick = ({ value, place }: { value: object; place: number | null }, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, field === "sort_order" ? place : (value as Record<string, unknown>)[field]]));

const pricesOfSizes = (value: object): string => {
  const { variants = [] } = value as { variants?: readonly { key: string; price_minor: number }[] };
  return variants
    .map(({ key, price_minor }) => `${key} ${price_minor}`)
    .toSorted((a, b) => a.localeCompare(b))
    .join();
};

/** A size with another name alone is no change of a price. */
const actionOf = (kind: string, { before, after, fields }: SubjectChange<MenuSubject<object>>): string => {
  if (kind !== "item") return `${kind}.changed`;
  const isOtherPrice = before !== null && after !== null && pricesOfSizes(before.value) !== pricesOfSizes(after.value);
  return auditActionOf(isOtherPrice ? [...fields, "price_minor"] : fields);
};

/** A removed subject is kept whole, so that it can be put back. */
export const auditOf = (kind: string, change: SubjectChange<MenuSubject<object>>): MenuRecord => {
  const { before, after, fields } = change;
  if (before === null) return { action: `${kind}.created`, ...(after ? { after: { ...after.value } } : {}) };
  if (after === null) return { action: `${kind}.removed`, before: { ...before.value } };
  return { action: actionOf(kind, change), before: pick(before, fields), after: pick(after, fields) };
};

/** The name in the API, where the field is in the API. */
const API_FIELDS: Record<string, string | null> = { category: "category_id", tax: null };

/**
 * Finds for each dish that stays the fields of the API that differ. A group belongs to every dish that shows it. New dishes are left out.
 */
export const toldFields = ({
  items,
  modifier_groups,
}: PlanChanges): { changedOf: Map<number, string[]>; groupIds: number[]; size: number } => {
  const changedOf = new Map<number, string[]>();
  for (const { before, after, fields } of items) {
    const shown = fields.flatMap((field) => (field in API_FIELDS ? (API_FIELDS[field] ?? []) : [field]));
    if (before?.id && after && shown.length > 0) changedOf.set(before.id, shown);
  }
  const groupIds = modifier_groups.flatMap(({ before, fields }) =>
    before?.id && fields.some((field) => field !== "sort_order") ? [before.id] : [],
  );
  return { changedOf, groupIds, size: changedOf.size + groupIds.length };
};

/** The edits that undo entries of the activity log. */
import type { MenuChange, MenuEdits, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { FieldErrors } from "#lib/errors.ts";
import type { StaleSubject } from "./edits.ts";
import { type Plan, textOf, versionOf } from "./plan.ts";

type Fields = Record<string, unknown>;
/** An entry of the activity log about a subject of the menu, whose key is known. */
export type MenuEntryToUndo = { action: string; list: OrderedList; key: string; before: Fields | null; after: Fields | null };

export type PutBack = { edits: MenuEdits; stale: StaleSubject[]; errors: FieldErrors };

/** What was sold out is a matter of the evening, not of the menu. */
export const MENU_ACTIONS = [
  ...["menu", "category", "modifier_group", "happy_hour"].flatMap((kind) => [`${kind}.created`, `${kind}.changed`, `${kind}.removed`]),
  "item.created",
  "item.updated",
  "item.price_changed",
  "item.removed",
];
const NOT_UNDOABLE = ["This is no change of the menu that can be put back."];

/** The order of a list is not put back: it belongs to all of its subjects. */
const withoutPlace = ({ sort_order: _, ...fields }: Fields): Fields => fields;

const pick = (value: Fields, fields: Fields): Fields => Object.fromEntries(Object.keys(fields).map((name) => [name, value[name]]));

/** Null: the subject is not as the entry left it. */
const undone = (present: Fields | null, { action, before, after }: MenuEntryToUndo): { value: Fields | null } | null => {
  if (action.endsWith(".created")) return present && textOf(pick(present, after ?? {})) === textOf(after ?? {}) ? { value: null } : null;
  if (action.endsWith(".removed")) return present === null && before ? { value: before } : null;
  const [old, fresh] = [withoutPlace(before ?? {}), withoutPlace(after ?? {})];
  return present && textOf(pick(present, fresh)) === textOf(fresh) ? { value: { ...present, ...old } } : null;
};

/** The newest entry comes first, so several entries about one subject are undone in their order. */
export const putBackEdits = (plan: Plan, entries: readonly MenuEntryToUndo[]): PutBack => {
  const found: PutBack = { edits: {}, stale: [], errors: {} };
  const touched = new Map<string, { list: OrderedList; key: string; value: Fields | null }>();
  for (const [index, entry] of entries.entries()) {
    const { list, key } = entry;
    const stored = plan[list].find((subject) => subject.key === key)?.value ?? null;
    const present = touched.get(`${list} ${key}`)?.value;
    if (!MENU_ACTIONS.includes(entry.action)) found.errors[`entries.${index}`] = NOT_UNDOABLE;
    else {
      const result = undone(present === undefined ? (stored as Fields | null) : present, entry);
      if (result === null) found.stale.push({ list, key });
      else touched.set(`${list} ${key}`, { list, key, value: result.value });
    }
  }
  for (const { list, key, value } of touched.values()) {
    const stored = plan[list].find((subject) => subject.key === key);
    const edits = (found.edits[list] ?? []) as Fields[];
    found.edits[list] = [...edits, { key, seen: stored ? versionOf(stored.value) : null, value }] as never;
  }
  return found;
};

const isOnlyPlace = ({ before, after }: MenuEntryToUndo): boolean =>
  before !== null && after !== null && Object.keys(withoutPlace({ ...before, ...after })).length === 0;

const kindOf = (action: string): MenuChange["kind"] =>
  action.endsWith(".created") ? "created" : action.endsWith(".removed") ? "removed" : "changed";

/** An entry as the history of the menu shows it. Without a row the entry's own name counts. */
export const presentChange = (
  plan: Plan,
  entry: MenuEntryToUndo,
  name: Translations | null | undefined,
): Pick<MenuChange, "list" | "name" | "kind" | "before" | "after" | "can_put_back"> => {
  const { stale, errors } = putBackEdits(plan, [entry]);
  const { list, action, before, after } = entry;
  const recorded = (after?.name ?? before?.name) as Translations | undefined;
  return {
    list,
    name: name ?? recorded ?? {},
    kind: kindOf(action),
    before,
    after,
    can_put_back: !isOnlyPlace(entry) && stale.length + Object.keys(errors).length === 0,
  };
};

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

const pick = (value: Fields, fields: Fields): Fields => Object.fromEntries(Object.keys(fields).map((name) => [name, value[name]]));

/**
 * The members of an entry that the value of the subject has. The order of a list is not put back: it belongs to all of its subjects. The API
 * also records what is sold out, and numbers and moments.
 */
const membersOf = (value: Fields, fields: Fields | null): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => name in value));

/** The API knows no keys of sizes. */
const withoutSizeKeys = (fields: Fields): Fields =>
  Array.isArray(fields.variants) ? { ...fields, variants: fields.variants.map(({ key: _, id: __, ...size }) => size) } : fields;

const isAsLeft = (present: Fields, left: Fields): boolean => textOf(withoutSizeKeys(pick(present, left))) === textOf(withoutSizeKeys(left));

type Undone = { value: Fields | null } | "stale" | "nothing";

/** `stale`: the subject is not as the entry left it. `nothing`: the entry changed nothing that can be put back. */
const undone = (present: Fields | null, { action, before, after }: MenuEntryToUndo): Undone => {
  if (action.endsWith(".removed")) return present === null && before ? { value: before } : "stale";
  if (!present) return "stale";
  const left = membersOf(present, after);
  if (Object.keys(left).length === 0) return "nothing";
  if (!isAsLeft(present, left)) return "stale";
  return action.endsWith(".created") ? { value: null } : { value: { ...present, ...membersOf(present, before) } };
};

type Touched = Map<string, { list: OrderedList; key: string; value: Fields | null }>;

/** The newest entry comes first, so several entries about one subject are undone in their order. */
export const putBackEdits = (plan: Plan, entries: readonly MenuEntryToUndo[]): PutBack => {
  const found: PutBack = { edits: {}, stale: [], errors: {} };
  const touched: Touched = new Map();
  const empty: FieldErrors = {};
  for (const [index, entry] of entries.entries()) {
    const { list, key } = entry;
    const stored = plan[list].find((subject) => subject.key === key)?.value ?? null;
    const present = touched.get(`${list} ${key}`)?.value;
    const result = undone(present === undefined ? (stored as Fields | null) : present, entry);
    if (!MENU_ACTIONS.includes(entry.action)) found.errors[`entries.${index}`] = NOT_UNDOABLE;
    else if (result === "stale") found.stale.push({ list, key });
    else if (result === "nothing") empty[`entries.${index}`] = NOT_UNDOABLE;
    else touched.set(`${list} ${key}`, { list, key, value: result.value });
  }
  // A change of the order alone is left out among others. Where nothing else is to be put back, the answer says so.
  if (touched.size === 0 && found.stale.length === 0) Object.assign(found.errors, empty);
  return { ...found, edits: editsOf(plan, touched) };
};

const editsOf = (plan: Plan, touched: Touched): MenuEdits => {
  const edits: MenuEdits = {};
  for (const { list, key, value } of touched.values()) {
    const stored = plan[list].find((subject) => subject.key === key);
    edits[list] = [...((edits[list] ?? []) as Fields[]), { key, seen: stored ? versionOf(stored.value) : null, value }] as never;
  }
  return edits;
};

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
    can_put_back: stale.length + Object.keys(errors).length === 0,
  };
};

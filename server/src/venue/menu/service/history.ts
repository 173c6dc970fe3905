/** What was changed on the menu, who changed it, and how one change is put back. */
import type { MenuChange, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { listAuditEntries, listEntriesOfActions } from "#platform/activity/audit/service.ts";
import type { Plan } from "../rules/plan.ts";
import { MENU_ACTIONS, type MenuEntryToUndo, presentChange, putBackEdits } from "../rules/put-back.ts";
import { listSubjects, lockMenu, type NamedSubject } from "../store/plan.ts";
import { KINDS, menuChanged, readPlan, saveMenu } from "./editor.ts";

const LIST_OF_KIND = new Map(Object.entries(KINDS).map(([list, kind]) => [kind as string, list as OrderedList]));

type MenuAuditEntry = Pick<MenuEntryToUndo, "action" | "before" | "after"> & { subject_kind: string; subject_id: string };
type Subjects = ReadonlyMap<string, NamedSubject>;

/** Null: it is about nothing of the menu. A removed happy hour leaves no row, so it comes back under a key of its number. */
const entryToUndo = ({ action, subject_kind, subject_id, before, after }: MenuAuditEntry, subjects: Subjects): MenuEntryToUndo | null => {
  const list = LIST_OF_KIND.get(subject_kind);
  if (!list) return null;
  const key = subjects.get(`${list} ${subject_id}`)?.key ?? (list === "happy_hours" ? `happy-hour-${subject_id}` : null);
  return key === null ? null : withKeys({ action, list, key, before, after }, subjects);
};

/** The API records numbers of categories and groups, a save their keys. */
const withKeys = (entry: MenuEntryToUndo, subjects: Subjects): MenuEntryToUndo => {
  const translate = (fields: Record<string, unknown> | null) => {
    if (!fields || !("category_id" in fields)) return fields;
    const { category_id, modifier_groups, ...others } = fields;
    const groups = Array.isArray(modifier_groups)
      ? modifier_groups.map((group) => subjects.get(`modifier_groups ${group.id}`)?.key)
      : undefined;
    return { ...others, category: subjects.get(`categories ${category_id}`)?.key, ...(groups ? { modifier_groups: groups } : {}) };
  };
  return { ...entry, before: translate(entry.before), after: translate(entry.after) };
};

export const listMenuChanges = async (
  ctx: Ctx,
  page: { before?: number },
  rowCount: number,
): Promise<{ data: MenuChange[]; next: number | null }> => {
  const [plan, subjects, entries] = await Promise.all([
    readPlan(ctx),
    listSubjects(ctx),
    listEntriesOfActions(ctx, MENU_ACTIONS, page, rowCount + 1),
  ]);
  const shown = entries.slice(0, rowCount);
  const data = shown.flatMap((entry): MenuChange[] => {
    const found = entryToUndo(entry, subjects);
    const name = found && subjects.get(`${found.list} ${entry.subject_id}`)?.name;
    return found ? [{ ...whoAndWhen(entry), ...presentChange(plan, found, name) }] : [];
  });
  return { data, next: entries.length > rowCount ? (shown.at(-1)?.id ?? null) : null };
};

type EntryHead = Pick<MenuChange, "id" | "actor_kind" | "actor_name"> & { at: Date };
const whoAndWhen = ({ id, at, actor_kind, actor_name }: EntryHead) => ({ id, at: at.toISOString(), actor_kind, actor_name });

/** Entries of the activity log are undone by one save, with the checks of every save. */
export const putBack = async (ctx: Ctx, entryIds: readonly number[]): Promise<{ changed: number }> => {
  lockMenu(ctx);
  const [plan, entries, subjects] = await Promise.all([readPlan(ctx), listAuditEntries(ctx, entryIds), listSubjects(ctx)]);
  const known = entries.flatMap((entry) => entryToUndo(entry, subjects) ?? []);
  if (known.length < entryIds.length) throw validationError({ entries: ["Not every entry is a change of the menu."] });
  return saveUndone(ctx, plan, known);
};

const saveUndone = async (ctx: Ctx, plan: Plan, known: readonly MenuEntryToUndo[]): Promise<{ changed: number }> => {
  const { edits, stale, errors } = putBackEdits(plan, known);
  if (stale.length > 0) throw await menuChanged(ctx, plan, stale);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return saveMenu(ctx, edits);
};

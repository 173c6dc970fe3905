/** The menu as managers change it: one save, one commit, with the checks of the venue file. */
import type { MenuEdits, MenuPlan, MenuPreview, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import type { KeptJson } from "#lib/kept-json.ts";
import { type ChangedSubject, recordChange } from "#lib/record-change.ts";
import { wallClock } from "#lib/time-zone.ts";
import { realNow } from "#lib/venue-clock.ts";
import { changedBy, recordAudits, stateChanged } from "#platform/activity/audit/service.ts";
import { sumEventBytes } from "#platform/events/service.ts";
import { deleteEndedCounts, lockCount } from "#venue/menu/item-counts/service.ts";
import { findTaxes } from "#venue/settings/service.ts";
import { presentPlan } from "../present.ts";
import { countChanges, type PlanChanges, placePlan, planChanges } from "../rules/changes.ts";
import { applyEdits, type StaleSubject } from "../rules/edits.ts";
import { editErrors } from "../rules/errors.ts";
import { type Plan, planOf } from "../rules/plan.ts";
import { momentAt, pricesToSet, type WantedPrice } from "../rules/planned-prices.ts";
import { previewOf } from "../rules/preview.ts";
import { auditOf, toldFields } from "../rules/records.ts";
import { countItemsByTax } from "../store/items.ts";
import { findItemIds, lockMenu, lockSubjects, writeChanges } from "../store/plan.ts";
import { countMenu, readMenuRows } from "../store/plan-rows.ts";
import { tellItemsChanged } from "./items.ts";

export { countMenu };

export const readPlan = async (ctx: Ctx): Promise<Plan> => planOf(await readMenuRows(ctx));

export const readMenuPlan = async (ctx: Ctx): Promise<KeptJson<MenuPlan>> => {
  const make = async () => {
    const [plan, taxes] = await Promise.all([readPlan(ctx), findTaxes(ctx)]);
    return { data: presentPlan(plan, taxes, ctx.tenant), beside: null };
  };
  return (await keepAnswer(ctx, "menu plan", make)).data;
};

export const KINDS = {
  menus: "menu",
  categories: "category",
  items: "item",
  modifier_groups: "modifier_group",
  happy_hours: "happy_hour",
} as const satisfies Record<OrderedList, ChangedSubject["kind"]>;

const SHOWN_STALE_MAX = 50;

/** Some subjects are not as the page showed them: which, and who changed the first of them. */
export const menuChanged = async (ctx: Ctx, plan: Plan, stale: readonly StaleSubject[]): Promise<ApiError> => {
  const [first] = stale;
  const id = first && plan[first.list].find(({ key }) => key === first.key)?.id;
  const present = { subjects: stale.slice(0, SHOWN_STALE_MAX) };
  return first && id ? stateChanged(ctx, { area: KINDS[first.list], subject: id }, present) : changedBy(present, null);
};

const keysOf = (edits: readonly { key: string }[] = []): string[] => edits.map(({ key }) => key);
const removedKeys = (edits: readonly { key: string; value: object | null }[] = []): string[] =>
  keysOf(edits.filter(({ value }) => value === null));

/** Counts are locked before dishes, as orders do it. */
const lockForEdits = async (ctx: Ctx, edits: MenuEdits): Promise<void> => {
  const removed = removedKeys(edits.items);
  for (const id of removed.length > 0 ? await findItemIds(ctx, removed) : []) await lockCount(ctx, id);
  const ordered = (edits.orders ?? []).filter(({ list }) => list === "items").flatMap(({ keys }) => keys);
  await lockSubjects(ctx, {
    items: [...keysOf(edits.items), ...(edits.prices ?? []).map(({ item }) => item), ...ordered],
    groups: keysOf(edits.modifier_groups),
    removedCategories: removedKeys(edits.categories),
  });
};

/** Every event has the whole dish, so the change of one extra can be megabytes of events. */
const TOLD_BYTES_MAX = 128 * 1024 * 1024;
const TOLD_WITHIN_MS = 10 * 60 * 1000;
const TOLD_WAIT_SECONDS = 60;

const assertMayTell = async (ctx: Ctx): Promise<void> => {
  const bytes = await sumEventBytes(ctx, "menu.item_updated", new Date(realNow(ctx).getTime() - TOLD_WITHIN_MS));
  if (bytes > TOLD_BYTES_MAX) throw apiError("rate_limited", {}, { "Retry-After": String(TOLD_WAIT_SECONDS) });
};

export const saveMenu = async (ctx: Ctx, edits: MenuEdits): Promise<{ changed: number }> => {
  lockMenu(ctx);
  await assertMayTell(ctx);
  await lockForEdits(ctx, edits);
  return applySave(ctx, edits);
};

/** Menu and subjects are locked. */
const applySave = async (ctx: Ctx, edits: MenuEdits): Promise<{ changed: number }> => {
  const [before, taxes] = await Promise.all([readPlan(ctx), findTaxes(ctx)]);
  const { after, stale, errors } = applyEdits(before, edits);
  if (stale.length > 0) throw await menuChanged(ctx, before, stale);
  const wrong = { ...errors, ...editErrors(before, after, edits, taxes) };
  if (Object.keys(wrong).length > 0) throw validationError(wrong);
  const changes = planChanges(before, placePlan(before, after));
  if (countChanges(changes) === 0) return { changed: 0 };
  await writeChanges(ctx, changes);
  if (changes.items.some((change) => change.after === null)) deleteEndedCounts(ctx);
  await record(ctx, changes);
  return { changed: countChanges(changes) };
};

/** The menu is read once, whatever its size. */
export const previewMenu = async (ctx: Ctx, { date, time }: { date: string; time: string }): Promise<MenuPreview> => {
  const at = momentAt(ctx.tenant.zone, date, time);
  if (!at) throw validationError({ date: ["Must be a valid date and time."] });
  return { at: at.toISOString(), ...previewOf(await readPlan(ctx), wallClock(ctx.tenant.zone, at)) };
};

/**
 * Replaces the present prices by prices that were planned before, whatever they are now. Returns the prices that the menu refuses by now:
 * they do not stop the others.
 */
export const setPricesNow = async <P extends WantedPrice>(ctx: Ctx, wanted: readonly P[]): Promise<P[]> => {
  lockMenu(ctx);
  await lockSubjects(ctx, { items: wanted.map(({ item }) => item), groups: [], removedCategories: [] });
  const [plan, taxes] = await Promise.all([readPlan(ctx), findTaxes(ctx)]);
  const { prices, refused } = pricesToSet(plan, wanted, taxes);
  if (prices.length > 0) await applySave(ctx, { prices });
  return refused;
};

/** One entry of the activity log for each subject, and one event for each dish whose shown fields changed. */
const record = async (ctx: Ctx, changes: PlanChanges): Promise<void> => {
  const ids = new Map(
    Object.entries(await readPlan(ctx)).flatMap(([list, subjects]) =>
      subjects.map(({ key, id }): [string, number] => [`${list} ${key}`, id ?? 0]),
    ),
  );
  const idOf = (list: OrderedList, { key, id }: { key: string; id: number | null }): number => id ?? ids.get(`${list} ${key}`) ?? 0;
  const entries = (Object.keys(KINDS) as OrderedList[]).flatMap((list) =>
    changes[list].flatMap((change) => {
      const subject = change.after ?? change.before;
      return subject ? [{ ...auditOf(KINDS[list], change), subject: { kind: KINDS[list], id: idOf(list, subject) } }] : [];
    }),
  );
  recordAudits(ctx, entries);
  const told = toldFields(changes);
  if (told.size > 0) await tellItemsChanged(ctx, told);
  // Screens show the allergens on open tickets: they read all of them again.
  if (changes.items.some(({ fields }) => fields.includes("allergens"))) recordChange(ctx, { kind: "ticket", id: "all" });
};

/** Which taxes dishes have, for those who change the taxes. */
export { lockMenu };

/** How many dishes have each tax, by its key. Those with the default tax are not counted. */
export const readDishCountsByTax = async (ctx: Ctx): Promise<Map<string, number>> =>
  new Map((await countItemsByTax(ctx)).map(({ tax_key, dishes }) => [tax_key, dishes]));

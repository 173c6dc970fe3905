/** Prices that begin at a moment to come: planned by a manager, applied by a job with everything that a save does. */
import type { PlannedPrices, ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import type { Ctx } from "#lib/context.ts";
import { type FieldErrors, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { momentAt } from "../rules/planned-prices.ts";
import { lockMenu } from "../store/plan.ts";
import {
  countScheduled,
  deleteDue,
  deleteScheduled,
  isScheduled,
  listDue,
  listPriced,
  listScheduled,
  type NewScheduledPrice,
  type PricedRow,
  replaceScheduled,
} from "../store/scheduled-prices.ts";
import { setPricesNow } from "./editor.ts";

const SCHEDULED_MAX = 2000;
const AHEAD_MS_MAX = 366 * 24 * 60 * 60 * 1000;

export const listScheduledPrices = async (ctx: Ctx): Promise<ScheduledPrice[]> =>
  (await listScheduled(ctx, SCHEDULED_MAX)).map(({ item_id: _, starts_at, ...price }) => ({
    ...price,
    starts_at: starts_at.toISOString(),
  }));

const momentOf = (ctx: Ctx, { date, time }: Pick<PlannedPrices, "date" | "time">): Date => {
  const at = momentAt(ctx.tenant.zone, date, time);
  if (!at) throw validationError({ date: ["Must be a valid date and time."] });
  if (at <= ctx.now) throw validationError({ time: ["Must be a moment to come."] });
  if (at.getTime() - ctx.now.getTime() > AHEAD_MS_MAX) throw validationError({ date: ["Must be within a year."] });
  return at;
};

/** A dish that has sizes is priced per size, as everywhere. */
const subjectOf = (rows: readonly PricedRow[], { item, variant }: { item: string; variant: string | null }): PricedRow | string => {
  const found = rows.filter((row) => row.item === item);
  if (found.length === 0) return "There is no such dish.";
  const match = found.find((row) => row.variant === variant);
  return match ?? (variant === null ? "This dish is priced per size." : "There is no such size.");
};

/** Waits for a save of the menu and for the job, so that dishes stay as they are found and the moment keeps its job. */
export const planPrices = async (ctx: Ctx, wanted: PlannedPrices): Promise<{ planned: number; starts_at: string }> => {
  const startsAt = momentOf(ctx, wanted);
  lockMenu(ctx);
  const [count, hasJob, rows] = await Promise.all([
    countScheduled(ctx),
    isScheduled(ctx, startsAt),
    listPriced(
      ctx,
      wanted.prices.map(({ item }) => item),
    ),
  ]);
  if (count + wanted.prices.length > SCHEDULED_MAX) throw validationError({ prices: [`At most ${SCHEDULED_MAX} prices can be planned.`] });
  const planned = newPrices(ctx, wanted, rows, startsAt);
  replaceScheduled(ctx, planned);
  for (const { item_id, price_minor } of planned)
    recordAudit(ctx, {
      action: "item.price_planned",
      subject: { kind: "item", id: item_id },
      after: { price_minor, starts_at: startsAt.toISOString() },
    });
  if (!hasJob)
    await enqueue(
      ctx,
      "apply-scheduled-prices",
      { starts_at: startsAt.toISOString() },
      { startAfter: startsAt, groupId: String(ctx.tenant.id) },
    );
  return { planned: planned.length, starts_at: startsAt.toISOString() };
};

const newPrices = (ctx: Ctx, { prices }: PlannedPrices, rows: readonly PricedRow[], startsAt: Date): NewScheduledPrice[] => {
  const errors: FieldErrors = {};
  const planned = new Map<string, NewScheduledPrice>();
  for (const [index, price] of prices.entries()) {
    const subject = subjectOf(rows, price);
    const name = `${price.item} ${price.variant ?? ""}`;
    if (typeof subject === "string") errors[`prices.${index}`] = [subject];
    else if (planned.has(name)) errors[`prices.${index}`] = ["This dish or size occurs twice."];
    else
      planned.set(name, {
        id: newUuid(ctx.now),
        item_id: subject.item_id,
        variant_id: subject.variant_id,
        price_minor: price.price_minor,
        starts_at: startsAt,
        planned_by: ctx.actor.name,
      });
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return [...planned.values()];
};

/** Whether prices begin at a moment to come that was named on the venue's clock. No price is planned until the commit. */
export const hasPlannedPrices = async (ctx: Ctx): Promise<boolean> => {
  lockMenu(ctx);
  return (await countScheduled(ctx)) > 0;
};

export const cancelPlannedPrices = async (ctx: Ctx, ids: readonly string[]): Promise<{ cancelled: number }> => {
  const cancelled = await deleteScheduled(ctx, ids);
  for (const { item_id, price_minor, starts_at } of cancelled)
    recordAudit(ctx, {
      action: "item.price_plan_cancelled",
      subject: { kind: "item", id: item_id },
      before: { price_minor, starts_at: starts_at.toISOString() },
    });
  return { cancelled: cancelled.length };
};

/** The job. A second run, or one whose prices were cancelled, finds nothing. */
export const applyScheduledPrices = async (ctx: Ctx, startsAt: Date): Promise<void> => {
  lockMenu(ctx);
  const due = await listDue(ctx, startsAt);
  for (const { item_id, price_minor } of due.length > 0 ? await setPricesNow(ctx, due) : [])
    recordAudit(ctx, {
      action: "item.price_plan_refused",
      subject: { kind: "item", id: item_id },
      before: { price_minor, starts_at: startsAt.toISOString() },
    });
  deleteDue(ctx, startsAt);
};

/** Entries of the ledger, and what follows from them: the event below par, and the job that sells dishes out. */
import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { emitAll } from "#platform/events/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { presentBelowPar } from "../present.ts";
import { hasFallenBelowPar, hasRunOutOrReturned } from "../rules.ts";
import { type BookedEntry, insertEntries, type NewEntries } from "../store/levels.ts";

/** Levels are locked from here until the commit, in the order of their ingredients. */
export const bookEntries = async (ctx: Ctx, entries: NewEntries): Promise<BookedEntry[]> => {
  if (entries.amounts.length === 0) return [];
  const booked = await insertEntries(ctx, entries);
  const fallen = booked.filter(hasFallenBelowPar).map((entry) => presentBelowPar(entry, entries.branchId, ctx.tenant.default_language));
  emitAll(ctx, "stock.below_par", fallen);
  recordChange(ctx, { kind: "ingredient", id: "all" });
  // What a first count or delivery says is news, too: before it, nothing was known.
  const isSaid = entries.kind === "count" || entries.kind === "delivery";
  if (booked.some((entry) => entry.sells_out && (isSaid || hasRunOutOrReturned(entry)))) await planSoldOut(ctx);
  return booked;
};

/** In its own transaction: a dish and its count are locked before the stock, and many dishes may need one ingredient. */
export const planSoldOut = (ctx: Ctx): Promise<void> => enqueue(ctx, "follow-stock", {});

/**
 * A restaurant's sandbox: a separate venue with one token, reset to its sample every night. It is a tenant of its own, so tenant isolation
 * protects the live restaurant.
 */
import { SANDBOX_ORDER_ID, SANDBOX_RESERVATION_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import type { CalendarDate } from "#lib/instant.ts";
import { recordChange } from "#lib/record-change.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { listStaff } from "#platform/people/memberships/service.ts";
import { createToken, listTokens, revokeToken } from "#platform/programs/tokens/service.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import { applyRestaurant } from "#platform/tenants/venue-file.ts";
import { addSessions, readDesk } from "#venue/bookings/experiences/service/sessions.ts";
import { makeReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { issueCard } from "#venue/orders/gift-cards/service/cards.ts";
import { placeOrder } from "#venue/orders/service.ts";
import { applyVenueFile } from "#venue/setup/venue-file/service.ts";
import { addShift } from "#venue/shifts/service/planning.ts";
import { readSheet, recordMove } from "#venue/stock/service/levels.ts";
import { nextReset, sampleInstant, sandboxDay } from "./rules/reset-time.ts";
import {
  ORDERED_ITEM_KEYS,
  sampleBooking,
  sampleDelivery,
  sampleGiftCard,
  sampleOrder,
  sampleSessions,
  sampleShifts,
  sandboxFile,
  sandboxTenant,
} from "./rules/sample-data.ts";
import { findResetSchedule, findSandbox, insertSandbox, listSampleItems, type ResetSchedule, restoreSample, saveSample } from "./store.ts";

/** Every row of these kinds may be another one after a reset. */
const RESET_KINDS = [
  "order",
  "ticket",
  "payment",
  "reservation",
  "item",
  "guest",
  "gift_card",
  "ingredient",
  "shift",
  "experience",
] as const;

/** The id of the live restaurant's sandbox, or null. */
export const sandboxIdOf = async (ctx: Ctx): Promise<number | null> => (await findSandbox(ctx))?.sandbox_id ?? null;

/** The sandbox as a tenant, for a transaction of its own. Null without one. */
export const findSandboxTenant = async (ctx: Ctx, sample: VenueFile): Promise<Tenant | null> => {
  const id = await sandboxIdOf(ctx);
  return id === null ? null : sandboxTenant(id, ctx.tenant, sample);
};

/** First of two steps, in the live restaurant: registers the id of the sandbox. Idempotent. */
export const registerSandbox = async (ctx: Ctx): Promise<number> => {
  if (ctx.tenant.kind === "sandbox") throw new UserError(`${ctx.tenant.slug} is a sandbox itself. Name the restaurant it belongs to.`);
  const drawn = await insertSandbox(ctx);
  if (drawn) recordAudit(ctx, { action: "sandbox.registered", subject: { kind: "restaurant", id: drawn.sandbox_id } });
  const id = drawn?.sandbox_id ?? (await sandboxIdOf(ctx));
  if (id === null) throw new Error("A sandbox that is registered was not found");
  return id;
};

/** Second step, with the exclusive lock on the sandbox: one commit writes venue, sample, reset schedule and token. Null when it is open already. */
export const openSandbox = async (
  ctx: Ctx,
  sample: VenueFile,
  ratePerMinute: number | null,
): Promise<{ id: number; token: string } | null> => {
  if (await findResetSchedule(ctx)) return null;
  const { zone } = ctx.tenant;
  const day = sandboxDay(zone, realNow(ctx));
  const file = sandboxFile(sample, ctx.tenant);
  // The venue starts now. Its sample carries the time of the last reset, because every reset restores it so.
  await applyRestaurant(ctx, file.restaurant);
  await createSample({ ...ctx, now: sampleInstant(zone, day) }, file, day);
  const nextResetAt = nextReset(zone, realNow(ctx));
  saveSample(ctx, day, nextResetAt);
  await scheduleReset(ctx, nextResetAt);
  return renewSandboxToken(ctx, ratePerMinute);
};

const createSample = async (ctx: Ctx, file: VenueFile, day: CalendarDate): Promise<void> => {
  await applyVenueFile(ctx, file);
  await placeOrder(ctx, sampleOrder(file, await listSampleItems(ctx, ORDERED_ITEM_KEYS)), { id: SANDBOX_ORDER_ID });
  await makeReservation(ctx, sampleBooking(file, day), SANDBOX_RESERVATION_ID);
  await issueCard(ctx, sampleGiftCard(), { reason: "Sample of the sandbox" });
  const sheet = await readSheet(ctx, undefined);
  await recordMove(ctx, "delivery", sampleDelivery(sheet));
  for (const shift of sampleShifts(await listStaff(ctx), day)) await addShift(ctx, { branch_id: sheet.branch_id, shift });
  for (const { id } of (await readDesk(ctx, undefined)).experiences) await addSessions(ctx, id, () => sampleSessions(day));
};

const scheduleReset = (ctx: Ctx, dueAt: Date): Promise<void> =>
  enqueue(ctx, "reset-sandbox", { due_at: dueAt.toISOString() }, { startAfter: dueAt });

/** A sandbox has one token: a new one revokes the one before. */
export const renewSandboxToken = async (ctx: Ctx, ratePerMinute: number | null): Promise<{ id: number; token: string }> => {
  for (const { id, state } of await listTokens(ctx)) if (state !== "revoked") await revokeToken(ctx, id);
  return createToken(ctx, { kind: "sandbox", name: "sandbox", scopes: ALL_SCOPES, ratePerMinute, expiresAt: null });
};

/**
 * Needs the exclusive lock on the sandbox. The nightly job passes its due time, a manual reset passes null. The same commit schedules the
 * next reset; a manual reset does so too when one is overdue, which repairs a schedule that stopped.
 */
export const resetSandbox = async (ctx: Ctx, dueAt: string | null): Promise<ResetSchedule | null> => {
  const resets = await findResetSchedule(ctx);
  if (!resets) throw new Error("A sandbox without a sample cannot be reset");
  const planned = resets.next_reset_at;
  if (dueAt !== null && planned.toISOString() !== dueAt) return null;
  const { zone } = ctx.tenant;
  // If the clock was set back, the due time counts.
  const moment = new Date(Math.max(realNow(ctx).getTime(), dueAt === null ? 0 : planned.getTime()));
  const isNight = planned <= moment;
  const next = isNight ? nextReset(zone, moment) : planned;
  restoreSample(ctx, sandboxDay(zone, moment), next);
  recordAudit(ctx, { action: "sandbox.reset", subject: { kind: "restaurant", id: ctx.tenant.id } });
  for (const kind of RESET_KINDS) recordChange(ctx, { kind, id: "all" });
  if (isNight) await scheduleReset(ctx, next);
  return { reset_at: realNow(ctx), next_reset_at: next };
};

/** Null while the sandbox is not open. */
export const readSandbox = async (ctx: Ctx) => {
  const [resets, tokens] = await Promise.all([findResetSchedule(ctx), listTokens(ctx)]);
  if (!resets) return null;
  const { created_at } = await readRestaurant(ctx.db, ctx.tenant.id);
  const token = tokens.find(({ state }) => state === "active");
  const { id, slug, currency, zone, default_language } = ctx.tenant;
  return {
    slug,
    restaurant_id: id,
    currency,
    zone,
    default_language,
    created_at,
    ...resets,
    token: token ? { id: token.id, hint: token.hint, created_at: token.created_at, last_used_at: token.last_used_at } : null,
  };
};

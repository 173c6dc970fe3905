/**
 * A restaurant's sandbox: a small venue of its own to try things out in, with one token, set back to its sample every
 * night. To the rest of the service it is a restaurant like any other, so nothing done there can reach the live one.
 */
import { SANDBOX_ORDER_ID, SANDBOX_RESERVATION_ID } from "@comanda/contract/sandbox-ids.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { VenueFile } from "@comanda/contract/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { Misuse } from "#lib/errors.ts";
import type { CalendarDate } from "#lib/instant.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { applyRestaurant } from "#platform/tenants/file.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import { createToken, listTokens, revokeToken } from "#platform/tokens/service.ts";
import { applyVenueFile } from "#venue/files/service.ts";
import { placeOrder } from "#venue/orders/service.ts";
import { makeReservation } from "#venue/reservations/service.ts";
import { nextReset, ORDERED_DISHES, sampleBooking, sampleMoment, sampleOrder, sandboxDay, sandboxFile } from "./rules.ts";
import { countRows, findResets, findSandbox, insertSandbox, keepSample, listSampleDishes, type ResetsRow, restoreSample } from "./store.ts";

/** The id of the live restaurant's sandbox, or null. */
export const sandboxIdOf = async (ctx: Ctx): Promise<number | null> => (await findSandbox(ctx))?.sandbox_id ?? null;

/** The first of two steps, for the live restaurant: the sandbox gets its id. A second run finds the same id. */
export const registerSandbox = async (ctx: Ctx): Promise<number> => {
  if (ctx.tenant.kind === "sandbox") throw new Misuse(`${ctx.tenant.slug} is a sandbox itself. Name the restaurant it belongs to.`);
  const drawn = await insertSandbox(ctx);
  if (drawn) recordAudit(ctx, { action: "sandbox.registered", subject: { kind: "restaurant", id: drawn.sandbox_id } });
  const id = drawn?.sandbox_id ?? (await sandboxIdOf(ctx));
  if (id === null) throw new Error("A sandbox that is registered was not found");
  return id;
};

/** The second step, alone in the sandbox: venue, sample, first night and token in one commit. Null when that was done before. */
export const openSandbox = async (
  ctx: Ctx,
  sample: VenueFile,
  ratePerMinute: number | null,
): Promise<{ id: number; token: string } | null> => {
  if (await findResets(ctx)) return null;
  const { zone } = ctx.tenant;
  const day = sandboxDay(zone, ctx.now);
  const file = sandboxFile(sample, ctx.tenant);
  // The venue itself begins now. What is in it is as if it had stood there since the night: this is what every reset brings back.
  await applyRestaurant(ctx, file.restaurant);
  await laySample({ ...ctx, now: sampleMoment(zone, day) }, file, day);
  const nextResetAt = nextReset(zone, ctx.now);
  keepSample(ctx, day, nextResetAt);
  await planReset(ctx, nextResetAt);
  return renewSandboxToken(ctx, ratePerMinute);
};

const laySample = async (ctx: Ctx, file: VenueFile, day: CalendarDate): Promise<void> => {
  await applyVenueFile(ctx, file);
  await placeOrder(ctx, sampleOrder(file, await listSampleDishes(ctx, ORDERED_DISHES)), SANDBOX_ORDER_ID);
  await makeReservation(ctx, sampleBooking(file, day), SANDBOX_RESERVATION_ID);
};

const planReset = (ctx: Ctx, dueAt: Date): Promise<void> =>
  enqueue(ctx, "reset-sandbox", { due_at: dueAt.toISOString() }, { startAfter: dueAt });

/** There is one token at a time: a new one ends the one before. */
export const renewSandboxToken = async (ctx: Ctx, ratePerMinute: number | null): Promise<{ id: number; token: string }> => {
  for (const { id, state } of await listTokens(ctx)) if (state !== "revoked") await revokeToken(ctx, id);
  return createToken(ctx, { kind: "sandbox", name: "sandbox", scopes: ALL_SCOPES, ratePerMinute, expiresAt: null });
};

/**
 * Alone in the sandbox. Every night with the moment it was planned for; whenever somebody asks, without one. The next night
 * is planned in the same commit, and by hand too if a night is overdue: so a chain that broke is mended.
 */
export const resetSandbox = async (ctx: Ctx, dueAt: string | null): Promise<ResetsRow | null> => {
  const resets = await findResets(ctx);
  if (!resets) throw new Error("A sandbox without a sample cannot be reset");
  const planned = resets.next_reset_at;
  if (dueAt !== null && planned.toISOString() !== dueAt) return null;
  const { zone } = ctx.tenant;
  // A night is never run before its time; should a clock have been set back, the night it is planned for still counts.
  const moment = new Date(Math.max(ctx.now.getTime(), dueAt === null ? 0 : planned.getTime()));
  const isNight = planned <= moment;
  const next = isNight ? nextReset(zone, moment) : planned;
  restoreSample(ctx, sandboxDay(zone, moment), next);
  recordAudit(ctx, { action: "sandbox.reset", subject: { kind: "restaurant", id: ctx.tenant.id } });
  if (isNight) await planReset(ctx, next);
  return { reset_at: ctx.now, next_reset_at: next };
};

/** What a developer sees of the sandbox. Null while it is not open. */
export const readSandbox = async (ctx: Ctx) => {
  const [resets, tokens] = await Promise.all([findResets(ctx), listTokens(ctx)]);
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

/** How much it holds just now. */
export const countContents = (ctx: Ctx) => countRows(ctx);

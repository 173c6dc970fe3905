import { GRACE_PERIOD_MS } from "@comanda/contract/console/operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { apiError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { readHourlyUsage } from "#platform/activity/request-log/service.ts";
import { createTokenAndAlert, expireToken, listTokens, revokeToken } from "./service.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type TokenCallIds = "listTokens" | "createToken" | "rollToken" | "revokeToken";

/** The caller's remaining requests in this minute. Null when the caller sent none in it. */
type RemainingOf = (caller: string, ratePerMinute: number | null) => Promise<number | null>;

export const tokenCalls = (remainingOf: RemainingOf): Pick<VenueCalls, TokenCallIds> => ({
  async listTokens(ctx) {
    const [rows, hours] = [await listTokens(ctx), await readHourlyUsage(ctx)];
    const data = rows.map(async ({ created_at, last_used_at, expires_at, revoked_at: _, ...row }) => ({
      ...row,
      kind: row.kind as "api",
      scopes: row.scopes as Scope[],
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      expires_at: expires_at?.toISOString() ?? null,
      hours: hours(row.id),
      remaining: row.state === "active" ? await remainingOf(`token:${row.id}`, row.rate_per_minute) : null,
    }));
    return { data: await Promise.all(data) };
  },
  async createToken(ctx, { body }) {
    const { name, scopes, expires_in_days = null } = body();
    const expiresAt = expires_in_days === null ? null : new Date(realNow(ctx).getTime() + expires_in_days * DAY_MS);
    return { data: await createTokenAndAlert(ctx, { kind: "api", name, scopes: [...new Set(scopes)], ratePerMinute: null, expiresAt }) };
  },
  async rollToken(ctx, { id, body }) {
    const { overlap } = body();
    const old = await expireToken(ctx, id, new Date(realNow(ctx).getTime() + GRACE_PERIOD_MS[overlap]));
    if (!old) throw apiError("not_found");
    const wanted = {
      kind: "api" as const,
      name: old.name,
      scopes: old.scopes,
      ratePerMinute: old.rate_per_minute,
      expiresAt: old.expires_at,
    };
    return { data: await createTokenAndAlert(ctx, wanted) };
  },
  async revokeToken(ctx, { id }) {
    if (!(await revokeToken(ctx, id))) throw apiError("not_found");
    return { data: {} };
  },
});

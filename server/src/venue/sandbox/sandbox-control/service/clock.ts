/** Moves the clock of a sandbox. Every context of the venue is made with it, so no other module has to know. */
import { CLOCK_DAYS_MAX, type ClockMove, type SandboxClock } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { advanceJobs } from "#platform/jobs/service.ts";
import { updateClockOffset } from "#platform/tenants/service.ts";
import { decideMove } from "../rules.ts";

/** Pages that show times of the venue. */
const SHOWN_BY_TIME = ["order", "reservation", "item"] as const;

/** Needs the exclusive lock on the sandbox: no write of it began by the former clock and is still running. */
export const moveSandboxClock = async (ctx: Ctx, wanted: ClockMove): Promise<SandboxClock> => {
  const { id, zone, clock_offset_ms } = ctx.tenant;
  const move = decideMove(wanted, { now: ctx.now, aheadMs: clock_offset_ms, aheadMsMax: CLOCK_DAYS_MAX * 86_400_000 });
  if (typeof move !== "number") throw validationError(move);
  const aheadMs = clock_offset_ms + move;
  const now = new Date(ctx.now.getTime() + move);
  if (move > 0) {
    updateClockOffset(ctx, aheadMs);
    await advanceJobs(ctx, move);
    for (const kind of SHOWN_BY_TIME) recordChange(ctx, { kind, id: "all" });
    recordAudit(ctx, { action: "sandbox.clock_moved", subject: { kind: "restaurant", id }, after: { now: now.toISOString() } });
  }
  return { now: formatInstant(zone, now), ahead_seconds: Math.floor(aheadMs / 1000) };
};

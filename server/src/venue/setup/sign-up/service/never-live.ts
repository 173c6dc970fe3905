/** Removes venues that were opened in the browser and never taken live. Their owners are warned a week before. */
import type { Ctx } from "#lib/context.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { mailOwners } from "#platform/messages/notifications/service.ts";
import { removalDay, removalLimits, warnOpenedBefore } from "../rules/never-live.ts";
import { writeRemovalNotice } from "../rules/texts.ts";
import { lockOpening, removeNeverLive, setWarned } from "../store.ts";

const DATE_LENGTH = "2026-01-31".length;

/** Does nothing when the venue went live meanwhile, or its owners were warned. */
export const warnOfRemoval = async (ctx: Ctx): Promise<void> => {
  const opening = await lockOpening(ctx);
  if (!opening || opening.live_at !== null || opening.warned_at !== null || opening.opened_at >= warnOpenedBefore(ctx.now)) return;
  setWarned(ctx);
  const on = formatInstant(ctx.tenant.zone, removalDay(opening.opened_at, ctx.now)).slice(0, DATE_LENGTH);
  await mailOwners(ctx, {
    kind: "venue.removal",
    write: (language, person, venue) => writeRemovalNotice(language, { person, venue, on }),
  });
};

/** False where the venue went live meanwhile. With its sandbox. Runs in a transaction that holds the locks of both exclusively. */
export const removeVenue = async (ctx: Ctx): Promise<boolean> => {
  const isRemoved = await removeNeverLive(ctx, removalLimits(ctx.now));
  if (isRemoved) ctx.log.info({ restaurant: ctx.tenant.id, slug: ctx.tenant.slug }, "a venue that never was live was removed");
  return isRemoved;
};

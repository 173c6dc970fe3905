/**
 * A venue's clock: the real one, and in a sandbox as far ahead as its program moved it. A context's `now` is that of the venue. What has to
 * stay on the real clock asks `realNow`: tokens, idempotency keys, deliveries, messages, records of what happened.
 */
import type { Ctx, Tenant } from "./context.ts";

type Offset = Pick<Tenant, "clock_offset_ms">;

/** The venue's now. Every context of a venue is made with it. */
export const venueNow = (real: Date, { clock_offset_ms }: Offset): Date =>
  clock_offset_ms === 0 ? real : new Date(real.getTime() + clock_offset_ms);

/** A moment of the venue as the real clock will show it. */
export const realMoment = (moment: Date, { clock_offset_ms }: Offset): Date =>
  clock_offset_ms === 0 ? moment : new Date(moment.getTime() - clock_offset_ms);

/** A context without a venue has the real time anyway. */
export const realNow = ({ now, tenant }: Pick<Ctx, "now"> & { tenant?: Offset }): Date => (tenant ? realMoment(now, tenant) : now);

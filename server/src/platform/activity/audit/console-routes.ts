import type { VenueCalls } from "#http/console/calls.ts";
import { listActivity } from "./store.ts";

export const activityCalls: Pick<VenueCalls, "listActivity"> = {
  async listActivity(ctx, { query }) {
    const { rows = 25, from, until, ...filter } = query();
    const dates = { ...(from === undefined ? {} : { from: new Date(from) }), ...(until === undefined ? {} : { until: new Date(until) }) };
    const found = await listActivity(ctx, { ...filter, ...dates }, rows + 1);
    const shown = found.slice(0, rows).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
    return { data: shown, next: found.length > rows ? (shown.at(-1)?.id ?? null) : null, currency: ctx.tenant.currency };
  },
};

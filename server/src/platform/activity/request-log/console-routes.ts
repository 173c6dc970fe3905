import type { VenueCalls } from "#http/console/calls.ts";
import { gateOf, statusesOf } from "./rules.ts";
import { listRequestLog } from "./store.ts";

export const requestLogCalls: Pick<VenueCalls, "listRequests"> = {
  async listRequests(ctx, { query }) {
    const { token, status, request, before, rows = 25 } = query();
    const found = await listRequestLog(
      ctx,
      {
        ...(token === undefined ? {} : { tokenId: token }),
        ...(status === undefined ? {} : { statuses: statusesOf(status) }),
        ...(request === undefined ? {} : { requestId: request }),
        ...(before === undefined ? {} : { beforeId: before }),
      },
      rows + 1,
    );
    const shown = found.slice(0, rows).map(({ restaurant_id: _, at, route, ...row }) => ({
      ...row,
      gate: gateOf({ ...row, route }),
      route: route || null,
      at: at.toISOString(),
    }));
    return { data: shown, next: found.length > rows ? (shown.at(-1)?.id ?? null) : null };
  },
};

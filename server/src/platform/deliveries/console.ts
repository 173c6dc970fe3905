/** Webhook addresses and the delivery log as the console shows them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventType } from "@comanda/contract/events.ts";
import type { VenueCall, WideCall } from "#http/console-calls.ts";
import { invalid } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import {
  addEndpointAndAlert,
  changeEndpointAndAlert,
  checkAddress,
  failureReason,
  readEndpoints,
  rotateSecret,
  SECRET_SHOWN_AFTER_MS,
  type Sender,
} from "#platform/webhooks/service.ts";
import { curlFor } from "./present.ts";
import { shownState } from "./rules.ts";
import {
  countFailedSince,
  countReplayable,
  pauseEndpoint,
  readDeliveries,
  readDelivery,
  removeEndpoint,
  replayDeliveries,
  replayFailedSince,
  resumeEndpoint,
  retryDeliveries,
  retryEndpoint,
  sendPing,
  signAgain,
} from "./service.ts";

type WebhookIds = "listWebhooks" | "addWebhook" | "changeWebhook" | "removeWebhook" | "pingWebhook";
type DeliveryIds = "listDeliveries" | "readDelivery" | "replayDeliveries" | "retryDeliveries";

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;
const done = { data: {} };

export const webhookCalls = (given: { secretKeys: readonly SecretKey[] }): { [I in WebhookIds]: VenueCall<I> } => ({
  async listWebhooks(ctx) {
    const rows = await readEndpoints(ctx);
    return {
      data: rows.map(({ explanation: ____, removed_at: _, updated_at: __, failures_in_row: ___, is_paused, ...row }) => ({
        ...row,
        events: row.events as EventType[],
        state: shownState({ ...row, is_paused }, ctx.now),
        created_at: row.created_at.toISOString(),
        failing_since: iso(row.failing_since),
        last_success_at: iso(row.last_success_at),
        last_failure_at: iso(row.last_failure_at),
        next_attempt_at: iso(row.next_attempt_at),
        last_failure: failureReason(row.last_failure, null),
      })),
    };
  },
  async addWebhook(ctx, { body }) {
    const { url, events, description = null } = body();
    const { endpoint, secret } = await addEndpointAndAlert(ctx, { url, events, description }, given.secretKeys);
    return { data: { id: endpoint.id, secret, previous_until: null } };
  },
  async changeWebhook(ctx, { id, body }) {
    const { is_paused, ...change } = body();
    if (Object.keys(change).length > 0) await changeEndpointAndAlert(ctx, id, change);
    if (is_paused !== undefined) await (is_paused ? pauseEndpoint : resumeEndpoint)(ctx, id);
    return done;
  },
  async removeWebhook(ctx, { id }) {
    await removeEndpoint(ctx, id);
    return done;
  },
  pingWebhook: async (ctx, { id }) => ({ data: await sendPing(ctx, id) }),
});

export const deliveryCalls = (given: { secretKeys: readonly SecretKey[] }): { [I in DeliveryIds]: VenueCall<I> } => ({
  async listDeliveries(ctx, { query }) {
    const { webhook, state, type, event, before, rows = 25 } = query();
    const filter = {
      ...(webhook === undefined ? {} : { endpointId: webhook }),
      ...(state === undefined ? {} : { state }),
      ...(type === undefined ? {} : { type }),
      ...(event === undefined ? {} : { eventId: event }),
      ...(before === undefined ? {} : { beforeId: before }),
    };
    const found = await readDeliveries(ctx, filter, rows + 1);
    const shown = found.slice(0, rows).map(shownDelivery);
    return { data: shown, next: found.length > rows ? (shown.at(-1)?.id ?? null) : null };
  },
  async readDelivery(ctx, { id }) {
    const { body, log, ...delivery } = await readDelivery(ctx, id);
    const curl = curlFor(delivery, body, await signAgain(ctx, { ...delivery, body }, given.secretKeys));
    const attempts = log.map(({ at, explanation: _, ...attempt }) => ({
      ...attempt,
      at: at.toISOString(),
      failure: failureReason(attempt.failure, attempt.status),
    }));
    return { data: { ...shownDelivery(delivery), body, curl, log: attempts } };
  },
  async replayDeliveries(ctx, { body }) {
    const { ids, failed_at, dry_run = false } = body();
    if ((ids === undefined) === (failed_at === undefined))
      throw invalid({ ids: ["Name deliveries, or an address whose failed ones are meant."] });
    if (failed_at !== undefined) {
      const act = dry_run ? countFailedSince : replayFailedSince;
      return { data: { count: await act(ctx, failed_at.webhook, new Date(failed_at.since)), on_the_way: 0, removed: 0 } };
    }
    return { data: await (dry_run ? countReplayable : replayDeliveries)(ctx, [...new Set(ids)]) };
  },
  async retryDeliveries(ctx, { body }) {
    const { ids, webhook } = body();
    if (webhook !== undefined && ids === undefined) return { data: await retryEndpoint(ctx, webhook) };
    if (ids === undefined || webhook !== undefined)
      throw invalid({ ids: ["Name deliveries, or an address whose waiting ones are meant."] });
    return { data: await retryDeliveries(ctx, [...new Set(ids)]) };
  },
});

/** Not in a transaction: one speaks to the address, the other waits until every worker signs with the new secret. */
export const addressCalls = (given: {
  sender: Sender;
  secretKeys: readonly SecretKey[];
}): { checkAddress: WideCall<"checkAddress">; rotateSecret: WideCall<"rotateSecret"> } => ({
  async rotateSecret({ inVenue }, { id }) {
    const { secret, previousUntil } = await inVenue((ctx) => rotateSecret(ctx, id, given.secretKeys));
    await sleep(SECRET_SHOWN_AFTER_MS);
    return { data: { id, secret, previous_until: previousUntil.toISOString() } };
  },
  async checkAddress({ inVenue }, { body }) {
    const { url } = await inVenue(async () => body());
    return { data: await checkAddress(given.sender, url) };
  },
});

type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

const shownDelivery = ({ endpoint_id, explanation: _, ...row }: Delivery) => ({
  ...row,
  webhook_id: endpoint_id,
  event_type: row.event_type as EventType,
  last_failure: failureReason(row.last_failure, row.last_status),
  due_at: iso(row.due_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

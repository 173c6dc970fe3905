/** The console's calls for the delivery log. */

import type { ReplayCounts, WantedReplays } from "@comanda/contract/console/webhooks.ts";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { validationError } from "#lib/errors.ts";
import { failureReason } from "#platform/events/webhooks/service/messages.ts";
import { readDeliveries, readDelivery, signAgain } from "./service/log.ts";
import {
  countFailedSince,
  countReplayable,
  replayDeliveries,
  replayFailedSince,
  retryDeliveries,
  retryEndpoint,
} from "./service/resend.ts";

type DeliveryIds = "listDeliveries" | "readDelivery" | "countReplays" | "replayDeliveries" | "retryDeliveries";

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export const deliveryCalls = (given: { encryptionKeys: readonly EncryptionKey[] }): Pick<VenueCalls, DeliveryIds> => ({
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
    const curl = curlFor(delivery, body, await signAgain(ctx, { ...delivery, body }, given.encryptionKeys));
    const attempts = log.map(({ at, explanation: _, ...attempt }) => ({
      ...attempt,
      at: at.toISOString(),
      failure: failureReason(attempt.failure, attempt.status),
    }));
    return { data: { ...shownDelivery(delivery), body, curl, log: attempts } };
  },
  countReplays: async (ctx, { body }) => ({ data: await eachWanted(ctx, body(), { failed: countFailedSince, named: countReplayable }) }),
  replayDeliveries: async (ctx, { body }) => ({
    data: await eachWanted(ctx, body(), { failed: replayFailedSince, named: replayDeliveries }),
  }),
  async retryDeliveries(ctx, { body }) {
    const { ids, webhook } = body();
    if (webhook !== undefined && ids === undefined) return { data: await retryEndpoint(ctx, webhook) };
    if (ids === undefined || webhook !== undefined)
      throw validationError({ ids: ["Name deliveries, or an address whose waiting ones are meant."] });
    return { data: await retryDeliveries(ctx, [...new Set(ids)]) };
  },
});

type LoggedDelivery = Awaited<ReturnType<typeof readDeliveries>>[number];

const shownDelivery = ({ endpoint_id, explanation: _, ...row }: LoggedDelivery) => ({
  ...row,
  webhook_id: endpoint_id,
  event_type: row.event_type as EventType,
  last_failure: failureReason(row.last_failure, row.last_status),
  due_at: iso(row.due_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

type ReplayActs = {
  failed(ctx: Ctx, endpointId: number, since: Date): Promise<number>;
  named(ctx: Ctx, ids: number[]): Promise<ReplayCounts>;
};

const eachWanted = async (ctx: Ctx, { ids, failed_at }: WantedReplays, acts: ReplayActs): Promise<ReplayCounts> => {
  if ((ids === undefined) === (failed_at === undefined))
    throw validationError({ ids: ["Name deliveries, or an address whose failed ones are meant."] });
  if (failed_at === undefined) return acts.named(ctx, [...new Set(ids)]);
  return { count: await acts.failed(ctx, failed_at.webhook, new Date(failed_at.since)), on_the_way: 0, removed: 0 };
};

/** Within single quotes a shell interprets only the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curlFor = (delivery: { url: string; event_id: string; event_type: string }, body: string, signature: string | null): string =>
  [
    `curl -i ${quoted(delivery.url)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`Service-Event: ${delivery.event_type}`)}`,
    `-H ${quoted(`Service-Delivery: ${delivery.event_id}`)}`,
    ...(signature === null ? [] : [`-H ${quoted(`Service-Signature: ${signature}`)}`]),
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");

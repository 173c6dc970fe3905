/** The console's calls for webhook endpoints. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import type { MultiTransactionCalls, VenueCalls } from "#http/console/calls.ts";
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { realNow } from "#lib/venue-clock.ts";
import { shownState } from "./rules/failures.ts";
import { addEndpointAndAlert, changeEndpointAndAlert, readEndpoints } from "./service/endpoints.ts";
import { checkAddress, failureReason, type Sender } from "./service/messages.ts";
import { rotateSecret, SECRET_SHOWN_AFTER_MS } from "./service/secret-rotation.ts";

type WebhookIds = "listWebhooks" | "addWebhook" | "changeWebhook" | "removeWebhook" | "pingWebhook";

/** Verbs that change an endpoint together with its deliveries. The deliveries' module has them and uses this one, so they are passed in. */
export type EndpointVerbs = {
  pauseEndpoint(ctx: Ctx, id: number): Promise<void>;
  resumeEndpoint(ctx: Ctx, id: number): Promise<void>;
  removeEndpoint(ctx: Ctx, id: number): Promise<void>;
  sendPing(ctx: Ctx, id: number): Promise<{ event_id: string }>;
};

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;
const done = { data: {} };

export const webhookCalls = (given: EndpointVerbs & { encryptionKeys: readonly EncryptionKey[] }): Pick<VenueCalls, WebhookIds> => ({
  async listWebhooks(ctx) {
    const rows = await readEndpoints(ctx);
    return {
      data: rows.map(({ explanation: ____, removed_at: _, updated_at: __, failures_in_row: ___, is_paused, ...row }) => ({
        ...row,
        events: row.events as EventType[],
        state: shownState({ ...row, is_paused }, realNow(ctx)),
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
    const { endpoint, secret } = await addEndpointAndAlert(ctx, { url, events, description }, given.encryptionKeys);
    return { data: { id: endpoint.id, secret, previous_until: null } };
  },
  async changeWebhook(ctx, { id, body }) {
    const { is_paused, seen, ...change } = body();
    if (Object.keys(change).length > 0) await changeEndpointAndAlert(ctx, id, change, seen);
    if (is_paused !== undefined) await (is_paused ? given.pauseEndpoint : given.resumeEndpoint)(ctx, id);
    return done;
  },
  async removeWebhook(ctx, { id }) {
    await given.removeEndpoint(ctx, id);
    return done;
  },
  pingWebhook: async (ctx, { id }) => ({ data: await given.sendPing(ctx, id) }),
});

/**
 * These calls run in several transactions: a check sends to the address, and a rotation waits until every worker signs with the new secret.
 */
export const addressCalls = (given: {
  sender: Sender;
  encryptionKeys: readonly EncryptionKey[];
}): Pick<MultiTransactionCalls, "checkAddress" | "rotateSecret"> => ({
  async rotateSecret({ inVenue, once }, { id }) {
    const rotate = async (ctx: Ctx) => {
      const { secret, previousUntil } = await rotateSecret(ctx, id, given.encryptionKeys);
      return { data: { id, secret, previous_until: previousUntil.toISOString() } };
    };
    const answer = await inVenue((ctx) => once(ctx, () => rotate(ctx)));
    await sleep(SECRET_SHOWN_AFTER_MS);
    return answer;
  },
  async checkAddress({ inVenue }, { body }) {
    const { url } = await inVenue(async () => body());
    return { data: await checkAddress(given.sender, url) };
  },
});

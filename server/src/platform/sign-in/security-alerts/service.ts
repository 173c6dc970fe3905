/** Mail about security events. The change's transaction writes and queues it, a job sends it, and each address has a daily limit. */
import type { Ctx, GlobalContext } from "#lib/context.ts";
import { deviceOf } from "#lib/user-agent.ts";
import { realNow } from "#lib/venue-clock.ts";
import { enqueueGlobal } from "#platform/jobs/service.ts";
import {
  type MessageLanguage,
  readSenderName,
  retryAfterSeconds,
  type SendOutcome,
  staffLanguage,
} from "#platform/messages/notifications/service.ts";
import { readConfirmedOwners } from "#platform/people/memberships/service.ts";
import type { AlertKind } from "./rules/texts.ts";
import { type AlertFacts, writeAlert } from "./rules/write-alert.ts";
import { type AlertRow, findAlert, findInvitationLanguages, insertAlert, type NewAlert, setAlertState } from "./store.ts";

export type { AlertRow };

type AlertContext = Pick<GlobalContext, "db" | "now" | "origin">;
type AlertRecipient = { email: string; name: string; language: MessageLanguage };
type AlertEvent = { kind: AlertKind; client: string | null } & Pick<AlertFacts, "about" | "venue" | "by" | "byEmail">;

/** Mails a user about an event of the account. `client` is the User-Agent of the request. */
export const alertUser = async (
  ctx: AlertContext,
  { email, name, locale }: { email: string; name: string; locale: string | null },
  event: AlertEvent,
): Promise<void> => {
  const languages = locale === null ? await findInvitationLanguages(ctx, email) : undefined;
  const language = staffLanguage({ own: locale, invited: languages?.invited ?? null, venue: languages?.venue ?? null });
  return queueAlert(ctx, { email, name, language }, { ...event, restaurantId: null });
};

/** Mails every owner who has opened the venue. Others may be strangers: any address can be invited. No user is mailed about a sandbox: decision 0070. */
export const alertOwners = async (ctx: Ctx, event: AlertEvent): Promise<void> => {
  if (ctx.tenant.kind === "sandbox") return;
  const [owners, venue] = [await readConfirmedOwners(ctx), await readSenderName(ctx)];
  for (const { email, name, own, invited } of owners) {
    const language = staffLanguage({ own, invited, venue: ctx.tenant.default_language });
    await queueAlert(ctx, { email, name, language }, { ...event, venue, restaurantId: ctx.tenant.id });
  }
};

const queueAlert = async (
  ctx: AlertContext,
  { email, name, language }: AlertRecipient,
  { kind, client, restaurantId, ...about }: AlertEvent & Pick<NewAlert, "restaurantId">,
): Promise<void> => {
  const { browser, system } = deviceOf(client);
  const device = browser && system ? `${browser}, ${system}` : (browser ?? system);
  const facts: AlertFacts = { name, device, address: ctx.origin.address, at: realNow(ctx), ...about };
  const { id, state } = await insertAlert(ctx, { email, kind, restaurantId, ...writeAlert(kind, language, facts) });
  if (state === "queued") await enqueueGlobal(ctx, "send-alert", { alert_id: id, attempt: 1 });
};

/** Undefined when the alert was sent, failed or skipped. */
export const readDueAlert = async (ctx: Pick<GlobalContext, "db">, id: number): Promise<AlertRow | undefined> => {
  const alert = await findAlert(ctx, id);
  return alert?.state === "queued" ? alert : undefined;
};

/** Records the attempt, or queues the next one in the same transaction. */
export const recordAlertOutcome = async (
  ctx: GlobalContext,
  { id, attempt }: { id: number; attempt: number },
  outcome: SendOutcome,
): Promise<void> => {
  if (outcome.isSent) return setAlertState(ctx, id, "sent");
  const delaySeconds = outcome.isFinal ? null : retryAfterSeconds(attempt);
  if (delaySeconds === null) {
    ctx.log.error({ alert: id, reason: outcome.reason }, "security alert not sent: permanent failure or last attempt");
    return setAlertState(ctx, id, "failed");
  }
  const startAfter = new Date(realNow(ctx).getTime() + delaySeconds * 1000);
  await enqueueGlobal(ctx, "send-alert", { alert_id: id, attempt: attempt + 1 }, { startAfter });
};

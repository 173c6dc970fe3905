/** Mail about security events: written and queued in the change's own transaction, sent later, bounded for each address. */
import type { Ctx, HouseCtx } from "#lib/context.ts";
import { deviceOf } from "#lib/user-agent.ts";
import { enqueueGlobal } from "#platform/jobs/service.ts";
import { type Outcome, readSenderName, retryAfterSeconds, staffLanguage } from "#platform/notices/service.ts";
import { readOwners } from "#platform/staff/service.ts";
import { type AlertFacts, type AlertKind, type Language, writeAlert } from "./rules.ts";
import { type AlertRow, findAlert, findInvitationLanguages, insertAlert, setAlertState } from "./store.ts";

export type { AlertRow };

type Sender = Pick<HouseCtx, "db" | "now" | "origin">;
type Recipient = { email: string; name: string; language: Language };
type Event = { kind: AlertKind; client: string | null } & Pick<AlertFacts, "about" | "venue" | "by" | "byEmail">;

/** Tells a person what happened to their account. `client` is the User-Agent behind it. */
export const alertPerson = async (
  ctx: Sender,
  { email, name, locale }: { email: string; name: string; locale: string | null },
  event: Event,
): Promise<void> => {
  const ofVenue = locale === null ? await findInvitationLanguages(ctx, email) : undefined;
  const language = staffLanguage({ own: locale, invited: ofVenue?.invited ?? null, venue: ofVenue?.venue ?? null });
  return send(ctx, { email, name, language }, event);
};

/** Tells every owner of the venue. */
export const alertOwners = async (ctx: Ctx, event: Event): Promise<void> => {
  const [owners, venue] = [await readOwners(ctx), await readSenderName(ctx)];
  for (const { email, name, own, invited } of owners) {
    const language = staffLanguage({ own, invited, venue: ctx.tenant.default_language });
    await send(ctx, { email, name, language }, { ...event, venue });
  }
};

const send = async (ctx: Sender, { email, name, language }: Recipient, { kind, client, ...about }: Event): Promise<void> => {
  const { browser, system } = deviceOf(client);
  const device = browser && system ? `${browser}, ${system}` : (browser ?? system);
  const facts: AlertFacts = { name, device, address: ctx.origin.address, at: ctx.now, ...about };
  const { id, state } = await insertAlert(ctx, { email, kind, ...writeAlert(kind, language, facts) });
  if (state === "queued") await enqueueGlobal(ctx, "send-alert", { alert_id: id, attempt: 1 });
};

/** Undefined once it was sent or given up. */
export const readDueAlert = async (ctx: Pick<HouseCtx, "db">, id: number): Promise<AlertRow | undefined> => {
  const alert = await findAlert(ctx, id);
  return alert?.state === "queued" ? alert : undefined;
};

/** What became of an attempt, and the next one in the same commit. */
export const noteOutcome = async (ctx: HouseCtx, { id, attempt }: { id: number; attempt: number }, outcome: Outcome): Promise<void> => {
  if (outcome.isSent) return setAlertState(ctx, id, "sent");
  const delaySeconds = outcome.isFinal ? null : retryAfterSeconds(attempt);
  if (delaySeconds === null) {
    ctx.log.error({ alert: id, reason: outcome.reason }, "a security alert could not be sent");
    return setAlertState(ctx, id, "failed");
  }
  const startAfter = new Date(ctx.now.getTime() + delaySeconds * 1000);
  await enqueueGlobal(ctx, "send-alert", { alert_id: id, attempt: attempt + 1 }, { startAfter });
};

/** Messages to guests and owners: written and queued in the change's own transaction, sent later; a failure never fails the change. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { Ctx } from "#lib/context.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { readOwners } from "#platform/staff/service.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import {
  chooseChannel,
  chooseLanguage,
  type DailyLimits,
  type Facts,
  type NoticeKind,
  nameIn,
  type OwnerFacts,
  type OwnerNoticeKind,
  retryAfterSeconds,
  skipReason,
  staffLanguage,
  writeNotice,
  writeOwnerNotice,
} from "./rules.ts";
import type { Post } from "./send.ts";
import {
  countSentToday,
  deleteMessagesOf,
  findMessage,
  insertMessage,
  listMessages,
  type MessageRow,
  newMessageId,
  recordOutcome,
} from "./store.ts";

export type { NoticeKind, Post };

export type Notice = {
  kind: NoticeKind;
  guest: { id: number | null; locale: string | null; phone: string; email: string | null };
  letterhead: Letterhead;
  facts: Omit<Facts, "venue">;
};

export type Letterhead = { messageId: number; venueName: Translations };

/** What a notice needs whatever it says: asked for beside the caller's own questions, so that it takes no trip of its own. */
export const readLetterhead = async (ctx: Ctx): Promise<Letterhead> => {
  const [messageId, { name }] = await Promise.all([newMessageId(ctx), readRestaurant(ctx.db, ctx.tenant.id)]);
  return { messageId, venueName: name };
};

/** A sandbox writes its messages down and sends none (contract §1.8). */
export const queueNotice = async (ctx: Ctx, { kind, guest, letterhead, facts }: Notice): Promise<void> => {
  const { default_language, kind: venueKind } = ctx.tenant;
  const language = chooseLanguage([guest.locale, default_language]);
  const { messageId: id, venueName } = letterhead;
  const text = writeNotice(kind, language, { ...facts, venue: nameIn(venueName, language, default_language) });
  const state = venueKind === "sandbox" ? "skipped" : "queued";
  insertMessage(ctx, { id, kind, ...chooseChannel(guest), language, ...text, guest_id: guest.id, state });
  if (state === "queued") await enqueue(ctx, "send-message", { message_id: id, attempt: 1 });
};

/** By mail to every owner, each in their language; to the venue's own address when no owner is known. */
export const tellOwners = async (ctx: Ctx, kind: OwnerNoticeKind, facts: Omit<OwnerFacts, "owner" | "venue">): Promise<void> => {
  if (ctx.tenant.kind === "sandbox") return;
  const { default_language } = ctx.tenant;
  const [owners, { name, email }] = await Promise.all([readOwners(ctx), readRestaurant(ctx.db, ctx.tenant.id)]);
  const venue = (language: string): string => nameIn(name, language, default_language);
  const known = email === null ? [] : [{ email, name: venue(default_language), own: null, invited: null }];
  for (const owner of owners.length > 0 ? owners : known) {
    const language = staffLanguage({ ...owner, venue: default_language });
    const text = writeOwnerNotice(kind, language, { ...facts, owner: owner.name, venue: venue(language) });
    const id = await newMessageId(ctx);
    insertMessage(ctx, { id, kind, channel: "email", recipient: owner.email, language, ...text, guest_id: null, state: "queued" });
    await enqueue(ctx, "send-message", { message_id: id, attempt: 1 });
  }
};

/** Undefined when it was sent already, the guest was erased meanwhile, or a daily limit is reached; that is recorded as skipped. */
export const readSendableMessage = async (
  ctx: Ctx,
  { id, attempt }: { id: number; attempt: number },
  limits: DailyLimits,
): Promise<MessageRow | undefined> => {
  const message = await findMessage(ctx, id);
  if (message?.state !== "queued" || message.attempts !== attempt - 1) return undefined;
  const reason = skipReason(message, await countSentToday(ctx, message), limits);
  if (reason === null) return message;
  recordOutcome(ctx, message, { state: "skipped", last_failure: reason });
  ctx.log.warn({ message_id: id, kind: message.kind, channel: message.channel, reason }, "a message was not sent");
  return undefined;
};

/** Whom the mail comes from: the venue as its guests know it. */
export const readSenderName = async ({ db, tenant }: Ctx): Promise<string> =>
  nameIn((await readRestaurant(db, tenant.id)).name, tenant.default_language, "en");

export { retryAfterSeconds, staffLanguage };
export type Outcome = { isSent: true } | { isSent: false; reason: string; isFinal: boolean };

/** What became of an attempt, and the next one in the same commit. */
export const noteOutcome = async (ctx: Ctx, message: MessageRow, outcome: Outcome): Promise<void> => {
  if (outcome.isSent) return recordOutcome(ctx, message, { state: "sent", last_failure: null });
  const attempts = message.attempts + 1;
  const delaySeconds = outcome.isFinal ? null : retryAfterSeconds(attempts);
  recordOutcome(ctx, message, { state: delaySeconds === null ? "failed" : "queued", last_failure: outcome.reason });
  if (delaySeconds === null) return;
  const startAfter = new Date(ctx.now.getTime() + delaySeconds * 1000);
  await enqueue(ctx, "send-message", { message_id: message.id, attempt: attempts + 1 }, { startAfter });
};

export const readMessages = (ctx: Ctx, rowCount: number) => listMessages(ctx, rowCount);

export const forgetMessages = (ctx: Ctx, guestId: number): void => deleteMessagesOf(ctx, guestId);

/** Messages to guests and owners. The change's transaction writes and queues them, a job sends them, so a failure to send never fails the change. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { realNow } from "#lib/venue-clock.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { readManagers, readOwners } from "#platform/people/memberships/service.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import { type AlarmFacts, writeAlarm } from "./rules/alarm-texts.ts";
import {
  chooseChannel,
  chooseLanguage,
  type DailyLimits,
  retryAfterSeconds,
  skipReason,
  staffLanguage,
  translatedName,
} from "./rules/message-policy.ts";
import { type ReviewMessage, writeReviewMessage } from "./rules/review-texts.ts";
import { type ShiftPlan, writeShiftPlan } from "./rules/shift-texts.ts";
import {
  type MessageLanguage,
  type MessageText,
  type NotificationFacts,
  type NotificationKind,
  type OwnerFacts,
  type OwnerNotificationKind,
  writeNotification,
  writeOwnerNotification,
} from "./rules/texts.ts";
import type { MessageSender } from "./send.ts";
import {
  type AboutMessage,
  countSentToday,
  deleteMessagesOf,
  findMessage,
  findQueuedAbout,
  hasMessageSince,
  insertMessage,
  LINK_KIND,
  listMessages,
  listMessagesOf,
  type MessageRow,
  newMessageId,
  type SendOutcome,
  skipQueuedAbout,
  skipQueuedLinks,
  updateMessageGuest,
  updateMessageState,
} from "./store.ts";

export type { MessageLanguage, MessageSender, NotificationKind, SendOutcome, ShiftPlan };

export type MessageRecipient = { id: number | null; locale: string | null; phone: string; email: string | null };

export type GuestNotification = {
  kind: NotificationKind;
  guest: MessageRecipient;
  header: MessageHeader;
  facts: Omit<NotificationFacts, "venue">;
  about: AboutMessage;
};

export type MessageHeader = { messageId: number; venueName: Translations };

/** Read together with the caller's own queries, so that a notification costs no extra round trip. */
export const readMessageHeader = async (ctx: Ctx): Promise<MessageHeader> => {
  const [messageId, { name }] = await Promise.all([newMessageId(ctx), readRestaurant(ctx.db, ctx.tenant.id)]);
  return { messageId, venueName: name };
};

export const queueNotification = (ctx: Ctx, { kind, guest, header, facts, about }: GuestNotification): Promise<void> =>
  queueText(ctx, { kind, guest, header, about, write: (language, venue) => writeNotification(kind, language, { ...facts, venue }) });

/** The text has a mark in place of the link, which the job that sends the message fills in: no row contains it. */
export const queueReviewMessage = (
  ctx: Ctx,
  { message, ...to }: Pick<GuestNotification, "guest" | "header" | "about"> & { message: ReviewMessage },
): Promise<void> => queueText(ctx, { kind: message.kind, ...to, write: (language, venue) => writeReviewMessage(message, language, venue) });

type QueuedText = {
  kind: string;
  about: AboutMessage;
  guest: MessageRecipient;
  header: MessageHeader;
  write: (language: MessageLanguage, venue: string) => MessageText;
};

/** A sandbox stores its messages and sends none (contract §1.8). */
const queueText = async (ctx: Ctx, { kind, guest, header, about, write }: QueuedText): Promise<void> => {
  const { default_language, kind: venueKind } = ctx.tenant;
  const language = chooseLanguage([guest.locale, default_language]);
  const { messageId: id, venueName } = header;
  const text = write(language, translatedName(venueName, language, default_language));
  const state = venueKind === "sandbox" ? "skipped" : "queued";
  insertMessage(ctx, { id, kind, topic: null, about, ...chooseChannel(guest), language, ...text, guest_id: guest.id, state });
  if (state === "queued") await enqueue(ctx, "send-message", { message_id: id, attempt: 1 });
};

export type StaffRecipient = { email: string; name: string; own: string | null; invited: string | null };
/** A mail with a topic replaces mails about it that are still queued. */
type StaffMail = {
  kind: string;
  topic?: string | null;
  about?: AboutMessage | null;
  write: (language: MessageLanguage, person: string, venue: string) => { subject: string; body: string };
};

/** Mails each person in the person's language, or the venue's own address when there is none. */
const mailStaff = async (ctx: Ctx, people: StaffRecipient[], { kind, topic = null, about = null, write }: StaffMail): Promise<void> => {
  const { default_language } = ctx.tenant;
  const { name, email } = await readRestaurant(ctx.db, ctx.tenant.id);
  const venue = (language: string): string => translatedName(name, language, default_language);
  const fallback = email === null ? [] : [{ email, name: venue(default_language), own: null, invited: null }];
  for (const person of people.length > 0 ? people : fallback) {
    const language = staffLanguage({ ...person, venue: default_language });
    const text = write(language, person.name, venue(language));
    const id = await newMessageId(ctx);
    if (topic !== null) skipQueuedAbout(ctx, topic, person.email);
    const to = { channel: "email", recipient: person.email, guest_id: null } as const;
    insertMessage(ctx, { id, kind, topic, about, ...to, language, ...text, state: "queued" });
    await enqueue(ctx, "send-message", { message_id: id, attempt: 1 });
  }
};

export const notifyOwners = async (ctx: Ctx, kind: OwnerNotificationKind, facts: Omit<OwnerFacts, "owner" | "venue">): Promise<void> => {
  if (ctx.tenant.kind === "sandbox") return;
  const write: StaffMail["write"] = (language, owner, venue) => writeOwnerNotification(kind, language, { ...facts, owner, venue });
  await mailStaff(ctx, await readOwners(ctx), { kind, write });
};

/** The caller writes the text. */
export const mailOwners = async (ctx: Ctx, mail: StaffMail): Promise<void> => {
  if (ctx.tenant.kind !== "sandbox") await mailStaff(ctx, await readOwners(ctx), mail);
};

/** Orders wait, and no screen has shown them. */
export const alarmManagers = async (ctx: Ctx, facts: Omit<AlarmFacts, "person" | "venue">): Promise<void> => {
  if (ctx.tenant.kind === "sandbox") return;
  const write: StaffMail["write"] = (language, person, venue) => writeAlarm(language, { ...facts, person, venue });
  await mailStaff(ctx, await readManagers(ctx), { kind: "orders.unseen", write });
};

/**
 * Each person gets their own shifts of a week. The week is the topic, so that a mail with its former shifts which is still queued is not sent.
 * The statements of all mails travel together.
 */
export const mailShiftPlans = async (
  ctx: Ctx,
  week: string,
  plans: readonly { person: StaffRecipient; plan: ShiftPlan }[],
): Promise<void> => {
  const { kind, default_language } = ctx.tenant;
  if (kind === "sandbox") return;
  const writerOf =
    (plan: ShiftPlan): StaffMail["write"] =>
    (language, person, venue) =>
      writeShiftPlan(language, plan, { person, venue, branch: plan.branch && translatedName(plan.branch, language, default_language) });
  const about = { kind: "shift_week", id: week } as const;
  const topic = `${about.kind} ${about.id}`;
  await Promise.all(
    plans.map(({ person, plan }) => mailStaff(ctx, [person], { kind: "shifts.published", topic, about, write: writerOf(plan) })),
  );
};

/** Undefined when the message was sent, the guest was erased, or a daily limit is reached; the last case is recorded as skipped. */
export const readSendableMessage = async (
  ctx: Ctx,
  { id, attempt }: { id: number; attempt: number },
  limits: DailyLimits,
): Promise<MessageRow | undefined> => {
  const message = await findMessage(ctx, id);
  if (message?.state !== "queued" || message.attempts !== attempt - 1) return undefined;
  const reason = skipReason(message, await countSentToday(ctx, message), limits);
  if (reason === null) return message;
  changeState(ctx, message, { state: "skipped", last_failure: reason, failure: "limit" });
  ctx.log.warn({ message_id: id, kind: message.kind, channel: message.channel, reason }, "message skipped: daily limit reached");
  return undefined;
};

/** The venue's name as the sender of its mail. */
export const readSenderName = async ({ db, tenant }: Ctx): Promise<string> =>
  translatedName((await readRestaurant(db, tenant.id)).name, tenant.default_language, "en");

export { chooseChannel, hasMessageSince, listMessages, listMessagesOf, retryAfterSeconds, staffLanguage, updateMessageGuest };

/** Pages that show the state of the message read it again. */
const changeState: typeof updateMessageState = (ctx, message, outcome) => {
  updateMessageState(ctx, message, outcome);
  recordChange(ctx, { kind: "message", id: message.id });
};

/** Records the attempt and queues the next one in the same transaction. */
export const recordSendOutcome = async (ctx: Ctx, message: MessageRow, outcome: SendOutcome): Promise<void> => {
  if (outcome.isSent) return changeState(ctx, message, { state: "sent", last_failure: null, failure: null });
  const attempts = message.attempts + 1;
  const delaySeconds = outcome.isFinal ? null : retryAfterSeconds(attempts);
  const state = delaySeconds === null ? "failed" : "queued";
  changeState(ctx, message, { state, last_failure: outcome.reason, failure: outcome.failure });
  if (delaySeconds === null) return;
  const startAfter = new Date(realNow(ctx).getTime() + delaySeconds * 1000);
  await enqueue(ctx, "send-message", { message_id: message.id, attempt: attempts + 1 }, { startAfter });
};

const linkTopic = (linkId: number): string => `link ${linkId}`;
const LINK_ATTEMPTS_MAX = 20;

/**
 * The mail with a link has a row as every message has, so that the venue sees its state. The job that sends it writes its text, which no
 * row contains. A newer link replaces it.
 */
export const recordLinkMail = async (ctx: Ctx, { linkId, email }: { linkId: number; email: string }): Promise<void> => {
  const id = await newMessageId(ctx);
  skipQueuedLinks(ctx, email);
  const about = { kind: "staff", id: email } as const;
  const to = { channel: "email", recipient: email, guest_id: null, language: ctx.tenant.default_language } as const;
  insertMessage(ctx, { id, kind: LINK_KIND, topic: linkTopic(linkId), about, ...to, subject: "", body: "", state: "queued" });
};

/** Its job is repeated by its queue. */
export const recordLinkOutcome = async (ctx: Ctx, linkId: number, outcome: SendOutcome): Promise<void> => {
  const message = await findQueuedAbout(ctx, linkTopic(linkId));
  if (!message) return;
  if (outcome.isSent) return changeState(ctx, message, { state: "sent", last_failure: null, failure: null });
  const isLast = outcome.isFinal || message.attempts >= LINK_ATTEMPTS_MAX;
  changeState(ctx, message, { state: isLast ? "failed" : "queued", last_failure: outcome.reason, failure: outcome.failure });
};

/** Returns how many messages were deleted. */
export const eraseMessages = async (ctx: Ctx, guestId: number): Promise<number> => (await deleteMessagesOf(ctx, guestId)).length;

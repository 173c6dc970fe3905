/** The state of messages, as pages of the venue show it, and what people do about failed ones. */
import { MESSAGE_SUBJECTS, type MessageSubject, type VenueMessage } from "@comanda/contract/console/messages.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { canRetry, isOfStaff, recipientFault, SHOWN_MS, shownState } from "../rules/message-policy.ts";
import {
  LINK_KIND,
  listFailedMessages,
  listLastMessages,
  listMessagesAbout,
  lockVenueMessage,
  queueAgain,
  setAside,
  type VenueMessageRow,
} from "../store.ts";

const ROWS_MAX = 200;

const presentMessage = (ctx: Ctx, row: VenueMessageRow): VenueMessage => ({
  id: row.id,
  kind: row.kind,
  about: row.about_kind,
  subject_id: row.about_id,
  channel: row.channel,
  recipient: row.recipient,
  state: shownState(row),
  failure: row.failure,
  attempts: row.attempts,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  can_retry: isRepeatable(ctx, row),
});

const isRepeatable = (ctx: Ctx, row: VenueMessageRow): boolean => canRetry({ ...row, hasText: row.kind !== LINK_KIND }, realNow(ctx));

const maySee = ({ actor }: Ctx, about: MessageSubject): boolean => actor.role !== "staff" || isOfStaff(about);

type MessageQuestion = { about?: MessageSubject | undefined; subject?: string | undefined };

const findMessages = async (ctx: Ctx, { about, subject }: MessageQuestion): Promise<VenueMessageRow[]> => {
  const since = new Date(realNow(ctx).getTime() - SHOWN_MS);
  if (about !== undefined && !maySee(ctx, about)) throw apiError("role_required", { required_role: "manager" });
  if (about === undefined)
    return listFailedMessages(
      ctx,
      MESSAGE_SUBJECTS.filter((one) => maySee(ctx, one)),
      since,
      ROWS_MAX,
    );
  return subject === undefined
    ? listLastMessages(ctx, about, since, ROWS_MAX)
    : listMessagesAbout(ctx, { kind: about, id: subject }, since, ROWS_MAX);
};

export const readVenueMessages = async (ctx: Ctx, question: MessageQuestion): Promise<VenueMessage[]> =>
  (await findMessages(ctx, question)).map((row) => presentMessage(ctx, row));

/** Two people may act on the same failure. Only the first one has an effect. */
const findFailed = async (ctx: Ctx, id: number, read: () => { seen_attempts: number }): Promise<VenueMessageRow> => {
  const message = await lockVenueMessage(ctx, id);
  if (!message || !maySee(ctx, message.about_kind)) throw apiError("not_found");
  const { seen_attempts } = read();
  if (shownState(message) === "failed" && message.attempts === seen_attempts) return message;
  throw await stateChanged(ctx, { area: "message", subject: id }, { state: shownState(message), attempts: message.attempts });
};

type Retry = { seen_attempts: number; recipient?: string };

/** The body is read after the message was found. */
export const retryMessage = async (ctx: Ctx, id: number, read: () => Retry): Promise<{ id: number }> => {
  const message = await findFailed(ctx, id, read);
  const recipient = read().recipient?.trim() ?? message.recipient;
  if (!isRepeatable(ctx, message)) throw validationError({ id: ["This message cannot be sent again."] });
  const fault = recipient === message.recipient ? null : recipientFault(message.channel, recipient);
  if (fault !== null) throw validationError({ recipient: [fault] });
  queueAgain(ctx, id, recipient);
  await enqueue(ctx, "send-message", { message_id: id, attempt: message.attempts + 1 });
  // No address: the activity log outlives an erased guest.
  const after = { kind: message.kind, is_new_address: recipient !== message.recipient };
  recordAudit(ctx, { action: "message.retried", subject: { kind: "message", id }, after });
  return { id };
};

export const setMessageAside = async (ctx: Ctx, id: number, read: () => { seen_attempts: number }): Promise<{ id: number }> => {
  const { kind } = await findFailed(ctx, id, read);
  setAside(ctx, id);
  recordAudit(ctx, { action: "message.set_aside", subject: { kind: "message", id }, after: { kind } });
  return { id };
};

import { sql } from "kysely";
import { builder, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type SendOutcome = { isSent: true } | { isSent: false; reason: string; isFinal: boolean };

export type MessageRow = {
  id: number;
  kind: string;
  channel: "email" | "sms";
  recipient: string;
  subject: string;
  body: string;
  state: "queued" | "sent" | "failed" | "skipped";
  attempts: number;
};

export const newMessageId = async (ctx: Ctx): Promise<number> =>
  (await oneRow(ctx.db.query(sql<{ id: number }>`select nextval('notification_ids') as id`))).id;

type NewMessage = Omit<MessageRow, "attempts"> & { language: string; guest_id: number | null; topic: string | null };

export const insertMessage = (ctx: Ctx, message: NewMessage): void =>
  ctx.db.defer(
    builder
      .insertInto("notifications")
      .values({ restaurant_id: ctx.tenant.id, created_at: realNow(ctx), updated_at: realNow(ctx), ...message }),
  );

export const findMessage = (ctx: Ctx, id: number): Promise<MessageRow | undefined> =>
  first(
    ctx.db.query(
      sql<MessageRow>`select id, kind, channel, recipient, subject, body, state, attempts from notifications
        where restaurant_id = ${ctx.tenant.id} and id = ${id}`,
    ),
  );

/** A newer message about the topic is written: those to this recipient that are still queued are not sent. */
export const skipQueuedAbout = (ctx: Ctx, topic: string, recipient: string): void =>
  ctx.db.defer(sql`
    update notifications set state = 'skipped', last_failure = 'a newer message replaced it', updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and topic = ${topic} and recipient = ${recipient} and state = 'queued'`);

/**
 * The condition on `attempts` makes a job that runs twice record its attempt once. A message that was replaced while it was sent is recorded
 * as sent, and is not queued again.
 */
export const updateMessageState = (
  ctx: Ctx,
  { id, attempts }: MessageRow,
  outcome: { state: MessageRow["state"]; last_failure: string | null },
): void => {
  const update = builder
    .updateTable("notifications")
    .set({ ...outcome, attempts: attempts + 1, updated_at: realNow(ctx) })
    .where("restaurant_id", "=", ctx.tenant.id)
    .where("id", "=", id)
    .where("attempts", "=", attempts);
  ctx.db.defer(outcome.state === "sent" ? update : update.where("state", "=", "queued"));
};

export const listMessages = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    builder
      .selectFrom("notifications")
      .select([
        "id",
        "kind",
        "channel",
        "recipient",
        "language",
        "subject",
        "state",
        "attempts",
        "last_failure",
        "created_at",
        "updated_at",
      ])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(rowCount),
  );

/** Counts sent messages, not attempts: to the recipient from all venues, and by this venue on this channel. */
export const countSentToday = (ctx: Ctx, { channel, recipient }: MessageRow): Promise<{ toRecipient: number; byVenue: number }> => {
  const since = new Date(realNow(ctx).getTime() - 24 * 3_600_000);
  return oneRow(
    ctx.db.query(sql<{ toRecipient: number; byVenue: number }>`
      select count_sent_to(${channel}, ${recipient}, ${since}) as "toRecipient",
        (select count(*)::integer from notifications
          where restaurant_id = ${ctx.tenant.id} and channel = ${channel} and state = 'sent' and updated_at > ${since}) as "byVenue"`),
  );
};

export const deleteMessagesOf = (ctx: Ctx, guestId: number): Promise<{ id: number }[]> =>
  ctx.db.query(
    sql<{ id: number }>`delete from notifications where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} returning id`,
  );

export type GuestMessageRow = Pick<MessageRow, "kind" | "channel" | "recipient" | "subject" | "body" | "state"> & { created_at: Date };

/** The oldest first. */
export const listMessagesOf = (ctx: Ctx, guestId: number): Promise<GuestMessageRow[]> =>
  ctx.db.query(sql<GuestMessageRow>`
    select kind, channel, recipient, subject, body, state, created_at from notifications
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by id`);

export const hasMessageSince = async (ctx: Ctx, guestId: number, kind: string, since: Date): Promise<boolean> =>
  (
    await ctx.db.query(sql`
      select from notifications
      where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} and kind = ${kind} and created_at > ${since} limit 1`)
  ).length > 0;

export const updateMessageGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update notifications set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);

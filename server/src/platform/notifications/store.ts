import { sql } from "kysely";
import { builder, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

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

export const insertMessage = (ctx: Ctx, message: Omit<MessageRow, "attempts"> & { language: string; guest_id: number | null }): void =>
  ctx.db.defer(
    builder.insertInto("notifications").values({ restaurant_id: ctx.tenant.id, created_at: ctx.now, updated_at: ctx.now, ...message }),
  );

export const findMessage = (ctx: Ctx, id: number): Promise<MessageRow | undefined> =>
  first(
    ctx.db.query(
      sql<MessageRow>`select id, kind, channel, recipient, subject, body, state, attempts from notifications
        where restaurant_id = ${ctx.tenant.id} and id = ${id}`,
    ),
  );

/** The condition on `attempts` makes a job that runs twice record its attempt once. */
export const updateMessageState = (
  ctx: Ctx,
  { id, attempts }: MessageRow,
  outcome: { state: MessageRow["state"]; last_failure: string | null },
): void =>
  ctx.db.defer(
    builder
      .updateTable("notifications")
      .set({ ...outcome, attempts: attempts + 1, updated_at: ctx.now })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("attempts", "=", attempts),
  );

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
  const since = new Date(ctx.now.getTime() - 24 * 3_600_000);
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

export const updateMessageGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update notifications set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);

import type { MessageFailure, MessageSubject } from "@comanda/contract/console/messages.ts";
import { sql } from "kysely";
import { builder, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type { MessageFailure };
/** `reason` is for the operator, `failure` for the venue. */
export type SendOutcome = { isSent: true } | { isSent: false; reason: string; failure: MessageFailure; isFinal: boolean };

export type AboutMessage = { kind: MessageSubject; id: string };

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

type NewMessage = Omit<MessageRow, "attempts"> & {
  language: string;
  guest_id: number | null;
  topic: string | null;
  about: AboutMessage | null;
};

export const insertMessage = (ctx: Ctx, { about, ...message }: NewMessage): void =>
  ctx.db.defer(
    builder.insertInto("notifications").values({
      restaurant_id: ctx.tenant.id,
      created_at: realNow(ctx),
      updated_at: realNow(ctx),
      about_kind: about?.kind ?? null,
      about_id: about?.id ?? null,
      ...message,
    }),
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
    update notifications set state = 'skipped', last_failure = 'a newer message replaced it', failure = 'replaced', updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and topic = ${topic} and recipient = ${recipient} and state = 'queued'`);

/** The job of a mail with a link writes its text, so the mail cannot be sent again as it is. */
export const LINK_KIND = "staff.invited";

export const skipQueuedLinks = (ctx: Ctx, email: string): void =>
  ctx.db.defer(sql`
    update notifications set state = 'skipped', last_failure = 'a newer link replaced it', failure = 'replaced', updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and about_kind = 'staff' and about_id = ${email} and kind = ${LINK_KIND}
      and state in ('queued', 'failed')`);

/**
 * The condition on `attempts` makes a job that runs twice record its attempt once. A message that was replaced while it was sent is recorded
 * as sent, and is not queued again.
 */
export const updateMessageState = (
  ctx: Ctx,
  { id, attempts }: Pick<MessageRow, "id" | "attempts">,
  outcome: { state: MessageRow["state"]; last_failure: string | null; failure: MessageFailure | null },
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

/** Whether a message of this kind was written to the guest since then. */
export const hasMessageSince = async (ctx: Ctx, guestId: number, kind: string, since: Date): Promise<boolean> =>
  (
    await ctx.db.query(sql`
      select from notifications
      where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} and kind = ${kind} and created_at > ${since} limit 1`)
  ).length > 0;

/** Two guests were merged. */
export const updateMessageGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update notifications set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);

/** A message that a page can name. */
export type VenueMessageRow = Pick<MessageRow, "id" | "kind" | "channel" | "recipient" | "state" | "attempts"> & {
  about_kind: MessageSubject;
  about_id: string;
  failure: MessageFailure | null;
  retries: number;
  created_at: Date;
  updated_at: Date;
};

const VENUE_MESSAGE = sql`id, kind, about_kind, about_id, channel, recipient, state, failure, attempts, retries, created_at, updated_at`;

/** The newest first. */
export const listMessagesAbout = (ctx: Ctx, { kind, id }: AboutMessage, since: Date, rowCount: number): Promise<VenueMessageRow[]> =>
  ctx.db.query(sql<VenueMessageRow>`
    select ${VENUE_MESSAGE} from notifications
    where restaurant_id = ${ctx.tenant.id} and about_kind = ${kind} and about_id = ${id} and created_at > ${since}
    order by id desc limit ${rowCount}`);

/** The last one about each subject. */
export const listLastMessages = (ctx: Ctx, kind: MessageSubject, since: Date, rowCount: number): Promise<VenueMessageRow[]> =>
  ctx.db.query(sql<VenueMessageRow>`
    select distinct on (about_id) ${VENUE_MESSAGE} from notifications
    where restaurant_id = ${ctx.tenant.id} and about_kind = ${kind} and created_at > ${since}
    order by about_id, id desc limit ${rowCount}`);

/** The newest first. */
export const listFailedMessages = (ctx: Ctx, kinds: readonly MessageSubject[], since: Date, rowCount: number): Promise<VenueMessageRow[]> =>
  ctx.db.query(sql<VenueMessageRow>`
    select ${VENUE_MESSAGE} from notifications
    where restaurant_id = ${ctx.tenant.id} and set_aside_at is null and (state = 'failed' or failure = 'limit')
      and about_kind = any (${[...kinds]}::text[]) and created_at > ${since}
    order by created_at desc, id desc limit ${rowCount}`);

export const lockVenueMessage = (ctx: Ctx, id: number): Promise<VenueMessageRow | undefined> =>
  first(
    ctx.db.query(sql<VenueMessageRow>`
      select ${VENUE_MESSAGE} from notifications
      where restaurant_id = ${ctx.tenant.id} and id = ${id} and about_kind is not null for update`),
  );

export const queueAgain = (ctx: Ctx, id: number, recipient: string): void =>
  ctx.db.defer(sql`
    update notifications set state = 'queued', recipient = ${recipient}, retries = retries + 1, set_aside_at = null, failure = null,
      last_failure = null, updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const setAside = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update notifications set set_aside_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/** The mail of the newest link, whose text the job writes. */
export const findQueuedAbout = (ctx: Ctx, topic: string): Promise<Pick<MessageRow, "id" | "attempts"> | undefined> =>
  first(
    ctx.db.query(sql<Pick<MessageRow, "id" | "attempts">>`
      select id, attempts from notifications where restaurant_id = ${ctx.tenant.id} and topic = ${topic} and state = 'queued' limit 1`),
  );

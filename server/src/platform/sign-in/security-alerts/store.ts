import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { GlobalContext, WithDb } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { AlertKind } from "./rules/texts.ts";
import { ALERT_WINDOW_MS, ALERTS_PER_DAY_MAX, VENUE_ALERTS_PER_DAY_MAX } from "./rules/write-alert.ts";

export type AlertRow = { id: number; email: string; subject: string; body: string; state: "queued" | "sent" | "failed" | "skipped" };
/** `restaurantId`: the venue that the alert is about; null: the account. */
export type NewAlert = {
  email: string;
  kind: AlertKind;
  restaurantId: number | null;
  language: string;
  subject: string;
  body: string;
  lastBody: string;
};

/** Skipped above a daily limit: of the kind in this venue, and of all venues together. Alerts about the account are not among the latter. */
export const insertAlert = (ctx: Pick<GlobalContext, "db" | "now">, alert: NewAlert): Promise<Pick<AlertRow, "id" | "state">> =>
  oneRow(
    ctx.db.query(
      sql<Pick<AlertRow, "id" | "state">>`insert into security_alerts
          (email, kind, about_restaurant_id, language, subject, body, created_at, state)
        select ${alert.email}, ${alert.kind}, ${alert.restaurantId}::bigint, ${alert.language}, ${alert.subject},
          case when alike = ${ALERTS_PER_DAY_MAX - 1} or of_venues = ${VENUE_ALERTS_PER_DAY_MAX - 1}
            then ${alert.lastBody} else ${alert.body} end, ${realNow(ctx)},
          case when alike < ${ALERTS_PER_DAY_MAX} and of_venues < ${VENUE_ALERTS_PER_DAY_MAX} then 'queued' else 'skipped' end
        from (select count(*) filter (where kind = ${alert.kind} and about_restaurant_id is not distinct from ${alert.restaurantId}::bigint) as alike,
            count(*) filter (where about_restaurant_id is not null and ${alert.restaurantId}::bigint is not null) as of_venues
          from security_alerts where email = ${alert.email} and state in ('queued', 'sent')
            and created_at > ${new Date(realNow(ctx).getTime() - ALERT_WINDOW_MS)}) mailed
        returning id, state`,
    ),
  );

export const findAlert = ({ db }: WithDb, id: number): Promise<AlertRow | undefined> =>
  first(db.query(sql<AlertRow>`select id, email, subject, body, state from security_alerts where id = ${id}`));

export const setAlertState = ({ db }: WithDb, id: number, state: "sent" | "failed"): void =>
  db.defer(sql`update security_alerts set state = ${state} where id = ${id} and state = 'queued'`);

type InvitationLanguages = { invited: string | null; venue: string };

/** The languages of the user's first venue. Undefined when the user has none. */
export const findInvitationLanguages = ({ db }: WithDb, email: string): Promise<InvitationLanguages | undefined> =>
  first(db.query(sql<InvitationLanguages>`select invited, venue from invitation_languages(${email})`));

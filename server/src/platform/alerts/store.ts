import { sql } from "kysely";
import { first, only } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";
import { ALERT_WINDOW_MS, ALERTS_PER_DAY_MAX, type AlertKind } from "./rules.ts";

type Reader = Pick<HouseCtx, "db">;

export type AlertRow = { id: number; email: string; subject: string; body: string; state: "queued" | "sent" | "failed" | "skipped" };
export type NewAlert = { email: string; kind: AlertKind; language: string; subject: string; body: string; lastBody: string };

/** Skipped when the address was sent enough mails of this kind within a day. The subject names the venue, so each has a count of its own. */
export const insertAlert = (ctx: Pick<HouseCtx, "db" | "now">, alert: NewAlert): Promise<Pick<AlertRow, "id" | "state">> =>
  only(
    ctx.db.query(
      sql<Pick<AlertRow, "id" | "state">>`insert into security_alerts (email, kind, language, subject, body, created_at, state)
        select ${alert.email}, ${alert.kind}, ${alert.language}, ${alert.subject},
          case when count(*) = ${ALERTS_PER_DAY_MAX - 1} then ${alert.lastBody} else ${alert.body} end, ${ctx.now},
          case when count(*) < ${ALERTS_PER_DAY_MAX} then 'queued' else 'skipped' end
        from security_alerts where email = ${alert.email} and kind = ${alert.kind} and subject = ${alert.subject}
          and state in ('queued', 'sent')
          and created_at > ${new Date(ctx.now.getTime() - ALERT_WINDOW_MS)}
        returning id, state`,
    ),
  );

export const findAlert = ({ db }: Reader, id: number): Promise<AlertRow | undefined> =>
  first(db.query(sql<AlertRow>`select id, email, subject, body, state from security_alerts where id = ${id}`));

export const setAlertState = ({ db }: Reader, id: number, state: "sent" | "failed"): void =>
  db.later(sql`update security_alerts set state = ${state} where id = ${id} and state = 'queued'`);

type InvitationLanguages = { invited: string | null; venue: string };

/** Of the first venue that the person works in; undefined when there is none. */
export const findInvitationLanguages = ({ db }: Reader, email: string): Promise<InvitationLanguages | undefined> =>
  first(db.query(sql<InvitationLanguages>`select invited, venue from invitation_languages(${email})`));

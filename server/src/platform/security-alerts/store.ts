import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { GlobalContext, WithDb } from "#lib/context.ts";
import type { AlertKind } from "./rules/texts.ts";
import { ALERT_WINDOW_MS, ALERTS_PER_DAY_MAX } from "./rules/write-alert.ts";

export type AlertRow = { id: number; email: string; subject: string; body: string; state: "queued" | "sent" | "failed" | "skipped" };
export type NewAlert = { email: string; kind: AlertKind; language: string; subject: string; body: string; lastBody: string };

/** Skipped above the daily limit. The subject contains the venue's name, so each venue is counted separately. */
export const insertAlert = (ctx: Pick<GlobalContext, "db" | "now">, alert: NewAlert): Promise<Pick<AlertRow, "id" | "state">> =>
  oneRow(
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

export const findAlert = ({ db }: WithDb, id: number): Promise<AlertRow | undefined> =>
  first(db.query(sql<AlertRow>`select id, email, subject, body, state from security_alerts where id = ${id}`));

export const setAlertState = ({ db }: WithDb, id: number, state: "sent" | "failed"): void =>
  db.defer(sql`update security_alerts set state = ${state} where id = ${id} and state = 'queued'`);

type InvitationLanguages = { invited: string | null; venue: string };

/** The languages of the user's first venue. Undefined when the user has none. */
export const findInvitationLanguages = ({ db }: WithDb, email: string): Promise<InvitationLanguages | undefined> =>
  first(db.query(sql<InvitationLanguages>`select invited, venue from invitation_languages(${email})`));

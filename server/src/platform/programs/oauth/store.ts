/** Consent requests. They have no venue until an owner chooses one, and are found by the hash of their name. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first, type Row } from "#db/query.ts";
import type { GlobalContext } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type ConsentRow = Pick<Row<"consents">, "app_id" | "redirect_uri" | "state" | "code_challenge" | "expires_at"> & { scopes: Scope[] };

const CONSENT = sql`app_id, redirect_uri, scopes, state, code_challenge, expires_at`;

export const insertConsent = (ctx: GlobalContext, hash: Buffer, row: ConsentRow): void =>
  ctx.db.defer(sql`
    insert into consents (hash, app_id, redirect_uri, scopes, state, code_challenge, expires_at, created_at)
    values (${hash}, ${row.app_id}, ${row.redirect_uri}, ${row.scopes}, ${row.state}, ${row.code_challenge}, ${row.expires_at}, ${realNow(ctx)})`);

export const findOpenConsent = (ctx: Pick<GlobalContext, "db" | "now">, hash: Buffer): Promise<ConsentRow | undefined> =>
  first(
    ctx.db.query(
      sql<ConsentRow>`select ${CONSENT} from consents where hash = ${hash} and decided_at is null and expires_at > ${realNow(ctx)}`,
    ),
  );

/** Compare and set: of two concurrent decisions one gets the row. */
export const decideConsent = (ctx: Pick<GlobalContext, "db" | "now">, hash: Buffer): Promise<ConsentRow | undefined> =>
  first(
    ctx.db.query(sql<ConsentRow>`
      update consents set decided_at = ${realNow(ctx)} where hash = ${hash} and decided_at is null and expires_at > ${realNow(ctx)} returning ${CONSENT}`),
  );

export type ConsentVenue = {
  slug: string;
  name: Translations;
  role: Role;
  granted: Scope[] | null;
  has_reservations: boolean;
  has_reporting: boolean;
  has_sandbox: boolean;
  granted_in_sandbox: Scope[] | null;
};

/** Reads across tenants through a database function, for one e-mail address and one app. */
export const listConsentVenues = ({ db }: Pick<GlobalContext, "db">, email: string, appId: number): Promise<ConsentVenue[]> =>
  db.query(sql<ConsentVenue>`
    select slug, name, role, granted, has_reservations, has_reporting, has_sandbox, granted_in_sandbox from consent_venues(${email}, ${appId}::bigint)`);

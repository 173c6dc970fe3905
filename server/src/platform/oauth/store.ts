/** Consent requests belong to no venue until an owner chooses one. They are known by the hash of their name. */
import type { Role } from "@comanda/contract/console-operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";

export type ConsentRow = {
  app_id: number;
  redirect_uri: string;
  scopes: Scope[];
  state: string | null;
  code_challenge: string;
  expires_at: Date;
};

const CONSENT = sql`app_id, redirect_uri, scopes, state, code_challenge, expires_at`;

export const insertConsent = (ctx: HouseCtx, hash: Buffer, row: ConsentRow): void =>
  ctx.db.later(sql`
    insert into consents (hash, app_id, redirect_uri, scopes, state, code_challenge, expires_at, created_at)
    values (${hash}, ${row.app_id}, ${row.redirect_uri}, ${row.scopes}, ${row.state}, ${row.code_challenge}, ${row.expires_at}, ${ctx.now})`);

export const findOpenConsent = ({ db, now }: Pick<HouseCtx, "db" | "now">, hash: Buffer): Promise<ConsentRow | undefined> =>
  first(db.query(sql<ConsentRow>`select ${CONSENT} from consents where hash = ${hash} and decided_at is null and expires_at > ${now}`));

/** Compare and set: of two decisions one counts. */
export const decideConsent = ({ db, now }: Pick<HouseCtx, "db" | "now">, hash: Buffer): Promise<ConsentRow | undefined> =>
  first(
    db.query(sql<ConsentRow>`
      update consents set decided_at = ${now} where hash = ${hash} and decided_at is null and expires_at > ${now} returning ${CONSENT}`),
  );

export type ConsentVenue = {
  slug: string;
  name: Translations;
  role: Role;
  granted: Scope[] | null;
  has_reservations: boolean;
  has_reporting: boolean;
};

/** Over the wall between tenants, by one address and one app. */
export const listConsentVenues = ({ db }: Pick<HouseCtx, "db">, email: string, appId: number): Promise<ConsentVenue[]> =>
  db.query(sql<ConsentVenue>`
    select slug, name, role, granted, has_reservations, has_reporting from consent_venues(${email}, ${appId}::bigint)`);

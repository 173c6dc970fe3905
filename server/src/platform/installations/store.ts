import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { madeBy } from "#db/made-by.ts";
import { type Db, first, only } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { makerOf, type Person } from "#lib/maker.ts";

/** The one look-up before the tenant is known: by the grant's number, nothing else. */
export const findRestaurantOfGrant = async (db: Db, grantId: number): Promise<number | null> =>
  (await only(db.query(sql<{ id: number | null }>`select restaurant_of_grant(${grantId}::bigint) as id`))).id;

export type GrantRow = {
  id: number;
  installation_id: number;
  app_id: number;
  scopes: Scope[];
  redirect_uri: string;
  code_challenge: string;
  code_hash: Buffer;
  code_expires_at: Date;
  code_used_at: Date | null;
  token_id: number | null;
  refresh_hash: Buffer | null;
  refresh_expires_at: Date | null;
  generation: number;
  recent_rotations: Date[];
  ended_at: Date | null;
};

const GRANT = sql`id, installation_id, app_id, scopes, redirect_uri, code_challenge, code_hash, code_expires_at, code_used_at, token_id,
  refresh_hash, refresh_expires_at, generation, recent_rotations, ended_at`;

/** Of many who come with one code or one refresh token, each waits here for the one before and sees what it left. */
export const lockGrant = (ctx: Ctx, id: number): Promise<GrantRow | undefined> =>
  first(ctx.db.query(sql<GrantRow>`select ${GRANT} from grants where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type NewGrant = {
  installationId: number;
  appId: number;
  scopes: Scope[];
  redirectUri: string;
  codeChallenge: string;
  expiresAt: Date;
};

export const nextGrantId = async (db: Db): Promise<number> =>
  (await only(db.query(sql<{ id: number }>`select nextval('grant_ids') as id`))).id;

export const insertGrant = (ctx: Ctx, id: number, codeHash: Buffer, grant: NewGrant): void =>
  ctx.db.later(sql`
    insert into grants (restaurant_id, id, installation_id, app_id, scopes, redirect_uri, code_challenge, code_hash, code_expires_at, created_at)
    values (${ctx.tenant.id}, ${id}, ${grant.installationId}, ${grant.appId}, ${grant.scopes}, ${grant.redirectUri}, ${grant.codeChallenge},
      ${codeHash}, ${grant.expiresAt}, ${ctx.now})`);

export type AccessToken = { hash: Buffer; lastCharacters: string; scopes: Scope[]; expiresAt: Date };

export const insertAccessToken = async (ctx: Ctx, grant: GrantRow, appName: string, token: AccessToken): Promise<number> =>
  (
    await only(
      ctx.db.query(sql<{ id: number }>`
        insert into tokens (restaurant_id, kind, name, hash, last_characters, scopes, expires_at, created_by, created_by_person_id,
          created_by_email, created_at, installation_id)
        select ${ctx.tenant.id}, 'oauth', ${appName}, ${token.hash}, ${token.lastCharacters}, ${token.scopes}, ${token.expiresAt},
          i.granted_by, i.granted_by_person_id, i.granted_by_email, ${ctx.now}, i.id
        from installations i where i.restaurant_id = ${ctx.tenant.id} and i.id = ${grant.installation_id} returning id`),
    )
  ).id;

/** A new secret in the same row: the one before it is refused from the next request on. */
export const replaceAccessToken = (ctx: Ctx, tokenId: number, token: AccessToken): void =>
  ctx.db.later(sql`
    update tokens set hash = ${token.hash}, last_characters = ${token.lastCharacters}, scopes = ${token.scopes}, expires_at = ${token.expiresAt}
    where restaurant_id = ${ctx.tenant.id} and id = ${tokenId} and kind = 'oauth' and revoked_at is null`);

export const useCode = (ctx: Ctx, grantId: number, given: { tokenId: number; refreshHash: Buffer; refreshExpiresAt: Date }): void =>
  ctx.db.later(sql`
    update grants set code_used_at = ${ctx.now}, token_id = ${given.tokenId}, refresh_hash = ${given.refreshHash},
      refresh_expires_at = ${given.refreshExpiresAt}
    where restaurant_id = ${ctx.tenant.id} and id = ${grantId} and code_used_at is null`);

export const rotateRefresh = (
  ctx: Ctx,
  grantId: number,
  given: { refreshHash: Buffer; refreshExpiresAt: Date; generation: number; rotations: Date[] },
): void =>
  ctx.db.later(sql`
    update grants set refresh_hash = ${given.refreshHash}, refresh_expires_at = ${given.refreshExpiresAt},
      generation = ${given.generation}, recent_rotations = ${given.rotations}::timestamptz[]
    where restaurant_id = ${ctx.tenant.id} and id = ${grantId} and generation = ${given.generation - 1}`);

export const endGrant = (ctx: Ctx, grant: Pick<GrantRow, "id" | "token_id">): void => {
  ctx.db.later(
    sql`update grants set ended_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = ${grant.id} and ended_at is null`,
  );
  if (grant.token_id !== null)
    ctx.db.later(sql`update tokens set revoked_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and id = ${grant.token_id} and revoked_at is null`);
};

/** An access token goes alone: its time is over by any clock, and a refresh gives the grant another. Only the app's own. */
export const expireAccessToken = (ctx: Ctx, appId: number, token: { id: number; hash: Buffer }): void =>
  ctx.db.later(sql`
    update tokens t set expires_at = 'epoch' from installations i
    where t.restaurant_id = ${ctx.tenant.id} and t.id = ${token.id} and t.kind = 'oauth' and t.hash = ${token.hash} and t.expires_at > ${ctx.now}
      and i.restaurant_id = t.restaurant_id and i.id = t.installation_id and i.app_id = ${appId}`);

export type InstallationRow = {
  id: number;
  app_id: number;
  scopes: Scope[];
  granted_by: string;
  granted_by_email: string | null;
  granted_at: Date;
  token_ids: number[];
  last_used_at: Date | null;
};

const INSTALLATION = sql`i.id, i.app_id, i.scopes, i.granted_by, i.granted_by_email, i.granted_at,
  array(select t.id from tokens t where t.restaurant_id = i.restaurant_id and t.installation_id = i.id order by t.id desc limit 100) as token_ids,
  (select max(t.last_used_at) from tokens t where t.restaurant_id = i.restaurant_id and t.installation_id = i.id) as last_used_at`;

export const listInstallationRows = (ctx: Pick<Ctx, "db" | "tenant">): Promise<InstallationRow[]> =>
  ctx.db.query(sql<InstallationRow>`
    select ${INSTALLATION} from installations i where i.restaurant_id = ${ctx.tenant.id} and i.uninstalled_at is null order by i.id limit 200`);

/** Allowed by this person, or an app of theirs that somebody else allowed. */
export const listInstallationsBy = (ctx: Ctx, person: Person): Promise<{ id: number; client_id: string; name: string }[]> =>
  ctx.db.query(sql<{ id: number; client_id: string; name: string }>`
    select i.id, a.client_id, a.name from installations i join apps a on a.id = i.app_id
    where i.restaurant_id = ${ctx.tenant.id} and i.uninstalled_at is null and (a.person_id = ${person.id}
      or ${madeBy(person, { columns: "i.granted_by", action: "app.installed", subject: sql`a.client_id` })}) order by i.id`);

/**
 * Two consents for one app at once come one after the other, also when neither finds it installed. Its key stays free: an exchange
 * that holds a grant refers to it, and would wait for a consent that waits for the grant.
 */
export const lockInstallationOf = async (ctx: Ctx, appId: number): Promise<{ id: number; scopes: Scope[] } | undefined> => {
  ctx.db.later(sql`select pg_advisory_xact_lock(hashtextextended(${`installation ${ctx.tenant.id} ${appId}`}, 0))`);
  return first(
    ctx.db.query(sql<{ id: number; scopes: Scope[] }>`
      select id, scopes from installations where restaurant_id = ${ctx.tenant.id} and app_id = ${appId} and uninstalled_at is null
      for no key update`),
  );
};

export const insertInstallation = async (ctx: Ctx, appId: number, scopes: Scope[]): Promise<number> => {
  const maker = makerOf(ctx.actor);
  return (
    await only(
      ctx.db.query(sql<{ id: number }>`
        insert into installations (restaurant_id, app_id, scopes, granted_by, granted_by_person_id, granted_by_email, granted_at, created_at)
        values (${ctx.tenant.id}, ${appId}, ${scopes}, ${maker.created_by}, ${maker.created_by_person_id}, ${maker.created_by_email},
          ${ctx.now}, ${ctx.now}) returning id`),
    )
  ).id;
};

/** Everything that was granted before is held to it as well: what an owner has just unticked ends at once. */
export const updateInstallation = (ctx: Ctx, id: number, scopes: Scope[]): void => {
  const maker = makerOf(ctx.actor);
  ctx.db.later(sql`update installations set scopes = ${scopes}, granted_by = ${maker.created_by},
      granted_by_person_id = ${maker.created_by_person_id}, granted_by_email = ${maker.created_by_email}, granted_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);
  const narrowed = sql`array(select unnest(scopes) intersect select unnest(${scopes}::text[]) order by 1)`;
  for (const table of ["grants", "tokens"] as const)
    ctx.db.later(sql`update ${sql.table(table)} set scopes = ${narrowed}
      where restaurant_id = ${ctx.tenant.id} and installation_id = ${id} and not scopes <@ ${scopes}::text[]`);
};

/** Undefined when it is not installed here. The row is the truth; its tokens and grants end with it. */
export const uninstall = async (ctx: Ctx, id: number): Promise<{ app_id: number; scopes: Scope[] } | undefined> => {
  const gone = await first(
    ctx.db.query(sql<{ app_id: number; scopes: Scope[] }>`
      update installations set uninstalled_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} and uninstalled_at is null returning app_id, scopes`),
  );
  if (!gone) return undefined;
  ctx.db.later(sql`update grants set ended_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${id} and ended_at is null`);
  ctx.db.later(sql`update tokens set revoked_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${id} and revoked_at is null`);
  return gone;
};

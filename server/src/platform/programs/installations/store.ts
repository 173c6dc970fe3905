import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { createdBy } from "#db/created-by.ts";
import { type Db, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { type AccountRef, creatorColumns } from "#lib/creator.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { GrantRow } from "./rules/grant-checks.ts";

/** Runs before the tenant is known, so it uses a database function that returns the restaurant only. */
export const findRestaurantOfGrant = async (db: Db, grantId: number): Promise<number | null> =>
  (await oneRow(db.query(sql<{ id: number | null }>`select restaurant_id_by_grant(${grantId}::bigint) as id`))).id;

const GRANT = sql`id, installation_id, app_id, scopes, redirect_uri, code_challenge, code_hash, code_expires_at, code_used_at, token_id,
  refresh_hash, refresh_expires_at, generation, recent_rotations, ended_at`;

/** Concurrent requests with one code or one refresh token run one after the other. */
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
  (await oneRow(db.query(sql<{ id: number }>`select nextval('grant_ids') as id`))).id;

export const insertGrant = (ctx: Ctx, id: number, codeHash: Buffer, grant: NewGrant): void =>
  ctx.db.defer(sql`
    insert into grants (restaurant_id, id, installation_id, app_id, scopes, redirect_uri, code_challenge, code_hash, code_expires_at, created_at)
    values (${ctx.tenant.id}, ${id}, ${grant.installationId}, ${grant.appId}, ${grant.scopes}, ${grant.redirectUri}, ${grant.codeChallenge},
      ${codeHash}, ${grant.expiresAt}, ${realNow(ctx)})`);

export const useCode = (ctx: Ctx, grantId: number, given: { tokenId: number; refreshHash: Buffer; refreshExpiresAt: Date }): void =>
  ctx.db.defer(sql`
    update grants set code_used_at = ${realNow(ctx)}, token_id = ${given.tokenId}, refresh_hash = ${given.refreshHash},
      refresh_expires_at = ${given.refreshExpiresAt}
    where restaurant_id = ${ctx.tenant.id} and id = ${grantId} and code_used_at is null`);

export const rotateRefresh = (
  ctx: Ctx,
  grantId: number,
  given: { refreshHash: Buffer; refreshExpiresAt: Date; generation: number; rotations: Date[] },
): void =>
  ctx.db.defer(sql`
    update grants set refresh_hash = ${given.refreshHash}, refresh_expires_at = ${given.refreshExpiresAt},
      generation = ${given.generation}, recent_rotations = ${given.rotations}::timestamptz[]
    where restaurant_id = ${ctx.tenant.id} and id = ${grantId} and generation = ${given.generation - 1}`);

export const endGrantRow = (ctx: Ctx, grant: Pick<GrantRow, "id">): void => {
  ctx.db.defer(
    sql`update grants set ended_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and id = ${grant.id} and ended_at is null`,
  );
};

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

/** Installations that the user allowed, and installations of apps that the user registered. */
export const listInstallationsOfUser = (ctx: Ctx, user: AccountRef): Promise<{ id: number; client_id: string; name: string }[]> =>
  ctx.db.query(sql<{ id: number; client_id: string; name: string }>`
    select i.id, a.client_id, a.name from installations i join apps a on a.id = i.app_id
    where i.restaurant_id = ${ctx.tenant.id} and i.uninstalled_at is null and (a.user_id = ${user.id}
      or ${createdBy(user, { columns: "i.granted_by", action: "app.installed", subject: sql`a.client_id` })}) order by i.id`);

/**
 * Concurrent consents for one app run one after the other, also when the app is not installed yet. `for no key update` leaves the
 * key free: an exchange locks a grant that references the installation, and a stronger lock could deadlock with it.
 */
export const lockInstallationOf = async (ctx: Ctx, appId: number): Promise<{ id: number; scopes: Scope[] } | undefined> => {
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`installation ${ctx.tenant.id} ${appId}`}, 0))`);
  return first(
    ctx.db.query(sql<{ id: number; scopes: Scope[] }>`
      select id, scopes from installations where restaurant_id = ${ctx.tenant.id} and app_id = ${appId} and uninstalled_at is null
      for no key update`),
  );
};

export const insertInstallation = async (ctx: Ctx, appId: number, scopes: Scope[]): Promise<number> => {
  const maker = creatorColumns(ctx.actor);
  return (
    await oneRow(
      ctx.db.query(sql<{ id: number }>`
        insert into installations (restaurant_id, app_id, scopes, granted_by, granted_by_user_id, granted_by_email, granted_at, created_at)
        values (${ctx.tenant.id}, ${appId}, ${scopes}, ${maker.created_by}, ${maker.created_by_user_id}, ${maker.created_by_email},
          ${realNow(ctx)}, ${realNow(ctx)}) returning id`),
    )
  ).id;
};

/** Removes the scopes that the owner took back from earlier grants too. */
export const updateInstallationAndGrants = (ctx: Ctx, id: number, scopes: Scope[]): void => {
  const maker = creatorColumns(ctx.actor);
  ctx.db.defer(sql`update installations set scopes = ${scopes}, granted_by = ${maker.created_by},
      granted_by_user_id = ${maker.created_by_user_id}, granted_by_email = ${maker.created_by_email}, granted_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);
  ctx.db.defer(sql`update grants set scopes = array(select unnest(scopes) intersect select unnest(${scopes}::text[]) order by 1)
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${id} and not scopes <@ ${scopes}::text[]`);
};

/** Ends its grants too. Undefined when it is not installed here. */
export const endInstallation = async (ctx: Ctx, id: number): Promise<{ app_id: number; scopes: Scope[] } | undefined> => {
  const removed = await first(
    ctx.db.query(sql<{ app_id: number; scopes: Scope[] }>`
      update installations set uninstalled_at = ${realNow(ctx)}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} and uninstalled_at is null returning app_id, scopes`),
  );
  if (!removed) return undefined;
  ctx.db.defer(sql`update grants set ended_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${id} and ended_at is null`);
  return removed;
};

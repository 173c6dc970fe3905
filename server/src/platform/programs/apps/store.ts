/** The app registry has no tenant. Statements filter by app, and those that change one also by its developer. */
import type { AppForm } from "@comanda/contract/console/apps.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { first, oneRow, type Row } from "#db/query.ts";
import type { GlobalContext, WithDb } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type AppRow = Omit<Row<"apps">, "updated_at" | "scopes"> & { scopes: Scope[] };

const APP =
  sql.raw(`id, client_id, user_id, name, developer, summary, site, install_url, logo, redirect_uris, scopes, listed_at, withdrawn_at,
  created_at`);

export const findAppByClient = ({ db }: WithDb, clientId: string): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where client_id = ${clientId} and withdrawn_at is null`));

export const findApps = ({ db }: WithDb, ids: readonly number[]): Promise<AppRow[]> =>
  db.query(sql<AppRow>`select ${APP} from apps where id = any(${ids}::bigint[])`);

export type OAuthClient = { id: number; name: string; hashes: Buffer[] };

/** The app and the hashes of its valid secrets in one query. */
export const findClient = ({ db }: WithDb, clientId: string, now: Date): Promise<OAuthClient | undefined> =>
  first(
    db.query(sql<OAuthClient>`
      select a.id, a.name, array(select s.hash from app_secrets s
        where s.app_id = a.id and (s.expires_at is null or s.expires_at > ${now})) as hashes
      from apps a where a.client_id = ${clientId} and a.withdrawn_at is null`),
  );

export type AppSecretRow = { app_id: number; last_characters: string; created_at: Date; expires_at: Date | null };
export type OwnAppRow = AppRow & { installations: number };

export const listAppsOf = ({ db }: WithDb, userId: number): Promise<OwnAppRow[]> =>
  db.query(sql<OwnAppRow>`
    select ${APP}, count_installations(id) as installations from apps
    where user_id = ${userId} and withdrawn_at is null order by id limit 100`);

export const listAllApps = ({ db }: WithDb, rowCount: number): Promise<OwnAppRow[]> =>
  db.query(sql<OwnAppRow>`select ${APP}, count_installations(id) as installations from apps order by id limit ${rowCount}::integer`);

export const listSecrets = ({ db }: WithDb, appIds: readonly number[], now: Date): Promise<AppSecretRow[]> =>
  db.query(sql<AppSecretRow>`
    select app_id, last_characters, created_at, expires_at from app_secrets
    where app_id = any(${appIds}::bigint[]) and (expires_at is null or expires_at > ${now}) order by id`);

export const listCatalogueApps = ({ db }: WithDb, rowCount: number): Promise<AppRow[]> =>
  db.query(sql<AppRow>`
    select ${APP} from apps where listed_at is not null and withdrawn_at is null and install_url is not null
    order by name, id limit ${rowCount}::integer`);

/** The operator reviews each app before it is listed, so the list stays short enough to compare with all of it. */
export const listCatalogueNames = ({ db }: WithDb): Promise<{ id: number; user_id: number | null; name: string }[]> =>
  db.query(sql<{ id: number; user_id: number | null; name: string }>`
    select id, user_id, name from apps where listed_at is not null and withdrawn_at is null`);

/** Concurrent listings run one after the other, so that each is compared with the one before. */
export const lockCatalogue = (ctx: GlobalContext): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended('app catalogue', 0))`);

export const countAppsOf = async ({ db }: WithDb, userId: number): Promise<number> => {
  const { count } = await oneRow(
    db.query(sql<{ count: number }>`select count(*)::integer as count from apps where user_id = ${userId} and withdrawn_at is null`),
  );
  return count;
};

export const insertApp = async (ctx: GlobalContext, clientId: string, userId: number | null, form: AppForm): Promise<number> => {
  const { id } = await oneRow(
    ctx.db.query(sql<{ id: number }>`
      insert into apps (client_id, user_id, name, developer, summary, site, install_url, logo, redirect_uris, scopes, created_at, updated_at)
      values (${clientId}, ${userId}, ${form.name}, ${form.developer}, ${form.summary}, ${form.site}, ${form.install_url}, ${form.logo},
        ${form.redirect_uris}, ${form.scopes}, ${realNow(ctx)}, ${realNow(ctx)}) returning id`),
  );
  return id;
};

/** Undefined when the user has no such app. The operator reviewed what the catalogue shows: a change of it, or a new scope, unlists the app. */
export const updateApp = (ctx: GlobalContext, id: number, userId: number, form: AppForm): Promise<{ id: number } | undefined> =>
  first(
    ctx.db.query(sql<{ id: number }>`
      update apps set name = ${form.name}, developer = ${form.developer}, summary = ${form.summary}, site = ${form.site},
        install_url = ${form.install_url}, logo = ${form.logo}, redirect_uris = ${form.redirect_uris}, scopes = ${form.scopes},
        listed_at = case when (name, developer, summary, site, coalesce(install_url, ''), coalesce(logo, ''))
            = (${form.name}, ${form.developer}, ${form.summary}, ${form.site}, ${form.install_url ?? ""}, ${form.logo ?? ""})
          and scopes @> ${form.scopes}::text[] then listed_at end, updated_at = ${realNow(ctx)}
      where id = ${id} and user_id = ${userId} and withdrawn_at is null returning id`),
  );

/** A shared lock: the app cannot be changed or withdrawn during a consent, and several owners can consent at once. */
export const lockAppShared = ({ db }: WithDb, id: number): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where id = ${id} for share`));

/** Concurrent changes of the app's secrets run one after the other. */
export const lockAppExclusive = ({ db }: WithDb, id: number): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where id = ${id} and withdrawn_at is null for update`));

export const insertSecret = (ctx: GlobalContext, appId: number, hash: Buffer, lastCharacters: string): void =>
  ctx.db.defer(sql`insert into app_secrets (app_id, hash, last_characters, created_at)
    values (${appId}, ${hash}, ${lastCharacters}, ${realNow(ctx)})`);

export const endSecrets = (ctx: GlobalContext, appId: number, endsAt: Date): void =>
  ctx.db.defer(sql`update app_secrets set expires_at = ${endsAt}
    where app_id = ${appId} and (expires_at is null or expires_at > ${endsAt})`);

export const setListed = (ctx: GlobalContext, appId: number, listedAt: Date | null): void =>
  ctx.db.defer(sql`update apps set listed_at = ${listedAt}, updated_at = ${realNow(ctx)} where id = ${appId}`);

/** Returns the number of venues that it was uninstalled from. */
export const withdraw = async (ctx: GlobalContext, appId: number): Promise<number> =>
  (await oneRow(ctx.db.query(sql<{ ended: number }>`select withdraw_app(${appId}, ${realNow(ctx)}) as ended`))).ended;

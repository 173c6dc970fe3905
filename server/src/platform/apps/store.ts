/** The registry belongs to no venue: these statements name an app, and whoever changes one names its developer as well. */
import type { AppForm } from "@comanda/contract/console-apps.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { first, only } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";

type Reader = Pick<HouseCtx, "db">;

export type AppRow = {
  id: number;
  client_id: string;
  person_id: number | null;
  name: string;
  developer: string;
  summary: string;
  site: string;
  install_url: string | null;
  logo: string | null;
  redirect_uris: string[];
  scopes: Scope[];
  listed_at: Date | null;
  withdrawn_at: Date | null;
  created_at: Date;
};

const COLUMNS = [
  "id",
  "client_id",
  "person_id",
  "name",
  "developer",
  "summary",
  "site",
  "install_url",
  "logo",
  "redirect_uris",
  "scopes",
  "listed_at",
  "withdrawn_at",
  "created_at",
] as const;
const APP = sql.join(COLUMNS.map((column) => sql.ref(column)));

export const findAppByClient = ({ db }: Reader, clientId: string): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where client_id = ${clientId} and withdrawn_at is null`));

export const findApps = ({ db }: Reader, ids: readonly number[]): Promise<AppRow[]> =>
  db.query(sql<AppRow>`select ${APP} from apps where id = any(${ids}::bigint[])`);

export type Client = { id: number; name: string; hashes: Buffer[] };

/** The app and the hashes of its secrets that are good now, in one look-up. */
export const findClient = ({ db }: Reader, clientId: string, now: Date): Promise<Client | undefined> =>
  first(
    db.query(sql<Client>`
      select a.id, a.name, array(select s.hash from app_secrets s
        where s.app_id = a.id and (s.expires_at is null or s.expires_at > ${now})) as hashes
      from apps a where a.client_id = ${clientId} and a.withdrawn_at is null`),
  );

export type SecretRow = { app_id: number; last_characters: string; created_at: Date; expires_at: Date | null };
export type OwnAppRow = AppRow & { installations: number };

export const listAppsOf = ({ db }: Reader, personId: number): Promise<OwnAppRow[]> =>
  db.query(sql<OwnAppRow>`
    select ${APP}, count_installations(id) as installations from apps
    where person_id = ${personId} and withdrawn_at is null order by id limit 100`);

export const listAllApps = ({ db }: Reader, rowCount: number): Promise<OwnAppRow[]> =>
  db.query(sql<OwnAppRow>`select ${APP}, count_installations(id) as installations from apps order by id limit ${rowCount}::integer`);

export const listSecrets = ({ db }: Reader, appIds: readonly number[], now: Date): Promise<SecretRow[]> =>
  db.query(sql<SecretRow>`
    select app_id, last_characters, created_at, expires_at from app_secrets
    where app_id = any(${appIds}::bigint[]) and (expires_at is null or expires_at > ${now}) order by id`);

export const listListed = ({ db }: Reader, rowCount: number): Promise<AppRow[]> =>
  db.query(sql<AppRow>`
    select ${APP} from apps where listed_at is not null and withdrawn_at is null and install_url is not null
    order by name, id limit ${rowCount}::integer`);

/** The operator looks at each before it is listed, so there are never so many that a comparison with all of them is slow. */
export const listListedNames = ({ db }: Reader): Promise<{ id: number; person_id: number | null; name: string }[]> =>
  db.query(sql<{ id: number; person_id: number | null; name: string }>`
    select id, person_id, name from apps where listed_at is not null and withdrawn_at is null`);

/** Two that are put into the catalogue at once are compared one after the other. */
export const lockCatalogue = (ctx: HouseCtx): void => ctx.db.later(sql`select pg_advisory_xact_lock(hashtextextended('app catalogue', 0))`);

/** Two registrations of one person at once come one after the other, so that the limit holds. */
export const countAppsOf = async ({ db }: Reader, personId: number): Promise<number> => {
  const [, { count }] = await Promise.all([
    db.query(sql`select id from people where id = ${personId} for update`),
    only(
      db.query(sql<{ count: number }>`select count(*)::integer as count from apps where person_id = ${personId} and withdrawn_at is null`),
    ),
  ]);
  return count;
};

export const insertApp = async (ctx: HouseCtx, clientId: string, personId: number | null, form: AppForm): Promise<number> => {
  const { id } = await only(
    ctx.db.query(sql<{ id: number }>`
      insert into apps (client_id, person_id, name, developer, summary, site, install_url, logo, redirect_uris, scopes, created_at, updated_at)
      values (${clientId}, ${personId}, ${form.name}, ${form.developer}, ${form.summary}, ${form.site}, ${form.install_url}, ${form.logo},
        ${form.redirect_uris}, ${form.scopes}, ${ctx.now}, ${ctx.now}) returning id`),
  );
  return id;
};

/** Undefined when it is not theirs, or is gone. What the catalogue shows, and where it leads, was looked at: once it is different, or wider, it is out again. */
export const updateApp = (ctx: HouseCtx, id: number, personId: number, form: AppForm): Promise<{ id: number } | undefined> =>
  first(
    ctx.db.query(sql<{ id: number }>`
      update apps set name = ${form.name}, developer = ${form.developer}, summary = ${form.summary}, site = ${form.site},
        install_url = ${form.install_url}, logo = ${form.logo}, redirect_uris = ${form.redirect_uris}, scopes = ${form.scopes},
        listed_at = case when (name, developer, summary, site, coalesce(install_url, ''), coalesce(logo, ''))
            = (${form.name}, ${form.developer}, ${form.summary}, ${form.site}, ${form.install_url ?? ""}, ${form.logo ?? ""})
          and scopes @> ${form.scopes}::text[] then listed_at end, updated_at = ${ctx.now}
      where id = ${id} and person_id = ${personId} and withdrawn_at is null returning id`),
  );

/** Nobody changes or withdraws it while an owner's yes is written down; many owners may say yes at once. */
export const holdApp = ({ db }: Reader, id: number): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where id = ${id} for share`));

/** Locked, so that two who roll its secret come one after the other. */
export const lockApp = ({ db }: Reader, id: number): Promise<AppRow | undefined> =>
  first(db.query(sql<AppRow>`select ${APP} from apps where id = ${id} and withdrawn_at is null for update`));

export const insertSecret = (ctx: HouseCtx, appId: number, hash: Buffer, lastCharacters: string): void =>
  ctx.db.later(sql`insert into app_secrets (app_id, hash, last_characters, created_at)
    values (${appId}, ${hash}, ${lastCharacters}, ${ctx.now})`);

export const endSecrets = (ctx: HouseCtx, appId: number, endsAt: Date): void =>
  ctx.db.later(sql`update app_secrets set expires_at = ${endsAt}
    where app_id = ${appId} and (expires_at is null or expires_at > ${endsAt})`);

export const setListed = (ctx: HouseCtx, appId: number, listedAt: Date | null): void =>
  ctx.db.later(sql`update apps set listed_at = ${listedAt}, updated_at = ${ctx.now} where id = ${appId}`);

/** How many venues it was taken out of. */
export const withdraw = async (ctx: HouseCtx, appId: number): Promise<number> =>
  (await only(ctx.db.query(sql<{ ended: number }>`select withdraw_app(${appId}, ${ctx.now}) as ended`))).ended;

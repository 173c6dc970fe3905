/** Creates the two roles and a database on a server that the caller administers: for `npm run dev` and for tests. */
import pg from "pg";
import { APP_ROLE } from "./migrate.ts";

/** The owner of the schema, and a member of the role to which the schema grants its privileges. */
export type Logins = { owner: string; app: string; password: string };

export type DatabaseUrls = { appUrl: string; ownerUrl: string };

const withAdmin = async <T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Roles belong to the whole server. The lock serializes concurrent set-ups. */
export const ensureRoles = (adminUrl: string, { owner, app, password }: Logins): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    await client.query("select pg_advisory_lock(7262663202)");
    const ensure = async (role: string, attributes: string): Promise<void> => {
      const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
      await client.query(`${rowCount === 0 ? "create" : "alter"} role ${role} nosuperuser ${attributes}`);
    };
    const login = `login password ${pg.escapeLiteral(password)}`;
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [APP_ROLE]);
    if (rowCount === 0) await client.query(`create role ${APP_ROLE} nologin nosuperuser nobypassrls`);
    await ensure(owner, `bypassrls ${login}`);
    await ensure(app, `nobypassrls ${login}`);
    if (app !== APP_ROLE) await client.query(`grant ${APP_ROLE} to ${app}`);
  });

export const createDatabase = (adminUrl: string, name: string, owner: string, template = "template0"): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    await client.query(`create database ${pg.escapeIdentifier(name)} owner ${owner} template ${pg.escapeIdentifier(template)}`);
  });

export const databaseExists = (adminUrl: string, name: string): Promise<boolean> =>
  withAdmin(adminUrl, async (client) => (await client.query("select from pg_database where datname = $1", [name])).rowCount === 1);

export const dropDatabase = (adminUrl: string, name: string): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
  });

export const urlsFor = (adminUrl: string, name: string, { owner, app, password }: Logins): DatabaseUrls => {
  const as = (role: string) => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    url.pathname = `/${name}`;
    return url.href;
  };
  return { appUrl: as(app), ownerUrl: as(owner) };
};

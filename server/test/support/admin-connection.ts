/** The administrator of the test's server, for what not even the owner may do. */
import pg from "pg";

export const asAdmin = async (adminUrl: string, database: string): Promise<pg.Client> => {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href, options: "-c search_path=app" });
  await client.connect();
  return client;
};

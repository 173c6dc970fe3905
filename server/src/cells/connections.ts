/** The two databases of a move, as the owners of their schemas, and whether they fit together. */
import pg from "pg";
import { Misuse } from "#lib/errors.ts";

/**
 * Rows are compared as texts, so both sides write them the same way. Nothing is compiled: each statement is run a few times and on
 * few rows, and PostgreSQL, which goes by the costs, would spend seconds of the pause on it.
 */
const OPTIONS =
  "-c search_path=app -c timezone=UTC -c datestyle=ISO,YMD -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex -c jit=off -c lock_timeout=10000";

export const connectTo = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, options: OPTIONS, keepAlive: true, application_name: "comanda venue move" });
  // A lost connection fails the statement that is under way; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
};

type About = { cell: number; schema: string; able: boolean };

const readAbout = async (client: pg.Client): Promise<About> => {
  const { rows } = await client.query<About>(
    `select (select number from app.cell) as cell,
       (select string_agg(name || ' ' || checksum, ',' order by name) from app.migrations) || (select version from jobs.version) as schema,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as able`,
  );
  return rows[0] as About;
};

/** The numbers of both cells. */
export const checkFit = async (from: pg.Client, to: pg.Client): Promise<{ here: number; there: number }> => {
  const [here, there] = [await readAbout(from), await readAbout(to)];
  if (!here.able || !there.able)
    throw new Misuse("A move reads past the wall between tenants: give it the owner of the schema in both cells.");
  if (here.cell === there.cell) throw new Misuse(`Both addresses are of cell ${here.cell}.`);
  if (here.schema !== there.schema) throw new Misuse("The two cells are not of the same version: migrate both first.");
  return { here: here.cell, there: there.cell };
};

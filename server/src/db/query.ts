/** Statements are written with Kysely or by hand, and sent as named prepared statements: half the cost of unnamed ones. */
import { createHash } from "node:crypto";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
} from "kysely";
import type { Tables } from "./tables.generated.ts";

/** Builds statements only; they are run through a `Db`, which knows its tenant. */
export const q = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export type Statement<Row> = { compile(executors: QueryExecutorProvider): CompiledQuery<Row> };

/** A door to the database for one tenant: inside a transaction, or one statement at a time. */
export type Db = {
  /** Statements asked for side by side (`Promise.all`) travel together and run in that order. */
  query<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** A change whose result nobody needs: sent now, awaited with the commit, so it costs no round trip of its own. */
  later(statement: Statement<unknown>): void;
};

export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0];

/** For a statement that always has exactly one row, such as an insert with `returning`. */
export const only = async <Row>(rows: Promise<Row[]>): Promise<Row> => {
  const [row] = await rows;
  if (row === undefined) throw new Error("A statement that must return a row returned none");
  return row;
};

type Place = { at: number };
const isPlace = (value: unknown, places: readonly Place[]): value is Place => places.includes(value as Place);

/**
 * A statement whose text is always the same: it is written and compiled once, with a place for each value, and afterwards only
 * the values are filled in. For what is asked with every request; compiling takes longer than sending.
 */
export const standing = <Values extends unknown[], Row>(
  write: (...values: Values) => Statement<Row>,
): ((...values: Values) => Statement<Row>) => {
  let written: CompiledQuery<Row> | null = null;
  const writeOnce = (): CompiledQuery<Row> => {
    const places = Array.from({ length: write.length }, (_, at): Place => ({ at }));
    const { parameters, ...compiled } = write(...(places as unknown as Values)).compile(q);
    const stray = parameters.find((value) => typeof value === "object" && value !== null && !isPlace(value, places));
    if (stray !== undefined) throw new TypeError("A value of a standing statement was changed on its way into it");
    return { ...compiled, parameters };
  };
  return (...values) => ({
    compile: () => {
      written ??= writeOnce();
      const parameters = written.parameters.map((value) =>
        typeof value === "object" && value !== null ? values[(value as Place).at] : value,
      );
      return { ...written, parameters };
    },
  });
};

const names = new Map<string, string>();

/** The same text always gets the same name, so each connection parses and plans it once. */
export const prepared = <Row>(statement: Statement<Row>): { name: string; text: string; values: unknown[] } => {
  const { sql, parameters } = statement.compile(q);
  let name = names.get(sql);
  if (name === undefined) {
    name = createHash("sha256").update(sql).digest("base64url").slice(0, 24);
    names.set(sql, name);
  }
  return { name, text: sql, values: parameters as unknown[] };
};

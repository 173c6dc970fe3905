/** Statements are built with Kysely or written as SQL, and sent as named prepared statements: half the cost of unnamed ones. */
import { createHash } from "node:crypto";
import type { NumberedArea } from "@comanda/contract/console/change-areas.ts";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type Selectable,
} from "kysely";
import type { Tables } from "./tables.generated.ts";

/** Builds statements. A `Db` runs them for its tenant. */
export const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** What a select returns for a row of this table. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type Statement<Row> = { compile(executors: QueryExecutorProvider): CompiledQuery<Row> };

/** A subject that a transaction changed, with the event that says so. */
export type RecordedChange = { area: NumberedArea; subject: string; eventId: string | null; at: Date };

/** One statement for all that a transaction added to it: the rows of one table, locked in the order of their keys. */
export type CommitWriter<Item> = { write(tenantId: number, items: readonly Item[]): Statement<unknown> | null };

/** Runs statements for one tenant: inside a transaction, or one at a time. */
export type Db = {
  /** Statements started together (`Promise.all`) share a round trip and run in that order. */
  query<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** A write whose result is not needed: sent now, awaited with the commit, so it costs no round trip. */
  defer(statement: Statement<unknown>): void;
  /** Collects what `writer` writes directly before the commit gives the venue's next number. */
  writeAtCommit<Item>(writer: CommitWriter<Item>, items: readonly Item[]): void;
  /** The commit gives it the venue's next number. */
  recordChange(change: RecordedChange): void;
  /** Undoes what failed in `work`, with the changes it recorded, and throws its error. The transaction goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
};

export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0];

/** The row of a statement that always returns exactly one, such as an insert with `returning`. */
export const oneRow = async <Row>(rows: Promise<Row[]>): Promise<Row> => {
  const [row] = await rows;
  if (row === undefined) throw new Error("A statement that must return a row returned none");
  return row;
};

type Placeholder = { at: number };
const isPlaceholder = (value: unknown, places: readonly Placeholder[]): value is Placeholder => places.includes(value as Placeholder);

/**
 * A statement whose text never changes: compiled once with a placeholder for each value, later calls only fill in the values. For
 * statements of every request, because compiling takes longer than sending.
 */
export const precompiled = <Values extends unknown[], Row>(
  write: (...values: Values) => Statement<Row>,
): ((...values: Values) => Statement<Row>) => {
  let written: CompiledQuery<Row> | null = null;
  const writeOnce = (): CompiledQuery<Row> => {
    const places = Array.from({ length: write.length }, (_, at): Placeholder => ({ at }));
    const { parameters, ...compiled } = write(...(places as unknown as Values)).compile(builder);
    const stray = parameters.find((value) => typeof value === "object" && value !== null && !isPlaceholder(value, places));
    if (stray !== undefined) throw new TypeError("A precompiled statement must use its values unchanged");
    return { ...compiled, parameters };
  };
  return (...values) => ({
    compile: () => {
      written ??= writeOnce();
      const parameters = written.parameters.map((value) =>
        typeof value === "object" && value !== null ? values[(value as Placeholder).at] : value,
      );
      return { ...written, parameters };
    },
  });
};

const names = new Map<string, string>();

/** Equal texts get equal names, so each connection parses and plans a statement once. */
export const prepared = <Row>(statement: Statement<Row>): { name: string; text: string; values: unknown[] } => {
  const { sql, parameters } = statement.compile(builder);
  let name = names.get(sql);
  if (name === undefined) {
    name = createHash("sha256").update(sql).digest("base64url").slice(0, 24);
    names.set(sql, name);
  }
  return { name, text: sql, values: parameters as unknown[] };
};

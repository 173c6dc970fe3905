/** The bare engine: pgbench with prepared statements, sending what the service sends and doing nothing with the answers. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RecordedStatement } from "./statement-recorder.ts";

const { prepareValue } = createRequire(import.meta.url)("pg/lib/utils.js") as { prepareValue(value: unknown): string | Buffer | null };

export const requirePgbench = (): void => {
  if (spawnSync("pgbench", ["--version"]).status !== 0)
    throw new Error("pgbench is not installed. It comes with PostgreSQL: on Debian, `apt-get install postgresql-contrib`.");
};

/** Writes the value as a literal. A colon would begin a variable of pgbench, so it is written as an escape. */
const literal = (value: unknown): string => {
  const plain = prepareValue(value);
  if (plain === null) return "null";
  if (Buffer.isBuffer(plain)) return `'\\x${plain.toString("hex")}'::bytea`;
  const escaped = plain.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\x3a");
  return escaped.includes("\\") ? `E'${escaped}'` : `'${escaped}'`;
};

const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A value of this run that must be another one each time, by what it is. */
const fresh = (value: unknown, variable: string): string => {
  if (Buffer.isBuffer(value)) return `decode(md5((:${variable})::text), 'hex')`;
  const text = `md5((:${variable})::text)`;
  return UUID.test(String(value)) ? `(${text})::uuid` : text;
};

/**
 * One request's statements as a script. `differs` says which values are new with every request (ids, keys): they become
 * random ones, the same value the same everywhere in the script.
 */
export const scriptOf = (sent: readonly RecordedStatement[], differs: (value: unknown) => boolean = () => false): string => {
  const variables = new Map<string, string>();
  const variableOf = (value: unknown): string => {
    const key = String(prepareValue(value));
    const variable = variables.get(key) ?? `v${variables.size}`;
    variables.set(key, variable);
    return fresh(value, variable);
  };
  /** A row, or several, travels as one JSON document: the new ids are inside it. */
  const documentOf = (document: string): string => {
    const ids = [...new Set(document.match(UUIDS) ?? [])].filter(differs);
    return ids.reduce((expression, id) => `replace(${expression}, '${id}', (${variableOf(id)})::text)`, literal(document));
  };
  const partOf = (value: unknown): string => {
    if (differs(value)) return variableOf(value);
    return typeof value === "string" && /^\[?\{"/.test(value) ? documentOf(value) : literal(value);
  };
  const sqlOf = ({ text, values }: RecordedStatement): string => {
    const parts = values.map(partOf);
    return text.replace(/\$(\d+)/g, (_match, place: string) => parts[Number(place) - 1] ?? "null").replace(/\s+/g, " ");
  };
  const statements = sent.flatMap((one) => (one.values.length === 0 ? one.text.split(";") : [sqlOf(one)])).map((text) => text.trim());
  const sets = [...variables.values()].map((name) => `\\set ${name} random(1, 9000000000000000)`);
  return `${[...sets, ...statements.filter(Boolean).map((text) => `${text.replace(/\s+/g, " ")};`)].join("\n")}\n`;
};

export type Pgbench = { perSecond(seconds: number): Promise<number> };

/** The transactions of each client in the first round of a short form. */
const FIRST_TRANSACTIONS = 5;

/** Several scripts are chosen from at random: one for each venue, so that they do not all wait for one row. */
export const openPgbench = (url: string, scripts: readonly string[], clients: number): Pgbench => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-pgbench-"));
  const files = scripts.map((script, index) => {
    const file = join(folder, `${index}.sql`);
    writeFileSync(file, script);
    return file;
  });
  let rate = 0;
  /** pgbench knows whole seconds only. A shorter round is a number of transactions, as many as fit into it by the rate of the one before. */
  const lengthOf = (seconds: number): string[] => {
    if (Number.isInteger(seconds)) return ["-T", String(seconds)];
    return ["-t", String(Math.max(FIRST_TRANSACTIONS, Math.round((rate * seconds) / clients)))];
  };
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    async perSecond(seconds) {
      const parameters = [
        "-n",
        "-M",
        "prepared",
        "-c",
        String(clients),
        "-j",
        "2",
        ...lengthOf(seconds),
        ...files.flatMap((file) => ["-f", file]),
      ];
      const env = {
        ...process.env,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: pathname.slice(1),
        PGOPTIONS: "-c search_path=app -c timezone=UTC",
      };
      const { stdout, stderr } = await promisify(execFile)("pgbench", parameters, { env, maxBuffer: 1 << 24 });
      rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
      if (!(rate > 0) || /aborted|ERROR/.test(stderr)) throw new Error(`pgbench failed:\n${stderr.slice(0, 2000)}${stdout.slice(-500)}`);
      return rate;
    },
  };
};

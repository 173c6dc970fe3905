import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { print, printDatabase } from "@comanda/server/admin/print.ts";
import { readMigrationConfig } from "@comanda/server/config.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type { Command } from "commander";
import { assertNotCopy, connectTo } from "./connections.ts";
import { parseCell, writeProxyFiles } from "./proxy-config.ts";
import { readMovedLines } from "./proxy-map.ts";

type ConfigOptions = {
  cell: string[];
  bind: string;
  default?: string;
  out: string;
  folder?: string;
  certificate?: string;
  socket?: string;
};

const collect = (value: string, before: string[]): string[] => [...before, value];

export const addProxyCommands = (program: Command): void => {
  const proxy = program.command("proxy").description("the proxy in front of several cells");
  proxy
    .command("config")
    .description("write what HAProxy needs to route each token to its cell")
    .option("--cell <number=host:port[/opsport]>", "a process of a cell, and its OPS_PORT if that is not 4001; once for each", collect, [])
    .option("--bind <address>", "where the proxy listens", "127.0.0.1:8080")
    .option("--default <number>", "the cell for requests that name none; the first one given without it")
    .requiredOption("--out <folder>", "write haproxy.cfg and its maps here; a moved.map that is there stays")
    .option("--folder <path>", "where the proxy finds the maps, if not there")
    .option("--certificate <file>", "PEM with certificate and key: listen for TLS")
    .option("--socket <path>", "where the proxy takes commands, for `venue move --proxy`")
    .action(writeConfig);
  proxy
    .command("map")
    .description("the lines of moved.map for venues that came to this cell; those of all cells together are the whole file")
    .action(async () => {
      const { url } = readMigrationConfig(process.env);
      if (url === null) throw new UserError("MIGRATION_DATABASE_URL is missing: the list goes over all venues of the cell.");
      printDatabase(url);
      const client = await connectTo(url);
      try {
        await assertNotCopy(client);
        for (const line of await readMovedLines(client)) print(false, null, () => line);
      } finally {
        await client.end();
      }
    });
};

const writeConfig = ({ cell, bind, default: chosen, out, folder, certificate, socket }: ConfigOptions): void => {
  const cells = cell.map(parseCell);
  const [first] = cells;
  if (!first) throw new UserError("Name at least one cell: --cell 0=127.0.0.1:4000.");
  const files = writeProxyFiles({
    cells,
    bind,
    defaultCell: chosen === undefined ? first.number : Number(chosen),
    // The proxy may be started anywhere, and `venue move` writes the list from anywhere.
    folder: folder ?? resolve(out),
    certificate: certificate ?? null,
    socket: socket ?? null,
  });
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeUnlessKept(join(out, name), text);
  print(false, null, () => `Written to ${out}. Look at it with: haproxy -c -f ${join(out, "haproxy.cfg")}`);
};

/** A list of moved venues is never emptied by writing the configuration again. */
const writeUnlessKept = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: text === "" ? "wx" : "w" });
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
};

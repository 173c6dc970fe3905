/** What the proxy must know besides arithmetic: which numbers are in a cell that they do not name. */
import { randomBytes } from "node:crypto";
import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { UserError } from "@comanda/server/lib/errors.ts";
import { writeGrantNumber } from "@comanda/server/platform/programs/installations/rules/grant-secrets.ts";
import type pg from "pg";
import type { IdLocations } from "./move-session.ts";
import { CELL_COUNT, MOVED_MAP } from "./proxy-config.ts";

type MapEntry = { key: string; cell: number; isAway: boolean };

const entriesOf = ({ cell, venues, tokens, grants }: IdLocations): MapEntry[] => [
  ...venues.map((id) => ({ key: `venue:${id}`, cell, isAway: id % CELL_COUNT !== cell })),
  ...tokens.map((id) => ({ key: `token:${id}`, cell, isAway: id % CELL_COUNT !== cell })),
  ...grants.map((id) => ({ key: `grant:${writeGrantNumber(id)}`, cell, isAway: id % CELL_COUNT !== cell })),
];

export const mapLines = (homes: IdLocations): string[] =>
  entriesOf(homes).flatMap(({ key, cell, isAway }) => (isAway ? [`${key} ${cell}`] : []));

/** Every number that is in this cell and names another. The lines of all cells together are the whole map, always. */
export const readMovedLines = async (client: pg.ClientBase): Promise<string[]> => {
  const read = async (table: "restaurants" | "tokens" | "grants"): Promise<number[]> => {
    const venue = table === "restaurants" ? "id" : "restaurant_id";
    const { rows } = await client.query<{ id: string }>(
      `select t.id from app.${table} t where t.id % ${CELL_COUNT} <> (select number from app.cell)
         and not exists (select from app.venue_moves m where m.restaurant_id = t.${venue} and m.phase in ('moved', 'arriving')) order by t.id`,
    );
    return rows.map(({ id }) => Number(id));
  };
  const { rows } = await client.query<{ number: number }>("select number from app.cell");
  return mapLines({
    cell: rows[0]?.number ?? 0,
    venues: await read("restaurants"),
    tokens: await read("tokens"),
    grants: await read("grants"),
  });
};

/** One command, as the proxy's own socket takes it; an empty answer is success. */
const sendCommand = (socket: string, command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const line = connect(socket, () => line.end(`${command}\n`));
    line.on("data", (part) => (answer += part.toString()));
    line.once("error", reject);
    line.once("close", () => resolve(answer.trim()));
  });

/** A proxy that runs here: the socket where it takes commands, and the list from which it starts. */
export type RunningProxy = { socket: string; file: string; mapName: string };

/** `socket`, or `socket=file` where the list lies elsewhere than the proxy itself sees it. Checked before the move starts: a proxy whose list cannot be written loses the entry with its next reload. */
export const openProxy = async (text: string): Promise<RunningProxy> => {
  const [socket = "", given] = text.split("=");
  const shown = await sendCommand(socket, "show map").catch((error: Error) => {
    throw new UserError(`The proxy at ${socket} does not answer: ${error.message}.`);
  });
  const maps = shown.split("\n").flatMap((line) => /\((.*)\)/.exec(line)?.[1] ?? []);
  const mapName = maps.find((path) => path.endsWith(`/${MOVED_MAP}`));
  if (mapName === undefined) throw new UserError(`The proxy at ${socket} knows no ${MOVED_MAP}, but: ${maps.join(", ")}.`);
  const file = given ?? mapName;
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new UserError(
      `${file}, the list of the proxy at ${socket}, cannot be written (${(error as { code?: string }).code}): with its next reload the proxy would lose the entry. Run this where the proxy runs, as a user who may write there, or name the file: --proxy ${socket}=FILE.`,
    );
  }
  return { socket, file, mapName };
};

/** What the running proxy goes by: key and cell. */
const readMap = async ({ socket, mapName }: RunningProxy): Promise<Map<string, string>> => {
  const lines = (await sendCommand(socket, `show map ${mapName}`)).split("\n");
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, key, cell] = /^\S+ (\S+) (\S+)$/.exec(line) ?? [];
      return key === undefined || cell === undefined ? [] : [[key, cell]];
    }),
  );
};

const linesOf = (map: Map<string, string>): string => [...map].map(([key, cell]) => `${key} ${cell}\n`).join("");

/** Replaces the list in one step: a proxy that starts meanwhile reads the list from before or the one from after. */
const replaceFile = (file: string, text: string): void => {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, text, { mode: statSync(file).mode });
  renameSync(draft, file);
};

/**
 * Changes the map of a running proxy, without a restart, and the list from which it starts. The list comes first: a reload between the two
 * then knows of the move as well. Another command may change the map of this proxy for another venue, so both are compared until they
 * agree.
 */
export const updateProxy = async (proxy: RunningProxy, homes: IdLocations): Promise<void> => {
  const { socket, file, mapName } = proxy;
  const entries = entriesOf(homes);
  const known = await readMap(proxy);
  for (const { key, cell, isAway } of entries) {
    if (isAway) known.set(key, String(cell));
    else known.delete(key);
  }
  replaceFile(file, linesOf(known));
  for (const { key, cell, isAway } of entries) {
    if (!isAway) {
      await sendCommand(socket, `del map ${mapName} ${key}`);
      continue;
    }
    // Changed in place where it is there already, so that there is no moment without it.
    if ((await sendCommand(socket, `set map ${mapName} ${key} ${cell}`)) !== "")
      await sendCommand(socket, `add map ${mapName} ${key} ${cell}`);
  }
  for (let attempt = 0; attempt < COMPARISONS_MAX; attempt++) {
    const current = linesOf(await readMap(proxy));
    if (current === readFileSync(file, "utf8")) return;
    replaceFile(file, current);
  }
  throw new Error(`${file} does not become what the proxy at ${socket} goes by: write it with \`comanda-admin proxy map\``);
};

const COMPARISONS_MAX = 100;

/** What the proxy must know besides arithmetic: which numbers live in a cell that they do not name. */
import { connect } from "node:net";
import type pg from "pg";
import { writeGrantNumber } from "#platform/installations/rules.ts";
import type { Homes } from "./move.ts";
import { CELL_COUNT, MOVED_MAP } from "./proxy.ts";

type Entry = { key: string; cell: number; isAway: boolean };

const entriesOf = ({ cell, tokens, grants }: Homes): Entry[] => [
  ...tokens.map((id) => ({ key: `token:${id}`, cell, isAway: id % CELL_COUNT !== cell })),
  ...grants.map((id) => ({ key: `grant:${writeGrantNumber(id)}`, cell, isAway: id % CELL_COUNT !== cell })),
];

export const mapLines = (homes: Homes): string[] => entriesOf(homes).flatMap(({ key, cell, isAway }) => (isAway ? [`${key} ${cell}`] : []));

/** Every number that lives in this cell and names another. The lines of all cells together are the whole map, always. */
export const readAway = async (client: pg.ClientBase): Promise<string[]> => {
  const read = async (table: "tokens" | "grants"): Promise<number[]> => {
    const { rows } = await client.query<{ id: string }>(
      `select t.id from app.${table} t where t.id % ${CELL_COUNT} <> (select number from app.cell)
         and not exists (select from app.moves m where m.restaurant_id = t.restaurant_id and m.phase in ('moved', 'arriving')) order by t.id`,
    );
    return rows.map(({ id }) => Number(id));
  };
  const { rows } = await client.query<{ number: number }>("select number from app.cell");
  return mapLines({ cell: rows[0]?.number ?? 0, tokens: await read("tokens"), grants: await read("grants") });
};

/** One command, as the proxy's own socket takes it; an empty answer is success. */
const ask = (socket: string, command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const line = connect(socket, () => line.end(`${command}\n`));
    line.on("data", (part) => (answer += part.toString()));
    line.once("error", reject);
    line.once("close", () => resolve(answer.trim()));
  });

/** Tells a running proxy, without a restart. The file it starts from is for `comanda proxy map`. */
export const tellProxy = async (socket: string, homes: Homes): Promise<void> => {
  const maps = (await ask(socket, "show map")).split("\n").flatMap((line) => /\((.*)\)/.exec(line)?.[1] ?? []);
  const file = maps.find((path) => path.endsWith(`/${MOVED_MAP}`));
  if (file === undefined) throw new Error(`The proxy at ${socket} knows no ${MOVED_MAP}: ${maps.join(", ")}`);
  for (const { key, cell, isAway } of entriesOf(homes)) {
    if (!isAway) {
      await ask(socket, `del map ${file} ${key}`);
      continue;
    }
    // Changed in place where it is there already, so that there is no moment without it.
    if ((await ask(socket, `set map ${file} ${key} ${cell}`)) !== "") await ask(socket, `add map ${file} ${key} ${cell}`);
  }
};

import type { Command } from "commander";
import { abortMove, type MovePhase, moveVenue } from "#cells/move.ts";
import { mapLines, openProxy, tellProxy } from "#cells/proxy-map.ts";
import { readMoveConfig } from "#config.ts";
import { Misuse } from "#lib/errors.ts";
import { counted, print, sayWhere } from "./print.ts";

type MoveOptions = { to?: string; abort?: true; proxy: string[]; json?: boolean };

const SAID: Record<MovePhase, string> = {
  copying: "Copying while the venue works …",
  copied: "Copied and compared. Copying what changed meanwhile …",
  draining: "Waiting for what is being sent …",
  paused: "Writes of this venue wait.",
  arrived: "Everything has arrived.",
  decided: "It lives in the other cell from here on.",
  opened: "It is open there. Writes go on.",
  cleaned: "Nothing but its name and tokens is left here.",
};

export const addMoveCommand = (venue: Command): void => {
  venue
    .command("move <slug>")
    .description("move a venue of this cell (MIGRATION_DATABASE_URL) to another (MOVE_TO_DATABASE_URL); again after a crash finishes it")
    .option("--to <cell>", "the number of the other cell, to be sure")
    .option("--abort", "give up a move that was not decided: it stays here")
    .option(
      "--proxy <socket[=file]>",
      "a proxy to tell at once, and its moved.map to write; once for each",
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option("--json", "print JSON")
    .action(runMove);
};

const runMove = async (slug: string, { to, abort, proxy, json = false }: MoveOptions): Promise<void> => {
  const config = { ...readMoveConfig(process.env), slug };
  for (const url of [config.fromUrl, config.toUrl]) sayWhere(url);
  if (abort) {
    await abortMove(config);
    return print(json, { slug, aborted: true }, () => `${slug} stays where it is.`);
  }
  if (to === undefined || !/^\d{1,4}$/.test(to)) throw new Misuse("Name the cell to move to: --to 1.");
  const proxies = await Promise.all(proxy.map(openProxy));
  const moved = await moveVenue({
    ...config,
    toCell: Number(to),
    onPhase: (phase) => void process.stderr.write(`${SAID[phase]}\n`),
    onOpen: async (homes) => {
      for (const one of proxies) await tellProxy(one, homes);
    },
  });
  print(json, moved, () =>
    [
      `${slug} lives in cell ${moved.cell}: ${counted(moved.rows, "row")}, writes waited ${moved.pauseMs} ms.`,
      ...(proxy.length > 0
        ? []
        : ["Add these lines to moved.map of every proxy and reload it; until then clients are asked to try again:"]),
      ...(proxy.length > 0 ? [] : mapLines(moved.homes)),
    ].join("\n"),
  );
};

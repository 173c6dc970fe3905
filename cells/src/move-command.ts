import { counted, note, print, printDatabase } from "@comanda/server/admin/print.ts";
import { readMoveConfig } from "@comanda/server/config.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type { Command } from "commander";
import { abortMove, moveVenue } from "./move.ts";
import type { MovePhase } from "./move-session.ts";
import { mapLines, openProxy, updateProxy } from "./proxy-map.ts";

type MoveOptions = { to?: string; abort?: true; proxy: string[]; json?: boolean };

const PHASE_TEXTS: Record<MovePhase, string> = {
  copying: "Copying while the venue works …",
  copied: "Copied and compared. Copying what changed meanwhile …",
  draining: "Waiting for what is being sent …",
  paused: "Writes of this venue wait.",
  arrived: "Everything has arrived.",
  decided: "It is in the other cell from here on.",
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
  for (const url of [config.fromUrl, config.toUrl]) printDatabase(url);
  if (abort) {
    await abortMove(config);
    return print(json, { slug, aborted: true }, () => `${slug} stays where it is.`);
  }
  if (to === undefined || !/^\d{1,4}$/.test(to)) throw new UserError("Name the cell to move to: --to 1.");
  const proxies = await Promise.all(proxy.map(openProxy));
  const moved = await moveVenue({
    ...config,
    toCell: Number(to),
    onPhase: (phase) => note(PHASE_TEXTS[phase]),
    onOpen: async (homes) => {
      for (const one of proxies) await updateProxy(one, homes);
    },
  });
  print(json, moved, () =>
    [
      `${slug} is in cell ${moved.cell}: ${counted(moved.rows, "row")}, writes waited ${moved.pauseMs} ms.`,
      ...(proxy.length > 0
        ? []
        : ["Add these lines to moved.map of every proxy and reload it; until then clients are asked to try again:"]),
      ...(proxy.length > 0 ? [] : mapLines(moved.homes)),
    ].join("\n"),
  );
};

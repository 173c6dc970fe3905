/** Adds the commands of this package to `comanda-admin`, the operator's command line. */
import type { Command } from "commander";
import { addCopyCommand } from "./app-copy-command.ts";
import { addMoveCommand } from "./move-command.ts";
import { addProxyCommands } from "./proxy-commands.ts";
import { addRestoredCommand } from "./restored-command.ts";

/** `venue` and `app` are groups of the server's own commands. */
export const addCellCommands = ({ program, venue, app }: Record<"program" | "venue" | "app", Command>): void => {
  addMoveCommand(venue);
  addCopyCommand(app);
  addProxyCommands(program);
  addRestoredCommand(program);
};

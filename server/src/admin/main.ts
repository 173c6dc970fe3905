/** `comanda-admin` as a process. */
import { Command } from "commander";
import { explain } from "#lib/described-error.ts";
import { addCommands } from "./commands.ts";

const fail = (error: unknown): void => {
  process.stderr.write(explain(error));
  process.exit(1);
};

// Node itself would print every member of the error.
process.on("uncaughtException", fail);
addCommands(new Command("comanda-admin")).parseAsync().catch(fail);

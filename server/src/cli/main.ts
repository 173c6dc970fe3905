/** `comanda` as a process. */
import { Command } from "commander";
import { addCommands, explain } from "./commands.ts";

addCommands(new Command("comanda"))
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(explain(error));
    process.exit(1);
  });

#!/usr/bin/env node
import { runCommand } from "./commands.ts";

// `comanda events | head`: the reader has left, so there is nothing more to do.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCommand(process.argv.slice(2));

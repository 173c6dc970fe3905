/** All commands of `comanda`, their help, and how a failure ends. */
import { parseArgs } from "node:util";
import type { Command, Given } from "./command.ts";
import { CommandError, EXIT, explain } from "./errors.ts";
import { eventsCommand } from "./events.ts";
import { listenCommand } from "./listen.ts";
import { loginCommand, logoutCommand } from "./login.ts";
import { logsCommand } from "./logs.ts";
import { columns, note, print, printLines } from "./output.ts";
import { PROGRAM, VERSION } from "./program.ts";
import { replayCommand } from "./replay.ts";
import { clockCommand, faultCommand } from "./sandbox-control.ts";
import { triggerCommand } from "./trigger.ts";

const COMMANDS: Record<string, Command> = {
  login: loginCommand,
  logout: logoutCommand,
  listen: listenCommand,
  events: eventsCommand,
  replay: replayCommand,
  trigger: triggerCommand,
  logs: logsCommand,
  clock: clockCommand,
  fault: faultCommand,
};

const overview = (): string =>
  [
    "comanda: commands for programs that work with a restaurant",
    "",
    `Usage: ${PROGRAM} COMMAND [options]`,
    "",
    ...columns(Object.entries(COMMANDS).map(([name, { summary }]) => [`  ${name}`, summary])),
    "",
    `${PROGRAM} COMMAND --help says more about one. ${PROGRAM} --version prints the version.`,
    "COMANDA_URL and COMANDA_TOKEN together take the place of the stored login.",
    `Exit codes: ${EXIT.done} done, ${EXIT.failed} failed, ${EXIT.usage} wrong usage, ${EXIT.login} no login or a token that is refused, ${EXIT.unreachable} service not reached, ${EXIT.interrupted} interrupted.`,
  ].join("\n");

const helpOf = (name: string, { summary, usage, options, more }: Command): string =>
  [
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    "",
    `Usage: ${PROGRAM} ${[name, usage].join(" ").trim()}`,
    "",
    ...columns(Object.entries(options).map(([option, { value, about }]) => [`  --${option}${value ? ` ${value}` : ""}`, about])),
    ...more.flatMap((paragraph) => ["", paragraph]),
  ].join("\n");

const readGiven = (name: string, { options, words: [min, max] }: Command, args: string[]): Given => {
  const known = Object.fromEntries(Object.entries(options).map(([option, { type }]) => [option, { type }]));
  const help = `Run \`${PROGRAM} ${name} --help\` to see what it takes.`;
  let parsed: { values: Given["values"]; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: known, allowPositionals: true });
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(/\. To specify|\n/);
    throw new CommandError(EXIT.usage, `${sentence.replace(/\.$/, "")}. ${help}`);
  }
  const { values, positionals: words } = parsed;
  if (words.length < min) throw new CommandError(EXIT.usage, `Something is missing behind \`${PROGRAM} ${name}\`. ${help}`);
  if (words.length > max) throw new CommandError(EXIT.usage, `"${words[max]}" is too much for \`${PROGRAM} ${name}\`. ${help}`);
  return { values, words };
};

const findCommand = (name: string): Command => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  throw new CommandError(EXIT.usage, `There is no command "${name}". There are: ${Object.keys(COMMANDS).join(", ")}.`);
};

const run = async ([name = "", ...args]: string[]): Promise<number> => {
  if (name === "--version" || name === "-v") {
    print(VERSION);
    return EXIT.done;
  }
  if (["", "help", "--help", "-h"].includes(name)) {
    const [asked] = args;
    printLines(asked === undefined ? overview() : helpOf(asked, findCommand(asked)));
    return name === "" ? EXIT.usage : EXIT.done;
  }
  const command = findCommand(name);
  if (args.includes("--help") || args.includes("-h")) printLines(helpOf(name, command));
  else await command.run(readGiven(name, command, args));
  return EXIT.done;
};

/** The exit code. */
export const runCommand = async (args: string[]): Promise<number> => {
  try {
    return await run(args);
  } catch (error) {
    const { message, exit } = explain(error);
    note(`comanda: ${message}`);
    return exit;
  }
};

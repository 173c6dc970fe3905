/** `comanda trigger`: causes events in a sandbox by real changes, as guests and staff make them. */
import { type Command, isSet, JSON_OPTION } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { paint, print, printJson } from "./output.ts";
import { sayWhere } from "./sandbox-only.ts";
import { EVENT_TYPES, isEventType, type KnownType, openService } from "./service.ts";

const readWanted = (words: readonly string[]): KnownType[] =>
  words.map((word) => {
    if (isEventType(word)) return word;
    throw new CommandError(EXIT.usage, `There is no type "${word}". There are: ${EVENT_TYPES.join(", ")}.`);
  });

export const triggerCommand: Command = {
  summary: "cause events in a sandbox, by real changes",
  usage: "TYPE… [--json]",
  words: [1, 100],
  options: { json: JSON_OPTION },
  more: [
    `Types: ${EVENT_TYPES.join(", ")}.`,
    "Other events come with it, because the change is a real one: a payment needs an order. Only the token of a sandbox can do this.",
  ],
  async run(given) {
    const wanted = readWanted(given.words);
    const { sandbox } = openService();
    for (const event of wanted) {
      const { data } = await sandbox.runAct({ act: "trigger", event }).catch(sayWhere);
      if (isSet(given, "json")) printJson({ event, ...data });
      else {
        const subject = data.subject === null ? "" : `  ${data.subject.type} ${data.subject.id}`;
        print(paint("green", event), subject);
        for (const { type, id } of data.events) print(`  ${type.padEnd(21)} ${id}`);
      }
    }
  },
};

/** `comanda replay`: forwards stored events of the feed again. The position of `listen` stays as it is. */
import { type Command, type Given, isSet, JSON_OPTION, TYPES_OPTION, textOf, untilInterrupted } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { forward, readForwardUrl } from "./forward.ts";
import { printAttempt, readAttempts } from "./listen.ts";
import { note } from "./output.ts";
import { openService, type ReadFeedEvent, readEvents, readSince, readTypes } from "./service.ts";
import { signingSecret } from "./stored-login.ts";

const ATTEMPTS = 3;

/** Which events are wanted; `missing` are ids that were not found yet. */
const readWanted = (given: Given): { missing: Set<string>; isWanted(one: ReadFeedEvent): boolean } => {
  const since = textOf(given, "since");
  const missing = new Set(given.words.map((id) => id.toLowerCase()));
  if ((since === undefined) === (missing.size === 0))
    throw new CommandError(EXIT.usage, "Say which events: their ids as `comanda events` shows them, or --since 30m.");
  if (since === undefined) return { missing, isWanted: ({ event }) => missing.delete(event.id) };
  const sinceMs = readSince(since).getTime();
  return { missing, isWanted: ({ event }) => Date.parse(event.created_at) >= sinceMs };
};

export const replayCommand: Command = {
  summary: "forward stored events again, by their ids or since a moment",
  usage: "EVENT_ID… | --since MOMENT --forward-to URL",
  words: [0, 100],
  options: {
    "forward-to": { type: "string", value: "URL", about: "where your program listens" },
    since: { type: "string", value: "MOMENT", about: "all events since then: 30m, 2h, 3d, or a date with time" },
    types: TYPES_OPTION,
    attempts: { type: "string", value: "N", about: `attempts for each event; ${ATTEMPTS} unless said otherwise` },
    json: JSON_OPTION,
  },
  more: [
    "They have the ids and bytes of the first time, in the order of the feed, and a signature of now. The feed keeps events for thirty days.",
  ],
  async run(given) {
    const forwardTo = textOf(given, "forward-to");
    if (forwardTo === undefined) throw new CommandError(EXIT.usage, "Say where your program listens: --forward-to http://localhost:3000/");
    const { missing, isWanted } = readWanted(given);
    const target = { url: readForwardUrl(forwardTo), secret: signingSecret() };
    const [types, attemptsMax, asJson] = [readTypes(textOf(given, "types")), readAttempts(given, ATTEMPTS), isSet(given, "json")];
    const signal = untilInterrupted();
    let sent = 0;
    for await (const one of readEvents(openService(), { types })) {
      if (!isWanted(one)) continue;
      const onAttempt = (...[attempt, againInMs]: Parameters<Parameters<typeof forward>[2]["onAttempt"]>) =>
        printAttempt(asJson, one.event, attempt, againInMs);
      const result = await forward(target, one.event, { attemptsMax, signal, onAttempt });
      if (result !== "answered") throw new CommandError(EXIT.failed, `${one.event.id} was not answered, so no later one was sent.`);
      sent++;
      if (signal.aborted || (given.words.length > 0 && missing.size === 0)) break;
    }
    if (missing.size > 0 && !signal.aborted)
      throw new CommandError(
        EXIT.failed,
        `Not among the events that the token sees: ${[...missing].join(", ")}. \`comanda events\` lists them.`,
      );
    if (sent === 0) note("No event.");
  },
};

/** `comanda events`: the events of the feed as a list, or as they come. */
import { type Command, isSet, JSON_OPTION, TYPES_OPTION, textOf, untilInterrupted } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { momentMs, readMoment } from "./moment.ts";
import { watchOutage } from "./outage.ts";
import { note, paint, print, printJson } from "./output.ts";
import { GATHER_MS, openService, readTypes, subjectOf } from "./service.ts";
import { type KeptEvent, readStoredEvents } from "./stored-events.ts";
import { readLogin } from "./stored-login.ts";

const ROWS = 20;

const show = (asJson: boolean, { event, cursor }: KeptEvent): void => {
  if (asJson) printJson({ cursor, event });
  else print(`${event.created_at}  ${event.type.padEnd(21)} ${event.id}  ${subjectOf(event)}`.trimEnd());
};

const readLimit = (text: string | undefined): number => {
  if (text === undefined) return ROWS;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CommandError(EXIT.usage, `--limit takes a whole number from 1, not "${text}".`);
};

export const eventsCommand: Command = {
  summary: "list the latest events, or follow them",
  usage: "[options]",
  words: [0, 0],
  options: {
    types: TYPES_OPTION,
    limit: { type: "string", value: "N", about: `how many of the latest; ${ROWS} unless said otherwise` },
    since: { type: "string", value: "MOMENT", about: "only what happened since then: 30m, 2h, 3d, or a date, with time or without" },
    follow: { type: "boolean", about: "go on with the events that come" },
    json: JSON_OPTION,
  },
  more: [
    "The feed keeps events for thirty days. A token sees the types whose data its scopes read. Nothing is stored: `listen` has its own position.",
    "The feed is read from its oldest event. When it is long, at half of the token's rate, and how far it is comes on stderr. --types makes it shorter.",
  ],
  async run(given) {
    const types = readTypes(textOf(given, "types"));
    const limit = readLimit(textOf(given, "limit"));
    const since = textOf(given, "since");
    const moment = since === undefined ? null : readMoment(since);
    const asJson = isSet(given, "json");
    const login = readLogin();
    const service = openService(login);
    const sinceMs = moment === null ? 0 : await momentMs(moment, login);
    // Taken first: what comes while the list is read is not missed.
    const after = (await service.events.list({ after: "latest", limit: 1 })).meta.cursor;
    const latest: KeptEvent[] = [];
    for await (const one of readStoredEvents(service, { types })) {
      if (Date.parse(one.event.created_at) < sinceMs) continue;
      latest.push(one);
      if (latest.length > limit) latest.shift();
    }
    for (const one of latest) show(asJson, one);
    if (latest.length === 0 && !isSet(given, "follow")) note(paint("dim", "No event."));
    if (!isSet(given, "follow")) return;
    const signal = untilInterrupted();
    const { onRetry, onAnswer: onCursor } = watchOutage("Trying until it is there again.");
    const shown = new Set(latest.map(({ event }) => event.id));
    try {
      const options = { after, ...(types ? { types } : {}), gatherMs: GATHER_MS, signal, onCursor, onRetry };
      for await (const one of service.events.follow(options)) if (!shown.delete(one.event.id)) show(asJson, one);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};

/** `comanda replay`: forwards stored events of the feed again. The position of `listen` stays as it is. */
import type { Comanda } from "@comanda/sdk";
import { type Command, type Given, isSet, JSON_OPTION, TYPES_OPTION, textOf, untilInterrupted } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { type ForwardOptions, type ForwardTarget, forward, readForwardUrl } from "./forward.ts";
import { printAttempt, readAttempts } from "./listen.ts";
import { type Moment, momentMs, readMoment } from "./moment.ts";
import { note } from "./output.ts";
import { PROGRAM } from "./program.ts";
import { type FollowedType, openService, readTypes } from "./service.ts";
import { readStoredEvents } from "./stored-events.ts";
import { readLogin, signingSecret } from "./stored-login.ts";

const ATTEMPTS = 3;

type WantedEvents = { ids: ReadonlySet<string>; since: null } | { ids: null; since: Moment };

const readWanted = (given: Given): WantedEvents => {
  const since = textOf(given, "since");
  const ids = new Set(given.words.map((id) => id.toLowerCase()));
  if ((since === undefined) === (ids.size === 0))
    throw new CommandError(EXIT.usage, `Say which events: their ids as \`${PROGRAM} events\` shows them, or --since 30m.`);
  return since === undefined ? { ids, since: null } : { ids: null, since: readMoment(since) };
};

type Replay = { service: Comanda; target: ForwardTarget; types: FollowedType[] | undefined; attemptsMax: number; asJson: boolean };

/** Forwards what is wanted, one after the other. Returns which ids are not in the feed. */
const replay = async (
  { service, target, types, attemptsMax, asJson }: Replay,
  { ids, sinceMs }: { ids: ReadonlySet<string> | null; sinceMs: number },
  { signal, onSent }: { signal: AbortSignal; onSent(): void },
): Promise<string[]> => {
  const missing = new Set(ids);
  for await (const { event } of readStoredEvents(service, { types, signal })) {
    if (ids ? !missing.has(event.id) : Date.parse(event.created_at) < sinceMs) continue;
    const onAttempt: ForwardOptions["onAttempt"] = (attempt, againInMs) => printAttempt(asJson, event, attempt, againInMs);
    const result = await forward(target, event, { attemptsMax, signal, onAttempt });
    if (result === "given_up") throw new CommandError(EXIT.failed, `${event.id} was not answered, so no later one was sent.`);
    if (result === "stopped") signal.throwIfAborted();
    onSent();
    missing.delete(event.id);
    if (ids && missing.size === 0) break;
    signal.throwIfAborted();
  }
  return [...missing];
};

export const replayCommand: Command = {
  summary: "forward stored events again, by their ids or since a moment",
  usage: "EVENT_ID… | --since MOMENT --forward-to URL",
  words: [0, 100],
  options: {
    "forward-to": { type: "string", value: "URL", about: "where your program listens" },
    since: { type: "string", value: "MOMENT", about: "all events since then: 30m, 2h, 3d, or a date, with time or without" },
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
    const wanted = readWanted(given);
    const target = { url: readForwardUrl(forwardTo), secret: signingSecret() };
    const [types, attemptsMax, asJson] = [readTypes(textOf(given, "types")), readAttempts(given, ATTEMPTS), isSet(given, "json")];
    const login = readLogin();
    const sinceMs = wanted.since === null ? 0 : await momentMs(wanted.since, login);
    const signal = untilInterrupted();
    let sent = 0;
    const onSent = (): void => void sent++;
    const running = replay(
      { service: openService(login), target, types, attemptsMax, asJson },
      { ids: wanted.ids, sinceMs },
      { signal, onSent },
    );
    const missing = await running.catch((error: unknown) => {
      if (signal.aborted)
        throw new CommandError(EXIT.interrupted, `Interrupted. ${sent === 1 ? "1 event was" : `${sent} events were`} sent.`);
      throw error;
    });
    if (missing.length > 0)
      throw new CommandError(
        EXIT.failed,
        `Not among the events that the token sees: ${missing.join(", ")}. \`${PROGRAM} events\` lists them.`,
      );
    if (sent === 0) note("No event.");
  },
};

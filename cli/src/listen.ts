/** `comanda listen`: forwards the events of the feed to an address on this machine, in order, each until it is answered. */
import { ApiError, type Comanda, type FeedEvent } from "@comanda/sdk";
import { type Command, type Given, isSet, JSON_OPTION, TYPES_OPTION, textOf, untilInterrupted } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { type ForwardAttempt, type ForwardOptions, type ForwardTarget, forward, readForwardUrl } from "./forward.ts";
import { watchOutage } from "./outage.ts";
import { clockTime, note, paint, print, printJson } from "./output.ts";
import { openPositions, type Positions } from "./positions.ts";
import { PROGRAM } from "./program.ts";
import { type FollowedType, GATHER_MS, openService, readTypes, subjectOf } from "./service.ts";
import { readLogin, signingSecret } from "./stored-login.ts";

export const printAttempt = (asJson: boolean, event: FeedEvent, attempt: ForwardAttempt, againInMs: number | null): void => {
  const { status, failure, ms, attempt: number, isAnswered } = attempt;
  if (asJson) {
    printJson({ id: event.id, type: event.type, attempt: number, status, failure: failure || null, ms, again_in_ms: againInMs });
    return;
  }
  const result = status === null ? failure : `${status} in ${ms} ms`;
  const again = againInMs === null ? (isAnswered ? "" : ", given up") : `, again in ${againInMs / 1000} s`;
  const line = `${event.type.padEnd(21)} ${event.id}  ${subjectOf(event)}`;
  print(paint("dim", clockTime(new Date())), `  ${line}  -> `, paint(isAnswered ? "green" : "red", `${result}${again}`));
};

/** `--attempts 3`; without it for ever, because a position never passes an event that was not answered. */
export const readAttempts = (given: Given, otherwise: number): number => {
  const text = textOf(given, "attempts");
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CommandError(EXIT.usage, `--attempts takes a whole number from 1, not "${text}".`);
};

const isOfOtherRestaurant = (error: unknown): boolean =>
  error instanceof ApiError && error.reasons.some(({ reason }) => reason === "unknown_cursor");

/** The stored position of this token's restaurant; null when there is none. */
const findStored = async ({ events }: Comanda, stored: readonly string[], signal: AbortSignal): Promise<string | null> => {
  for (const cursor of stored) {
    try {
      await events.list({ after: cursor, limit: 1 }, { signal });
      return cursor;
    } catch (error) {
      if (!isOfOtherRestaurant(error)) throw error;
    }
  }
  return null;
};

/** The position to begin at; undefined is the oldest event that is kept. */
const findStart = async (
  service: Comanda,
  { positions, from, signal }: { positions: Positions; from: string | undefined; signal: AbortSignal },
): Promise<string | undefined> => {
  const latest = async (): Promise<string> => {
    const { cursor } = (await service.events.list({ after: "latest", limit: 1 }, { signal })).meta;
    // Stored at once, so that a restart before the first event misses none.
    positions.store(cursor);
    return cursor;
  };
  const own = await findStored(service, positions.stored, signal).catch((error: unknown) => {
    if (from !== undefined && error instanceof ApiError && error.code === "cursor_expired") return null;
    throw error;
  });
  positions.choose(own);
  if (from === "oldest") return undefined;
  if (from === "latest") return latest();
  if (from !== undefined) return from;
  if (own === null) return latest();
  note("Going on from where the last run stopped; --from latest skips what came meanwhile.");
  return own;
};

type Listening = {
  service: Comanda;
  positions: Positions;
  target: ForwardTarget;
  types: FollowedType[] | undefined;
  attemptsMax: number;
  asJson: boolean;
  signal: AbortSignal;
};

/** Forwards until the signal comes. A failure of the feed that can pass does not end it. */
const listen = async (listening: Listening, start: string | undefined): Promise<void> => {
  const { service, positions, target, types, attemptsMax, asJson, signal } = listening;
  const { onRetry, onAnswer } = watchOutage("No event is lost: trying until it is there again.");
  const onCursor = (cursor: string): void => {
    positions.store(cursor);
    onAnswer();
  };
  const following = service.events.follow({
    ...(start === undefined ? {} : { after: start }),
    ...(types ? { types } : {}),
    gatherMs: GATHER_MS,
    signal,
    onCursor,
    onRetry,
  });
  for await (const { event, cursor } of following) {
    const onAttempt: ForwardOptions["onAttempt"] = (attempt, againInMs) => printAttempt(asJson, event, attempt, againInMs);
    const result = await forward(target, event, { attemptsMax, signal, onAttempt });
    if (result === "stopped") return;
    if (result === "given_up") note(`Skipped. To send it again: ${PROGRAM} replay ${event.id} --forward-to ${target.url}`);
    // The position is stored after the answer: an event that was not answered comes again.
    onCursor(cursor);
    if (signal.aborted) return;
  }
};

export const listenCommand: Command = {
  summary: "forward events to an address on this machine, signed like webhooks",
  usage: "--forward-to URL [options]",
  words: [0, 0],
  options: {
    "forward-to": { type: "string", value: "URL", about: "where your program listens, such as http://localhost:3000/comanda" },
    types: TYPES_OPTION,
    from: { type: "string", value: "POSITION", about: "latest, oldest, or a cursor; otherwise where the last run stopped" },
    attempts: { type: "string", value: "N", about: "skip an event after N attempts; otherwise it is sent until it is answered" },
    json: JSON_OPTION,
    "print-secret": { type: "boolean", about: "print the signing secret and end" },
  },
  more: [
    "Events come one after the other, in the order in which the service stored them. One that is not answered with 2xx is sent again, and the\nnext ones wait for it. How far you are is stored on disk: over a restart no event is lost. One that was answered while this program was\nkilled comes twice, with the same id.",
    `An event is forwarded as it comes, and in a burst at most ${GATHER_MS / 1000} s later, so that listening takes at most half of the rate that a token has.`,
    "The headers are those of a webhook. The signing secret is this machine's own and stays the same.",
  ],
  async run(given) {
    if (isSet(given, "print-secret")) {
      print(signingSecret());
      return;
    }
    const forwardTo = textOf(given, "forward-to");
    if (forwardTo === undefined) throw new CommandError(EXIT.usage, "Say where your program listens: --forward-to http://localhost:3000/");
    const url = readForwardUrl(forwardTo);
    const [types, attemptsMax, asJson] = [
      readTypes(textOf(given, "types")),
      readAttempts(given, Number.POSITIVE_INFINITY),
      isSet(given, "json"),
    ];
    const login = readLogin();
    const service = openService(login);
    const positions = openPositions(login.rootUrl, url.href);
    const signal = untilInterrupted();
    try {
      const start = await findStart(service, { positions, from: textOf(given, "from"), signal });
      const secret = signingSecret();
      if (asJson) printJson({ listening: true, forward_to: url.href, signing_secret: secret });
      else {
        print("Signing secret: ", paint("bold", secret));
        print(`Forwarding ${types?.join(", ") ?? "all events that the token sees"} to ${url.href}. Ctrl+C ends it.`);
      }
      await listen({ service, positions, target: { url, secret }, types, attemptsMax, asJson, signal }, start);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      positions.release();
    }
  },
};

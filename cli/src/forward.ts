/** Posts an event to the address on this machine, as a delivery would be, and again until it is answered with 2xx. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookEvent } from "@comanda/sdk";
import { CommandError, EXIT } from "./errors.ts";
import { deliveryHeaders } from "./sign.ts";

export type ForwardTarget = { url: URL; secret: string };

/** `status` is null when there was no answer; `failure` then says why. */
export type ForwardAttempt = { attempt: number; status: number | null; failure: string; ms: number; isAnswered: boolean };

export type ForwardOptions = {
  /** After so many the event is given up; Infinity tries for ever. */
  attemptsMax: number;
  signal: AbortSignal;
  /** `againInMs` is null after the last attempt. */
  onAttempt(attempt: ForwardAttempt, againInMs: number | null): void;
};

/** The service gives a receiver ten seconds as well. */
const ANSWER_TICKS = 20;
const TICK_MS = 500;
/** What the receiver writes behind its status is of no use, but to close at once would be an error there. */
const BODY_MS_MAX = 2000;
const WAITS_MS = [1000, 2000, 5000, 10_000];

export const readForwardUrl = (text: string): URL => {
  const withScheme = /^\d+(\/|$)/.test(text) ? `http://localhost:${text}` : /^[\w.-]+:\d+(\/|$)/.test(text) ? `http://${text}` : text;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url && (url.username || url.password))
    throw new CommandError(EXIT.usage, "The address has a user name or a password, which would be shown and stored. Give it without them.");
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(EXIT.usage, `"${text}" is no address to forward to. Give one such as http://localhost:3000/comanda`);
};

/** JSON of what was JSON is the same text: the service wrote it in the same way. */
const bodyOf = (event: WebhookEvent): string => JSON.stringify(event);

const exchange = (url: URL, headers: Record<string, string>, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    // A connection of its own: one that the receiver is closing would cost an attempt.
    const message = send(url, { method: "POST", agent: false, headers: { ...headers, "Content-Length": Buffer.byteLength(body) } });
    let ticks = 0;
    // Counted in ticks: while this process is suspended no time passes, so an answer that has come meanwhile is still read.
    const timer = setInterval(() => {
      if (++ticks >= ANSWER_TICKS) message.destroy(new Error(`no answer within ${(ANSWER_TICKS * TICK_MS) / 1000} s`));
    }, TICK_MS);
    const end = (settle: () => void): void => {
      clearInterval(timer);
      settle();
    };
    message.on("response", (response) => {
      const { statusCode = 0 } = response;
      response.resume();
      end(() => resolve(statusCode));
      response.once("end", () => message.destroy());
      // A body that does not end keeps neither its connection nor this process.
      setTimeout(() => message.destroy(), BODY_MS_MAX).unref();
      response.socket.unref();
      response.once("error", () => undefined);
    });
    message.on("error", (error) => end(() => reject(error)));
    message.end(body);
  });

const failureOf = (error: NodeJS.ErrnoException): string => {
  if (error.code === "ECONNREFUSED") return "nothing listens there";
  return error.code ?? error.message;
};

/** One attempt. It is signed for its own moment, because receivers refuse a signature that is old. */
const post = async ({ url, secret }: ForwardTarget, event: WebhookEvent, attempt: number): Promise<ForwardAttempt> => {
  const startedAt = performance.now();
  const body = bodyOf(event);
  const result = await exchange(url, deliveryHeaders({ id: event.id, type: event.type, body }, secret, new Date()), body).catch(
    (error: NodeJS.ErrnoException) => failureOf(error),
  );
  const ms = Math.round(performance.now() - startedAt);
  if (typeof result === "string") return { attempt, status: null, failure: result, ms, isAnswered: false };
  return { attempt, status: result, failure: "", ms, isAnswered: result >= 200 && result < 300 };
};

export type ForwardResult = "answered" | "given_up" | "stopped";

/** The signal ends it between two attempts: one that is running is waited for, so that its event is not sent again. */
export const forward = async (target: ForwardTarget, event: WebhookEvent, options: ForwardOptions): Promise<ForwardResult> => {
  const { attemptsMax, signal, onAttempt } = options;
  for (let number = 1; ; number++) {
    const attempt = await post(target, event, number);
    const isLast = attempt.isAnswered || number >= attemptsMax;
    const againInMs = isLast ? null : (WAITS_MS[Math.min(number, WAITS_MS.length) - 1] ?? null);
    onAttempt(attempt, againInMs);
    if (attempt.isAnswered) return "answered";
    if (isLast) return "given_up";
    await sleep(againInMs ?? 0, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return "stopped";
  }
};

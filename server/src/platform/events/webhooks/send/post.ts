/** Posts one message and reads the response. */
import type { IncomingMessage } from "node:http";
import { type Agent, type RequestOptions, request } from "node:https";
import { type Failure, failureOfCode, failureOfStatus, sentenceOf } from "../rules/failures.ts";
import { type Cancellation, SendCancelledError } from "./cancellation.ts";
import type { CancellableOptions, ConnectionStep } from "./connection.ts";

const RESPONSE_BYTES_MAX = 16 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** 1xx responses before the final one. Without a limit they could keep a processor busy until the deadline. */
const INTERIM_RESPONSES_MAX = 32;
const EXCERPT_BYTES = 1024;

export type PostOutcome = {
  /** Null when no final response came. */
  status: number | null;
  /** The time without the wait for a free connection slot of the host. */
  durationMs: number;
  /** The beginning of the response body, for finding the fault. */
  excerpt: string;
  failure: Failure | null;
  sentence: string;
};

export type OutboundRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Reports each step of the connection. Such a request gets a connection of its own. */
  onStep?: (step: ConnectionStep) => void;
};

export type ParsedTarget = { host: string; options: RequestOptions };

type TargetedRequest = OutboundRequest & { target: ParsedTarget };
type FinalResponse = { status: number; body: IncomingMessage | null };

/** Never throws: every failure is an outcome. Redirects are not followed and nothing is decompressed. */
export const post = async (
  agent: Agent,
  outbound: TargetedRequest,
  { cancellation, deadlineMs }: { cancellation: Cancellation; deadlineMs: number },
): Promise<PostOutcome> => {
  const startedAt = performance.now();
  const progress = { isConnected: false };
  const timer = setTimeout(() => cancellation.cancel(progress.isConnected ? "timeout" : "unreachable"), deadlineMs);
  try {
    const { status, body } = await exchange(agent, outbound, { cancellation, onConnected: () => (progress.isConnected = true) });
    // The status decides from here on: a 2xx whose body is late or endless counts as delivered.
    const excerpt = body === null ? "" : await readExcerpt(body);
    return outcomeOf({ startedAt, status, excerpt, failure: failureOfStatus(status) });
  } catch (error) {
    return outcomeOf({ startedAt, failure: failureOf(error as Error, progress.isConnected) });
  } finally {
    clearTimeout(timer);
  }
};

export const outcomeOf = (given: { startedAt: number; status?: number; excerpt?: string; failure: Failure | null }): PostOutcome => ({
  status: given.status ?? null,
  durationMs: Math.round(performance.now() - given.startedAt),
  excerpt: given.excerpt ?? "",
  failure: given.failure,
  sentence: given.failure === null ? "Delivered." : sentenceOf(given.failure),
});

const exchange = (
  agent: Agent,
  { target, headers, body, onStep = () => undefined }: TargetedRequest,
  { cancellation, onConnected }: { cancellation: Cancellation; onConnected: () => void },
): Promise<FinalResponse> =>
  new Promise((resolve, reject) => {
    cancellation.throwIfCancelled();
    let interimResponses = 0;
    const options: CancellableOptions = {
      ...target.options,
      agent,
      method: "POST",
      headers,
      cancellation,
      onStep,
      maxHeaderSize: HEADER_BYTES_MAX,
    };
    const message = request(options);
    cancellation.onCancel((reason) => {
      // A request without a connection emits no error when it is destroyed.
      reject(reason);
      message.destroy(reason);
    });
    message.on("socket", onConnected);
    message.on("information", () => {
      if (++interimResponses > INTERIM_RESPONSES_MAX) message.destroy(new SendCancelledError("answer"));
    });
    message.on("response", (response: IncomingMessage) => resolve({ status: response.statusCode ?? 0, body: response }));
    // No upgrade was requested, so this counts like any other status that is not 2xx.
    message.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: null });
    });
    message.on("error", reject);
    message.end(body);
  });

/** Uses the stream's events: iterating over the stream cost more than the rest of reading a response. */
const readExcerpt = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // PostgreSQL stores no NUL in a text.
    const finish = (): void => resolve(Buffer.concat(chunks).toString("utf8").replaceAll("\0", "\ufffd"));
    response.on("data", (chunk: Buffer) => {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes < RESPONSE_BYTES_MAX) return;
      response.destroy();
      finish();
    });
    response.once("end", finish);
    // Cut off or too late: what has come is used.
    response.once("error", finish);
    response.once("close", finish);
  });

const failureOf = (error: Error & { code?: string }, isConnected: boolean): Failure =>
  error instanceof SendCancelledError ? error.failure : failureOfCode(error.code ?? "", isConnected);

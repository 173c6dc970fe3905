/**
 * The only door through which this service speaks to addresses that customers give it. The address is looked at three
 * times: as written, as resolved, and as connected; the one that was looked at is the one that is dialled.
 */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher, errors, request } from "undici";
import { type Failure, failureOfStatus, isPublicAddress, sentenceOf, targetFault } from "./rules.ts";

const DEADLINE_MS = 10_000;
const ANSWER_BYTES_MAX = 16 * 1024;
const EXCERPT_BYTES = 1024;
const CONNECTIONS_PER_HOST = 4;
/** Shorter than common servers wait: a connection that they are just closing would cost an attempt. */
const IDLE_MS = 3000;

export type Outcome = {
  /** The first status line, if one came. */
  status: number | null;
  durationMs: number;
  /** The beginning of the answer, for the person who looks for the fault. */
  excerpt: string;
  failure: Failure | null;
  sentence: string;
};

type Parcel = { url: string; headers: Record<string, string>; body: string };

export type Sender = { send(parcel: Parcel): Promise<Outcome>; close(): Promise<void> };

type ResolvedAddress = { address: string; family: number };

/** All of these are for tests; the service uses the defaults. */
export type SenderOptions = {
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
  isPublic?: (address: string) => boolean;
  ca?: string;
  deadlineMs?: number;
};

class BlockedAddress extends Error {}

const resolveHost = (host: string): Promise<ResolvedAddress[]> => lookup(host, { all: true });

export const createSender = (options: SenderOptions = {}): Sender => {
  const { resolve = resolveHost, isPublic = isPublicAddress, ca, deadlineMs = DEADLINE_MS } = options;
  const agent = new Agent({
    connect: createConnector({ resolve, isPublic, ca, deadlineMs }),
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
  });
  return {
    send: (parcel) => post(agent, parcel, deadlineMs),
    close: () => agent.destroy(),
  };
};

type Connecting = Required<Omit<SenderOptions, "ca">> & { ca: string | undefined };

const createConnector =
  (connecting: Connecting): buildConnector.connector =>
  (target, callback) =>
    void dial(connecting, target, callback);

const dial = async (
  { resolve, isPublic, ca, deadlineMs }: Connecting,
  target: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> => {
  try {
    const host = target.hostname.replace(/^\[(.*)\]$/, "$1");
    // A literal never passes through a look-up, so it is looked at here.
    const addresses =
      isIP(host) === 0 ? await within(resolve(host), AbortSignal.timeout(deadlineMs)) : [{ address: host, family: isIP(host) }];
    // One bad address among several is enough: the next answer may name that one alone.
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address))) throw new BlockedAddress(host);
    const connect = buildConnector({ lookup: pinnedTo(addresses), timeout: deadlineMs, ...(ca === undefined ? {} : { ca }) });
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (isPublic((socket as Socket).remoteAddress ?? "")) return callback(null, socket as Socket);
      (socket as Socket).destroy();
      callback(new BlockedAddress(host), null);
    });
  } catch (error) {
    callback(error as Error, null);
  }
};

/** Name and certificate stay those of the host; only the look-up is answered from what has been checked. */
const pinnedTo =
  (addresses: ResolvedAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first = { address: "", family: 0 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

/** Never throws: whatever happens is an outcome. No redirect is followed and nothing is decompressed. */
const post = async (agent: Agent, { url, headers, body }: Parcel, deadlineMs: number): Promise<Outcome> => {
  const startedAt = performance.now();
  const outcome = (status: number | null, excerpt: string, failure: Failure | null): Outcome => ({
    status,
    durationMs: Math.round(performance.now() - startedAt),
    excerpt,
    failure,
    sentence: failure === null ? "Delivered." : sentenceOf(failure),
  });
  if (targetFault(url) !== null) return outcome(null, "", "address");
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    // undici looks at the signal only once it is connected; what is given up before that is not sent afterwards.
    const answer = await within(request(url, { dispatcher: agent, method: "POST", headers, body, signal }), signal);
    // From here on the status decides: a 2xx whose body is late or endless has been delivered.
    const excerpt = await readExcerpt(answer.body);
    return outcome(answer.statusCode, excerpt, failureOfStatus(answer.statusCode));
  } catch (error) {
    return outcome(null, "", failureOf(error as Error, signal));
  }
};

const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })),
  ]);

const readExcerpt = async (body: Dispatcher.ResponseData["body"]): Promise<string> => {
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // Cut off or too late; what has come is kept.
  }
  // PostgreSQL keeps no NUL in a text.
  return Buffer.concat(kept).toString("utf8").replaceAll("\0", "\ufffd");
};

const DNS_CODES = /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)/;
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;
const TIMEOUT_CODES = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const ANSWER_CODES = /^UND_ERR_(HEADERS_OVERFLOW|RES_)/;

const failureOf = (error: Error & { code?: string }, signal: AbortSignal): Failure => {
  const { code = "" } = error;
  if (error instanceof BlockedAddress) return "blocked_address";
  if (signal.aborted || TIMEOUT_CODES.test(code)) return "timeout";
  if (DNS_CODES.test(code)) return "dns";
  if (TLS_CODES.test(code)) return "tls";
  return error instanceof errors.HTTPParserError || ANSWER_CODES.test(code) ? "answer" : "connection";
};

/**
 * The only door through which this service speaks to addresses that customers give it. The address is looked at three
 * times: as written, as resolved, and as connected; the one that was looked at is the one that is dialled.
 */
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { type Failure, failureOfCode, failureOfStatus, isPublicAddress, sentenceOf, targetFault } from "./rules.ts";

const DEADLINE_MS = 10_000;
/** Of the deadline, for the name: a silent name server must not leave the receiver without time. */
const NAME_SHARE = 0.5;
const ASK_AGAIN_MS = 1500;
const ANSWER_BYTES_MAX = 16 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** Answers of the 1xx kind before the one that counts; without a limit they could keep a processor busy for ten seconds. */
const INTERIM_ANSWERS_MAX = 32;
const EXCERPT_BYTES = 1024;
/**
 * Many venues share the host of one integrator, so this is more than a worker's hands: were it less, addresses of that
 * host that hang would hold up those that answer.
 */
const CONNECTIONS_PER_HOST = 512;
/** Shorter than common servers wait: a connection that they are just closing would cost an attempt. */
const IDLE_MS = 3000;

export type Outcome = {
  /** Of the answer that counted, if one came. */
  status: number | null;
  /** Since the message had its turn. */
  durationMs: number;
  /** The beginning of the answer, for the person who looks for the fault. */
  excerpt: string;
  failure: Failure | null;
  sentence: string;
};

/** What a new connection has behind it. */
export type Passed = "dns" | "public" | "tls";

type Parcel = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Whoever wants to hear of each step gets a connection of their own. */
  onStep?: (step: Passed) => void;
};

export type Sender = { send(parcel: Parcel): Promise<Outcome>; close(): Promise<void> };

type ResolvedAddress = { address: string; family: number };

/** All of these are for tests; the service uses the defaults. */
export type SenderOptions = {
  resolve?: (host: string, limitMs: number) => Promise<ResolvedAddress[]>;
  isPublic?: (address: string) => boolean;
  ca?: string;
  deadlineMs?: number;
  connectionsPerHost?: number;
};

type Settings = Required<Omit<SenderOptions, "ca" | "connectionsPerHost">> & { secureContext: SecureContext };

/** Ended by us, and we know why. */
class Stopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

export const createSender = (options: SenderOptions = {}): Sender => {
  const {
    resolve = resolveHost,
    isPublic = isPublicAddress,
    ca,
    deadlineMs = DEADLINE_MS,
    connectionsPerHost = CONNECTIONS_PER_HOST,
  } = options;
  // One for all connections: each of its own would be parsed and kept anew.
  const secureContext = createSecureContext({ minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) });
  const settings = { resolve, isPublic, secureContext, deadlineMs };
  const agent = createAgent(settings);
  const inTurn = createTurns(connectionsPerHost);
  const open = new Set<AbortController>();
  let isClosed = false;
  return {
    send: async (parcel) => {
      if (targetFault(parcel.url) !== null) return outcomeOf({ startedAt: performance.now(), failure: "address" });
      return inTurn(new URL(parcel.url).host, async () => {
        const ending = new AbortController();
        open.add(ending);
        if (isClosed) ending.abort(new Stopped("connection"));
        const used = parcel.onStep ? createAgent(settings) : agent;
        const outcome = await post(used, parcel, { ending, deadlineMs });
        if (used !== agent) used.destroy();
        open.delete(ending);
        return outcome;
      });
    },
    close: async () => {
      isClosed = true;
      for (const ending of open) ending.abort(new Stopped("connection"));
      agent.destroy();
    },
  };
};

/**
 * So many at once for each host, and the others in a row. The deadline begins with the turn: what waits for those before
 * it has not been slow. The HTTP client is given no limit of its own, because it would queue where we cannot see it.
 */
const createTurns = (atOnce: number) => {
  const hosts = new Map<string, { taken: number; waiting: (() => void)[] }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const host = hosts.get(name) ?? { taken: 0, waiting: [] };
    hosts.set(name, host);
    if (host.taken < atOnce) host.taken++;
    else await new Promise<void>((resolve) => host.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = host.waiting.shift();
      if (next) next();
      else if (--host.taken === 0) hosts.delete(name);
    }
  };
};

/** `until` travels with a request to the connection that is made for it: whoever gives up takes it along. */
type Wanted = RequestOptions & { until: AbortSignal; onStep: NonNullable<Parcel["onStep"]> };
type Handover = (error: Error | null, socket?: TLSSocket) => void;

const createAgent = (settings: Settings): Agent => {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: CONNECTIONS_PER_HOST });
  agent.createConnection = (options, handOver) => void connectFor(settings, options as Wanted, handOver as Handover);
  return agent;
};

const connectFor = async (settings: Settings, { host, port, until, onStep }: Wanted, handOver: Handover): Promise<void> => {
  try {
    handOver(null, await dial(settings, { host: host ?? "", port: Number(port), until, onStep }));
  } catch (error) {
    handOver(error as Error);
  }
};

type Target = Pick<Wanted, "until" | "onStep"> & { host: string; port: number };

const dial = async (
  { resolve, isPublic, secureContext, deadlineMs }: Settings,
  { host, port, until, onStep }: Target,
): Promise<TLSSocket> => {
  const family = isIP(host);
  // A literal never passes through a look-up, so it is looked at here.
  const addresses = family === 0 ? await resolve(host, deadlineMs * NAME_SHARE).catch(() => stop("dns")) : [{ address: host, family }];
  onStep("dns");
  // One bad address among several is enough: the next answer may name that one alone.
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address))) stop("blocked_address");
  onStep("public");
  until.throwIfAborted();
  const socket = connect({
    host,
    port,
    lookup: pinnedTo(addresses),
    servername: family === 0 ? host.replace(/\.$/, "") : "",
    secureContext,
    // Said aloud, because the environment may set another default. HTTP/2 would be a second protocol to defend.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  // Once it is nobody's, a connection may still break.
  socket.setNoDelay(true).on("error", () => undefined);
  try {
    await once(socket, "secureConnect", { signal: until });
    if (!isPublic(socket.remoteAddress ?? "")) stop("blocked_address");
    onStep("tls");
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

const stop = (failure: Failure): never => {
  throw new Stopped(failure);
};

/**
 * Asks the name servers ourselves. The system's look-up takes one of four threads of the process until it has ended: four
 * names whose servers are silent would hold up every other message. It would also know names of this machine alone.
 */
const resolveHost = async (host: string, limitMs: number): Promise<ResolvedAddress[]> => {
  const resolver = new Resolver({ timeout: ASK_AGAIN_MS, tries: 3 });
  const tooLate = setTimeout(() => resolver.cancel(), limitMs);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(tooLate);
  const addressesOf = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
  const addresses = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  return addresses.length === 0 ? stop("dns") : addresses;
};

/** Name and certificate stay those of the host; only the look-up is answered from what has been checked. */
const pinnedTo =
  (addresses: ResolvedAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first = { address: "", family: 0 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

type Limits = { ending: AbortController; deadlineMs: number };
type Answer = { status: number; body: AsyncIterable<Buffer> | null };

/** Never throws: whatever happens is an outcome. No redirect is followed and nothing is decompressed. */
const post = async (agent: Agent, parcel: Parcel, { ending, deadlineMs }: Limits): Promise<Outcome> => {
  const startedAt = performance.now();
  const progress = { isConnected: false };
  const timer = setTimeout(() => ending.abort(new Stopped(progress.isConnected ? "timeout" : "unreachable")), deadlineMs);
  try {
    const { status, body } = await exchange(agent, parcel, { signal: ending.signal, onConnected: () => (progress.isConnected = true) });
    // From here on the status decides: a 2xx whose body is late or endless has been delivered.
    const excerpt = body === null ? "" : await readExcerpt(body);
    return outcomeOf({ startedAt, status, excerpt, failure: failureOfStatus(status) });
  } catch (error) {
    return outcomeOf({ startedAt, failure: failureOf(error as Error, progress.isConnected) });
  } finally {
    clearTimeout(timer);
  }
};

const outcomeOf = (given: { startedAt: number; status?: number; excerpt?: string; failure: Failure | null }): Outcome => ({
  status: given.status ?? null,
  durationMs: Math.round(performance.now() - given.startedAt),
  excerpt: given.excerpt ?? "",
  failure: given.failure,
  sentence: given.failure === null ? "Delivered." : sentenceOf(given.failure),
});

type Exchange = { signal: AbortSignal; onConnected: () => void };

const exchange = (
  agent: Agent,
  { url, headers, body, onStep = () => undefined }: Parcel,
  { signal, onConnected }: Exchange,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // A request that has no connection yet cannot fail by itself.
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    let interimAnswers = 0;
    const options: Wanted = { agent, method: "POST", headers, signal, until: signal, onStep, maxHeaderSize: HEADER_BYTES_MAX };
    const message = request(url, options);
    message.on("socket", onConnected);
    message.on("information", () => {
      if (++interimAnswers > INTERIM_ANSWERS_MAX) message.destroy(new Stopped("answer"));
    });
    message.on("response", (answer: IncomingMessage) => resolve({ status: answer.statusCode ?? 0, body: answer }));
    // We asked for no other protocol, so this is an answer like any other that is not 2xx.
    message.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, body: null });
    });
    message.on("error", reject);
    message.end(body);
  });

const readExcerpt = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
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

const failureOf = (error: Error & { code?: string }, isConnected: boolean): Failure =>
  error instanceof Stopped ? error.failure : failureOfCode(error.code ?? "", isConnected);

/**
 * The only door through which this service speaks to addresses that customers give it. The address is looked at three
 * times: as written, as resolved, and as connected; the one that was looked at is the one that is dialled.
 */
import { Resolver } from "node:dns/promises";
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

/** The end of one message, if it comes before its outcome. An AbortController for each, and what listens to one, cost as much as posting. */
class Ending {
  reason: Stopped | null = null;
  readonly #listeners: ((reason: Stopped) => void)[] = [];

  end(failure: Failure): void {
    if (this.reason) return;
    this.reason = new Stopped(failure);
    for (const listen of this.#listeners) listen(this.reason);
  }

  onEnd(listen: (reason: Stopped) => void): void {
    this.#listeners.push(listen);
  }

  throwIfEnded(): void {
    if (this.reason) throw this.reason;
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
  const readTarget = createTargets();
  const open = new Set<Ending>();
  let isClosed = false;
  return {
    send: async (parcel) => {
      const address = readTarget(parcel.url);
      if (address === null) return outcomeOf({ startedAt: performance.now(), failure: "address" });
      return inTurn(address.host, async () => {
        const ending = new Ending();
        open.add(ending);
        if (isClosed) ending.end("connection");
        const used = parcel.onStep ? createAgent(settings) : agent;
        const outcome = await post(used, { ...parcel, address }, { ending, deadlineMs });
        if (used !== agent) used.destroy();
        open.delete(ending);
        return outcome;
      });
    },
    close: async () => {
      isClosed = true;
      for (const ending of open) ending.end("connection");
      agent.destroy();
    },
  };
};

type Address = { host: string; options: RequestOptions };

const ADDRESSES_MAX = 1000;

/** An address is read and looked at once, not with every message to it: what it says does not change. Null: none that we send to. */
const createTargets = () => {
  const known = new Map<string, Address | null>();
  const look = (url: string): Address | null => {
    if (targetFault(url) !== null) return null;
    const { host, hostname, port, pathname, search } = new URL(url);
    const name = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    return { host, options: { hostname: name, port: port || 443, path: pathname + search } };
  };
  return (url: string): Address | null => {
    const before = known.get(url);
    if (before !== undefined) return before;
    if (known.size >= ADDRESSES_MAX) known.clear();
    const address = look(url);
    known.set(url, address);
    return address;
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
type Wanted = RequestOptions & { until: Ending; onStep: NonNullable<Parcel["onStep"]> };
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
  until.throwIfEnded();
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
    await secured(socket, until);
    if (!isPublic(socket.remoteAddress ?? "")) stop("blocked_address");
    onStep("tls");
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

const secured = (socket: TLSSocket, until: Ending): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
    until.onEnd(reject);
  });

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

type Addressed = Parcel & { address: Address };
type Limits = { ending: Ending; deadlineMs: number };
type Answer = { status: number; body: IncomingMessage | null };

/** Never throws: whatever happens is an outcome. No redirect is followed and nothing is decompressed. */
const post = async (agent: Agent, parcel: Addressed, { ending, deadlineMs }: Limits): Promise<Outcome> => {
  const startedAt = performance.now();
  const progress = { isConnected: false };
  const timer = setTimeout(() => ending.end(progress.isConnected ? "timeout" : "unreachable"), deadlineMs);
  try {
    const { status, body } = await exchange(agent, parcel, { ending, onConnected: () => (progress.isConnected = true) });
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

type Exchange = { ending: Ending; onConnected: () => void };

const exchange = (
  agent: Agent,
  { address, headers, body, onStep = () => undefined }: Addressed,
  { ending, onConnected }: Exchange,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    ending.throwIfEnded();
    let interimAnswers = 0;
    const options: Wanted = { ...address.options, agent, method: "POST", headers, until: ending, onStep, maxHeaderSize: HEADER_BYTES_MAX };
    const message = request(options);
    ending.onEnd((reason) => {
      // A request that has no connection yet cannot fail by itself.
      reject(reason);
      message.destroy(reason);
    });
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

/** By its events: iterating over a stream costs more than the rest of the answer together. */
const readExcerpt = (answer: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const kept: Buffer[] = [];
    let bytes = 0;
    // PostgreSQL keeps no NUL in a text.
    const finish = (): void => resolve(Buffer.concat(kept).toString("utf8").replaceAll("\0", "\ufffd"));
    answer.on("data", (chunk: Buffer) => {
      if (bytes < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes < ANSWER_BYTES_MAX) return;
      answer.destroy();
      finish();
    });
    answer.once("end", finish);
    // Cut off or too late; what has come is kept.
    answer.once("error", finish);
    answer.once("close", finish);
  });

const failureOf = (error: Error & { code?: string }, isConnected: boolean): Failure =>
  error instanceof Stopped ? error.failure : failureOfCode(error.code ?? "", isConnected);

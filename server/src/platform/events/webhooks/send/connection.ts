/** Opens TLS connections to public addresses only. */
import { Resolver } from "node:dns/promises";
import { Agent, type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import type { Failure } from "../rules/failures.ts";
import { type Cancellation, SendCancelledError } from "./cancellation.ts";

/** Share of the deadline for resolving the name, so that a silent name server leaves time for the receiver. */
const DNS_DEADLINE_SHARE = 0.5;
const DNS_TIMEOUT_MS = 1500;
const DNS_TRIES = 3;
/** Shorter than common servers' keep-alive: reusing a connection that the server is closing would cost an attempt. */
const IDLE_MS = 3000;

/** What a new connection has passed. */
export type ConnectionStep = "dns" | "public" | "tls";

type ResolvedAddress = { address: string; family: number };

export type ConnectionSettings = {
  resolve: (host: string, limitMs: number) => Promise<ResolvedAddress[]>;
  isPublic: (address: string) => boolean;
  secureContext: SecureContext;
  deadlineMs: number;
};

/** The cancellation is passed with the request, so that cancelling it also ends the connection that is opened for it. */
export type CancellableOptions = RequestOptions & { cancellation: Cancellation; onStep: (step: ConnectionStep) => void };

type SocketCallback = (error: Error | null, socket?: TLSSocket) => void;

export const createAgent = (settings: ConnectionSettings, freeSocketsMax: number): Agent => {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: freeSocketsMax });
  agent.createConnection = (options, callback) => void connectFor(settings, options as CancellableOptions, callback as SocketCallback);
  return agent;
};

const connectFor = async (
  settings: ConnectionSettings,
  { host, port, cancellation, onStep }: CancellableOptions,
  callback: SocketCallback,
): Promise<void> => {
  try {
    callback(null, await openConnection(settings, { host: host ?? "", port: Number(port), cancellation, onStep }));
  } catch (error) {
    callback(error as Error);
  }
};

type ConnectionTarget = Pick<CancellableOptions, "cancellation" | "onStep"> & { host: string; port: number };

const openConnection = async (
  { resolve, isPublic, secureContext, deadlineMs }: ConnectionSettings,
  { host, port, cancellation, onStep }: ConnectionTarget,
): Promise<TLSSocket> => {
  const family = isIP(host);
  // Node never looks up a literal address, so it is checked here.
  const addresses =
    family === 0 ? await resolve(host, deadlineMs * DNS_DEADLINE_SHARE).catch(() => failWith("dns")) : [{ address: host, family }];
  onStep("dns");
  // One private address among several is enough to refuse: the next answer of the name server may contain it alone.
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address))) failWith("blocked_address");
  onStep("public");
  cancellation.throwIfCancelled();
  const socket = connect({
    host,
    port,
    lookup: pinnedLookup(addresses),
    servername: family === 0 ? host.replace(/\.$/, "") : "",
    secureContext,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED can change the default. HTTP/2 would be a second protocol to defend.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  // An idle connection may fail while no request listens; without a listener that error would end the process.
  socket.setNoDelay(true).on("error", () => undefined);
  try {
    await waitForTls(socket, cancellation);
    if (!isPublic(socket.remoteAddress ?? "")) failWith("blocked_address");
    onStep("tls");
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

const waitForTls = (socket: TLSSocket, cancellation: Cancellation): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
    cancellation.onCancel(reject);
  });

const failWith = (failure: Failure): never => {
  throw new SendCancelledError(failure);
};

/**
 * Queries the name servers directly. `dns.lookup` blocks one of the process's four threads: four names whose servers are
 * silent would stop all other sends. It also resolves names from this machine's hosts file.
 */
export const resolveHost = async (host: string, limitMs: number): Promise<ResolvedAddress[]> => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  const addressesOf = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
  const addresses = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  return addresses.length === 0 ? failWith("dns") : addresses;
};

/** Answers the look-up with the addresses that were checked. Server name and certificate check still use the host's name. */
const pinnedLookup =
  (addresses: ResolvedAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first = { address: "", family: 0 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

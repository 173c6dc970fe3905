/** A bounded queue for expensive work: limited concurrency, round robin over accounts and networks. */
import type { Source } from "./network-source.ts";

/** The account of a known session or device; otherwise the client's network. */
export type CallerIdentity = Source | { account: string };

export type FairQueue = {
  run<T>(caller: CallerIdentity, work: () => Promise<T>): Promise<T>;
};

type Waiting = { start: () => void; refuse: () => void };
type Network = Map<string, Waiting[]>;

/** A caller that waits longer than `waitMsMax` is refused. */
export type FairQueueOptions = { concurrency: number; waitingMax: number; waitMsMax: number; refusal: () => Error };

/**
 * Known accounts and other callers have a queue each. While both wait, they alternate, an account first. One call per account runs at a
 * time, so no account can use all of the concurrency.
 */
export const createFairQueue = (options: FairQueueOptions): FairQueue => {
  const { concurrency } = options;
  const [accounts, unknownCallers] = [createCallerQueue(), createCallerQueue()];
  const busy = new Set<string>();
  let running = 0;
  let lastServed: "account" | "unknown" = "unknown";

  const begin = (account: string | null): void => {
    running++;
    if (account !== null) busy.add(account);
    lastServed = account === null ? "unknown" : "account";
  };
  const startNext = (): void => {
    if (running >= concurrency) return;
    const [first, second] = lastServed === "account" ? [unknownCallers, accounts] : [accounts, unknownCallers];
    (first.take(busy) ?? second.take(busy))?.start();
  };
  const turn = (caller: CallerIdentity, account: string | null): Promise<void> => {
    const [queue, source] = account === null ? [unknownCallers, caller as Source] : [accounts, { network: account, host: account }];
    return waitIn(queue, source, options, () => begin(account));
  };

  return {
    async run(caller, work) {
      const account = "account" in caller ? caller.account : null;
      if (running >= concurrency || (account !== null && busy.has(account))) await turn(caller, account);
      else begin(account);
      try {
        return await work();
      } finally {
        running--;
        if (account !== null) busy.delete(account);
        startNext();
      }
    },
  };
};

type Bounds = Pick<FairQueueOptions, "waitingMax" | "waitMsMax" | "refusal">;

/** Resolves when the call may start. `begin` runs at that time. */
const waitIn = (queue: CallerQueue, source: Source, { waitingMax, waitMsMax, refusal }: Bounds, begin: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      clearTimeout(timer);
      end();
    };
    const waiting = {
      start: settle(() => {
        begin();
        resolve();
      }),
      refuse: settle(() => reject(refusal())),
    };
    const timer = setTimeout(() => {
      queue.remove(source, waiting);
      waiting.refuse();
    }, waitMsMax);
    // A full queue drops a call of the busiest caller for a caller with fewer waiting calls.
    if (queue.size() < waitingMax || queue.dropBusiest(source)) queue.add(source, waiting);
    else waiting.refuse();
  });

const largest = <V>(map: ReadonlyMap<string, V>, sizeOf: (value: V) => number): [string, V] | undefined =>
  [...map].reduce<[string, V] | undefined>((most, entry) => (most && sizeOf(most[1]) >= sizeOf(entry[1]) ? most : entry), undefined);

const countOf = (network: Network | undefined): number =>
  [...(network?.values() ?? [])].reduce((total, waiting) => total + waiting.length, 0);

type CallerQueue = ReturnType<typeof createCallerQueue>;

/** A Map keeps its insertion order: a caller that was served moves to the end. */
const createCallerQueue = () => {
  const networks = new Map<string, Network>();
  const size = (): number => [...networks.values()].reduce((total, network) => total + countOf(network), 0);
  const keep = <V extends { size?: number; length?: number }>(map: Map<string, V>, key: string, value: V): void => {
    map.delete(key);
    if ((value.size ?? value.length ?? 0) > 0) map.set(key, value);
  };
  return {
    size,
    add({ network, host }: Source, waiting: Waiting): void {
      const hosts = networks.get(network) ?? new Map<string, Waiting[]>();
      networks.set(network, hosts);
      const all = hosts.get(host) ?? [];
      hosts.set(host, all);
      all.push(waiting);
    },
    /** The next call whose network is not busy. */
    take(busy: ReadonlySet<string>): Waiting | undefined {
      const [network, hosts] = networks.entries().find(([name]) => !busy.has(name)) ?? [];
      const [host, all] = hosts?.entries().next().value ?? [];
      if (network === undefined || host === undefined || !hosts || !all) return undefined;
      const next = all.shift();
      keep(hosts, host, all);
      keep(networks, network, hosts);
      return next;
    },
    remove({ network, host }: Source, waiting: Waiting): void {
      const hosts = networks.get(network);
      const all = hosts?.get(host);
      if (!hosts || !all) return;
      const left = all.filter((one) => one !== waiting);
      if (left.length > 0) hosts.set(host, left);
      else hosts.delete(host);
      if (hosts.size === 0) networks.delete(network);
    },
    /** False when no caller has more waiting calls than this one would have. */
    dropBusiest({ network, host }: Source): boolean {
      const [busiest, hosts] = largest(networks, countOf) ?? [];
      const [name, all] = (hosts && largest(hosts, (waiting) => waiting.length)) ?? [];
      if (!hosts || name === undefined || !all) return false;
      const isOwn = busiest === network;
      const [theirs, ours] = isOwn ? [all.length, hosts.get(host)?.length ?? 0] : [countOf(hosts), countOf(networks.get(network))];
      if (theirs <= ours + 1) return false;
      all.pop()?.refuse();
      if (all.length === 0) hosts.delete(name);
      return true;
    },
  };
};

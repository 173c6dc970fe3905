/** A bounded queue in front of costly work: a few run at once, and those that wait take turns by who they are or where they come from. */
import type { Source } from "./network-source.ts";

/** An account that was recognised, by session or device; anybody else is known by their network only. */
export type Asker = Source | { account: string };

export type FairQueue = {
  run<T>(asker: Asker, work: () => Promise<T>): Promise<T>;
};

type Waiting = { start: () => void; refuse: () => void };
type Network = Map<string, Waiting[]>;

/** Who waits longer than `waitMsMax` is refused as well. */
export type FairQueueOptions = { concurrency: number; waitingMax: number; waitMsMax: number; refusal: () => Error };

/**
 * Accounts and strangers have a line each. While both wait they have every second turn, an account first. One of an account runs at a
 * time, so nobody who is signed in can take all places.
 */
export const createFairQueue = (options: FairQueueOptions): FairQueue => {
  const { concurrency } = options;
  const [accounts, strangers] = [createLine(), createLine()];
  const busy = new Set<string>();
  let running = 0;
  let hadTurn: "account" | "stranger" = "stranger";

  const begin = (account: string | null): void => {
    running++;
    if (account !== null) busy.add(account);
    hadTurn = account === null ? "stranger" : "account";
  };
  const startNext = (): void => {
    if (running >= concurrency) return;
    const [first, second] = hadTurn === "account" ? [strangers, accounts] : [accounts, strangers];
    (first.take(busy) ?? second.take(busy))?.start();
  };
  const turn = (asker: Asker, account: string | null): Promise<void> => {
    const [line, source] = account === null ? [strangers, asker as Source] : [accounts, { network: account, host: account }];
    return waitIn(line, source, options, () => begin(account));
  };

  return {
    async run(asker, work) {
      const account = "account" in asker ? asker.account : null;
      if (running >= concurrency || (account !== null && busy.has(account))) await turn(asker, account);
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

/** Resolves when it is this one's turn; `begin` runs at that moment. */
const waitIn = (line: Line, source: Source, { waitingMax, waitMsMax, refusal }: Bounds, begin: () => void): Promise<void> =>
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
      line.remove(source, waiting);
      waiting.refuse();
    }, waitMsMax);
    // A full line makes room for a caller that has fewer waiting than the busiest one.
    if (line.size() < waitingMax || line.dropBusiest(source)) line.add(source, waiting);
    else waiting.refuse();
  });

const largest = <V>(map: ReadonlyMap<string, V>, sizeOf: (value: V) => number): [string, V] | undefined =>
  [...map].reduce<[string, V] | undefined>((most, entry) => (most && sizeOf(most[1]) >= sizeOf(entry[1]) ? most : entry), undefined);

const countOf = (network: Network | undefined): number =>
  [...(network?.values() ?? [])].reduce((total, waiting) => total + waiting.length, 0);

type Line = ReturnType<typeof createLine>;

/** A Map keeps its order: who had a turn goes to its end. */
const createLine = () => {
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
    /** The next one whose network has nothing to wait for. */
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
    /** False when nobody has more waiting than the newcomer would have. */
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

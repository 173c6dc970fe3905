/** A bounded queue in front of costly work: a few run at once, and those that wait take turns by the network they come from. */
import type { Source } from "./network-source.ts";

export type FairQueue = {
  /** Null for a caller that cannot flood, such as a signed-in person: it goes before all others. */
  run<T>(source: Source | null, work: () => Promise<T>): Promise<T>;
};

type Waiting = { start: () => void; refuse: () => void };
type Network = Map<string, Waiting[]>;

export type FairQueueOptions = { concurrency: number; waitingMax: number; refusal: () => Error };

export const createFairQueue = ({ concurrency, waitingMax, refusal }: FairQueueOptions): FairQueue => {
  const trusted: Waiting[] = [];
  const line = createLine();
  let running = 0;

  const enter = (source: Source | null, waiting: Waiting): boolean => {
    if (source === null) return trusted.length < waitingMax && trusted.push(waiting) > 0;
    // A full line makes room for a caller that has fewer waiting than the busiest one.
    if (line.size() >= waitingMax && !line.dropBusiest(source)) return false;
    line.add(source, waiting);
    return true;
  };
  const turn = (source: Source | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiting = { start: resolve, refuse: () => reject(refusal()) };
      if (!enter(source, waiting)) waiting.refuse();
    });

  return {
    async run(source, work) {
      // The place of a caller that ended is handed over, so `running` stays as it is.
      if (running >= concurrency) await turn(source);
      else running++;
      try {
        return await work();
      } finally {
        const next = trusted.shift() ?? line.take();
        if (next) next.start();
        else running--;
      }
    },
  };
};

const largest = <V>(map: ReadonlyMap<string, V>, sizeOf: (value: V) => number): [string, V] | undefined =>
  [...map].reduce<[string, V] | undefined>((most, entry) => (most && sizeOf(most[1]) >= sizeOf(entry[1]) ? most : entry), undefined);

const countOf = (network: Network | undefined): number =>
  [...(network?.values() ?? [])].reduce((total, waiting) => total + waiting.length, 0);

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
    take(): Waiting | undefined {
      const [network, hosts] = networks.entries().next().value ?? [];
      const [host, all] = hosts?.entries().next().value ?? [];
      if (network === undefined || host === undefined || !hosts || !all) return undefined;
      const next = all.shift();
      keep(hosts, host, all);
      keep(networks, network, hosts);
      return next;
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

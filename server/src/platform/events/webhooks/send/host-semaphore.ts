/**
 * Limits how many requests run against one host at once; the others wait in order. A request's deadline starts when it gets
 * its slot. The HTTP agent has no limit of its own: its queue would count against the deadline.
 */
export const createHostSemaphore = (slots: number) => {
  const hosts = new Map<string, { taken: number; waiting: (() => void)[] }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const host = hosts.get(name) ?? { taken: 0, waiting: [] };
    hosts.set(name, host);
    if (host.taken < slots) host.taken++;
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

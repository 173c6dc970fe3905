/** A pool in which a test can hold a write at its begin or at its commit, to do something else meanwhile. */
import pg from "pg";
import type { Config } from "../../src/config.ts";
import { faultInjectingPool, type InjectedFault, type SentStatement } from "./fault-injection.ts";

export type PausePoint = {
  /** Resolves when the write has arrived there. */
  reached: Promise<void>;
  release(): void;
};

type ArmedPause = { point: "begin" | "commit"; left: number; reach(): void; released: Promise<void> };

export type PausingPool = {
  open(config: Config): pg.Pool;
  /** The next write that gets there, or the one after it: `turn` 2. */
  holdAt(point: ArmedPause["point"], turn?: number): PausePoint;
};

const textOf = (statement: unknown): string => (typeof statement === "string" ? statement : ((statement as SentStatement).text ?? ""));

/** Reads lock no access; their transactions pass. */
const isAt = ({ point }: ArmedPause, text: string): boolean => (point === "begin" ? text.includes("lock_access") : text === "commit");

/** What follows a statement that is held on the same connection waits behind it. */
export const createPausingPool = (plant: InjectedFault = () => null): PausingPool => {
  let armed: ArmedPause | null = null;
  const hold = (text: string): ArmedPause | null => {
    if (!armed || !isAt(armed, text) || --armed.left > 0) return null;
    const held = armed;
    armed = null;
    held.reach();
    return held;
  };
  const open = (config: Config): pg.Pool => {
    const pool = faultInjectingPool(plant)(config);
    pool.on("connect", (client) => {
      const send = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
      let queue: (() => void)[] | null = null;
      const flush = (): void => {
        const jobs = queue ?? [];
        queue = null;
        for (const job of jobs) job();
      };
      const held = (first: unknown, ...rest: unknown[]): unknown => {
        if (first instanceof pg.Query) return send(first, ...rest);
        const here = queue === null ? hold(textOf(first)) : null;
        if (here) {
          queue = [];
          void here.released.then(flush);
        }
        if (queue === null) return send(first, ...rest);
        const waiting = queue;
        return new Promise((resolve, reject) => waiting.push(() => void send(first, ...rest).then(resolve, reject)));
      };
      client.query = held as typeof client.query;
    });
    return pool;
  };
  const holdAt = (point: ArmedPause["point"], turn = 1): PausePoint => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    armed = { point, left: turn, reach: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  };
  return { open, holdAt };
};

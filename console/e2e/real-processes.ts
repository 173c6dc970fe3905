/** The real server as processes of their own behind one address, which a test can kill and start again. */
import { cloneDatabase } from "../../server/test/support/database.ts";
import { createFleet } from "../../server/test/support/processes.ts";
import { openDepsOf, operate, type RealServer, SHARED_SETTINGS } from "./real-server.ts";

export type RealProcesses = RealServer & {
  /** Ends all processes at once, as a crash would. `addProcess` starts one again. */
  kill(): Promise<void>;
  /** A further process behind the same address. */
  addProcess(): Promise<void>;
};

export const startRealProcesses = async (): Promise<RealProcesses> => {
  const database = await cloneDatabase();
  // A process says at this level that it listens.
  const fleet = await createFleet(database.appUrl, { ...SHARED_SETTINGS, LOG_LEVEL: "info" });
  const [deps, first] = await Promise.all([openDepsOf(database, fleet.port, {}), fleet.start()]);
  const processes = [first];
  return {
    ...operate({ database, deps, port: fleet.port, stop: fleet.close }),
    addProcess: async () => {
      processes.push(await fleet.start());
    },
    kill: async () => {
      await Promise.all(processes.splice(0).map((process) => process.kill()));
    },
  };
};

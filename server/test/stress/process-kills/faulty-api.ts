/** The service with a fault planted: events are written after the commit, in a transaction of their own. */
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../../src/compose/api.ts";
import { readConfig } from "../../../src/config.ts";
import { openPool } from "../../../src/db/pool.ts";
import { closeOnSignal, openDeps } from "../../../src/deps.ts";
import { faultInjectingPool, type SentStatement } from "../../support/fault-injection.ts";

/** Long enough for nearly every kill to fall into it, however little there is to write. */
const LATE_MS = 300;

const config = readConfig(process.env);
const held = new Map<object, SentStatement[]>();

const pool = faultInjectingPool((statement, connection) => {
  if (/^\s*with event as/.test(statement.text)) {
    held.set(connection, [...(held.get(connection) ?? []), statement]);
    return { text: "select 1" };
  }
  if (statement.text === "commit") {
    const events = held.get(connection) ?? [];
    setTimeout(() => void writeEvents(events), LATE_MS);
  }
  if (/^(begin|commit|rollback)/.test(statement.text)) held.delete(connection);
  return null;
})(config);

const deps = await openDeps(config, { pool });
const other = openPool({ url: config.databaseUrl, connectionsMax: 4, log: deps.log });

/** As reliable as a process can be that keeps in its memory what it has still to write: only a kill shows the fault. */
const writeEvents = async (events: SentStatement[]): Promise<void> => {
  for (const event of events)
    while (
      !(await writeEvent(event).then(
        () => true,
        () => false,
      ))
    )
      await sleep(LATE_MS);
};

const writeEvent = async (event: SentStatement): Promise<void> => {
  const client = await other.connect();
  let isLost = true;
  try {
    await client.query(`begin; select set_config('app.restaurant_id', '${event.values?.[0]}', true)`);
    await client.query(event);
    await client.query("commit");
    isLost = false;
  } finally {
    client.release(isLost);
  }
};

const app = await buildApp(deps);
const { host, port, reusePort } = config;
await app.http.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
closeOnSignal(deps, [app.stop]);

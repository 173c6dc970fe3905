/** The API in its own process, without connection scheduling by venue: connections are given first come, first served. */
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { replaceScheduler } from "../../src/db/connection-scheduler.ts";
import { openDb, openPool } from "../../src/db/pool.ts";
import { closeOnSignal, openDeps, openLog } from "../../src/deps.ts";
import { createRequestLogBuffer } from "../../src/platform/activity/request-log/service.ts";

const config = readConfig(process.env);
const pool = openPool({ url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax, log: openLog(config.logLevel) });
replaceScheduler(pool, Number.POSITIVE_INFINITY);
const deps = await openDeps(config, { pool });
const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
const app = await buildApp(deps, { requestLog });
await app.http.listen({ host: config.host, port: config.port });
closeOnSignal(deps, [app.stop, requestLog.stop]);

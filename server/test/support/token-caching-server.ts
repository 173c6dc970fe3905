/** The API in a process of its own that remembers tokens for a second: what a cache in the gate would do. */
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { openPool } from "../../src/db/pool.ts";
import { closeOnSignal, openDeps, openLog } from "../../src/deps.ts";
import { cachingPool } from "./caching-pool.ts";

const config = readConfig(process.env);
const pool = openPool({ url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax, log: openLog(config.logLevel) });
const deps = await openDeps(config, { pool: cachingPool(pool, 1000) });
const app = await buildApp(deps);
await app.http.listen({ host: config.host, port: config.port });
closeOnSignal(deps, [app.stop]);

/** The API in a process of its own that lends connections to whoever asks: what the service would be if venues took no turns. */
import { buildApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { lendFrom } from "../src/db/connections.ts";
import { openDb, openPool } from "../src/db/pool.ts";
import { closeOnSignal, openDeps, openLog } from "../src/deps.ts";
import { openNotebook } from "../src/platform/requests/service.ts";

const config = readConfig(process.env);
const pool = openPool({ url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax, log: openLog(config.logLevel) });
lendFrom(pool, Number.POSITIVE_INFINITY);
const deps = await openDeps(config, { pool });
const notebook = openNotebook(openDb(deps.pool), deps.log);
const app = await buildApp(deps, { notebook });
await app.http.listen({ host: config.host, port: config.port });
closeOnSignal(deps, [app.stop, notebook.stop]);

/** The API in a process of its own that writes the headers of every request into its log: the fault that a look at the log must find. */
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { closeOnSignal, openDeps } from "../../src/deps.ts";

const deps = await openDeps(readConfig(process.env));
const app = await buildApp(deps);
app.http.addHook("onResponse", async ({ headers }) => deps.log.debug({ headers }, "was asked"));
await app.http.listen({ host: deps.config.host, port: deps.config.port });
closeOnSignal(deps, [app.stop]);

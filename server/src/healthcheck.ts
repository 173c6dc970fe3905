/** Ends with 0 while the service in the same container answers at OPS_PORT. For container engines, which check health with a command. */
const { OPS_HOST = "127.0.0.1", OPS_PORT } = process.env;

/** Where a process that listens on all addresses is reached. */
const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[OPS_HOST] ?? OPS_HOST;

const isAlive = await fetch(`http://${host}:${OPS_PORT}/livez`, { signal: AbortSignal.timeout(2000) }).then(
  ({ ok }) => ok,
  () => false,
);
if (!OPS_PORT) process.stderr.write("OPS_PORT is not set, so the process cannot be asked whether it is alive.\n");
process.exitCode = isAlive ? 0 : 1;

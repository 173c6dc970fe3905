/** The container's health check command: exits with 0 while the service answers on OPS_PORT. */
const { OPS_HOST = "127.0.0.1", OPS_PORT } = process.env;

/** A process that listens on all addresses is reached on loopback. */
const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[OPS_HOST] ?? OPS_HOST;

const isAlive = await fetch(`http://${host}:${OPS_PORT}/livez`, { signal: AbortSignal.timeout(2000) }).then(
  ({ ok }) => ok,
  () => false,
);
if (!OPS_PORT) process.stderr.write("OPS_PORT is not set, so the process cannot be asked whether it is alive.\n");
process.exitCode = isAlive ? 0 : 1;

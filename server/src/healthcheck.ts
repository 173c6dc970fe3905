/** Ends with 0 while the process next door answers: the API at PORT, a pure worker at METRICS_PORT. For containers, which ask by a command. */
const port = process.env.HEALTH_PORT || process.env.METRICS_PORT || process.env.PORT || "4000";

const isAlive = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isAlive ? 0 : 1;

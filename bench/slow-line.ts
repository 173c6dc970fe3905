/** A fault for the tests of the smoke forms: a line to a service that holds each answer back. */
import { connect, createServer } from "node:net";
import { freePort } from "../server/test/support/processes.ts";

export const openSlowLine = async (port: number, delayMs: number): Promise<{ port: number; close(): void }> => {
  const own = await freePort();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.pipe(far);
    far.on("data", (chunk) => setTimeout(() => near.write(chunk), delayMs));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => undefined).on("close", () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  return { port: own, close: () => void server.close() };
};

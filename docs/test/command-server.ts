/** Runs a page's `comanda-admin` commands in the test's own process: as a process, each of them would take more than a second to start. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { comandaAdmin } from "../../server/test/support/run-admin.ts";

export type CommandServer = { url: string; close(): Promise<void> };

/**
 * The shell sends its folder, the number of arguments, the arguments and its environment, each ended by NUL. It gets the exit code; what the
 * command wrote is in two files in `OUT`.
 */
const runSent = async (sent: string): Promise<number> => {
  const [folder = "", count = "0", ...rest] = sent.split("\0").slice(0, -1);
  const args = rest.slice(0, Number(count));
  const entries = rest.slice(Number(count)).map((entry) => entry.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const environment: Record<string, string> = Object.fromEntries(entries);
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { code, stdout, stderr } = await comandaAdmin(args, environment);
    writeFileSync(join(environment.OUT ?? "", ".stdout"), stdout);
    writeFileSync(join(environment.OUT ?? "", ".stderr"), stderr);
    return code;
  } finally {
    process.chdir(before);
  }
};

export const startCommandServer = async (): Promise<CommandServer> => {
  const server = createServer((request, response) => {
    const answering = readText(request).then(async (sent) => response.end(String(await runSent(sent))));
    // The shell ends with the error of its request.
    answering.catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** `comanda logs tail`: the requests of a sandbox as they come. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Comanda, type Operations } from "@comanda/sdk";
import { type Command, isSet, JSON_OPTION, untilInterrupted } from "./command.ts";
import { CommandError, EXIT, explain, isTemporary } from "./errors.ts";
import { clockTime, note, paint, plain, print, printJson } from "./output.ts";
import { openService } from "./service.ts";
import { readLogin } from "./stored-login.ts";

type LoggedRequest = Operations["listSandboxRequests"]["data"][number];
type Show = (request: LoggedRequest) => void;

const WAIT_SECONDS = 20;
/** Each call counts as a request of the token, so a sandbox with much to do is read in parts, twenty times a minute. */
const GATHER_MS = 3000;
const AGAIN_AFTER_MS = 5000;

const colourOf = (status: number): "green" | "yellow" | "red" => (status < 400 ? "green" : status < 500 ? "yellow" : "red");

/** `18:04:11  POST /orders  422 validation_failed  4 ms  fields: customer_name (required)  01a1…` */
const lineOf = ({ id, at, method, path, status, code, gate, fields, reasons, ms }: LoggedRequest): string => {
  const why = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
  const refused = gate === null ? "" : `  ${gate}: ${fields.join(", ")}${why}`.replace(/: ?$/, "").replace(":  (", " (");
  const result = paint(colourOf(status), [status, code ?? ""].join(" ").trim());
  return `${paint("dim", clockTime(new Date(at)))}  ${method.padEnd(5)} ${plain(path ?? "(unknown path)")}  ${result}  ${ms} ms${plain(refused)}  ${paint("dim", id)}`;
};

/** To a live restaurant's token the sandbox's operations do not exist. */
const sayWhere = (rootUrl: string, error: unknown): unknown =>
  error instanceof ApiError && error.status === 404
    ? new CommandError(
        EXIT.failed,
        `This token is not the token of a sandbox, and only a sandbox's requests can be followed from here. Log in with the sandbox's token, or open Requests in the console: ${rootUrl}/console`,
      )
    : error;

const tail = async ({ sandbox }: Comanda, show: Show, signal: AbortSignal): Promise<void> => {
  let after = (await sandbox.listRequests({ after: "latest" }, { signal })).meta.cursor;
  let isLost = false;
  while (!signal.aborted)
    try {
      const { data, meta } = await sandbox.listRequests({ after, wait: WAIT_SECONDS }, { signal });
      if (isLost) note("Connected again.");
      isLost = false;
      after = meta.cursor;
      for (const request of data) show(request);
      if (data.length > 0 && !meta.has_more) await sleep(GATHER_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error)) throw error;
      if (!isLost) note(`${explain(error).message}\nTrying until it is there again.`);
      isLost = true;
      await sleep(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
};

export const logsCommand: Command = {
  summary: "follow the requests of a sandbox: `logs tail`",
  usage: "tail [--json]",
  words: [1, 1],
  options: { json: JSON_OPTION },
  more: [
    "A line has method, path, status, the code of an error, the time it took, the check that refused it with fields and reasons, and the request's id.\nNo value of a request is shown. A request comes about a second after its answer; those of this command are left out.",
    "Only the token of a sandbox can do this. Those of a live restaurant are in the console, under Requests.",
  ],
  async run(given) {
    if (given.words[0] !== "tail")
      throw new CommandError(EXIT.usage, `There is no \`comanda logs ${given.words[0]}\`. There is: logs tail.`);
    const login = readLogin();
    const asJson = isSet(given, "json");
    const signal = untilInterrupted();
    if (!asJson) note("Following the requests of the sandbox. Ctrl+C ends it.");
    try {
      await tail(openService(login), (request) => (asJson ? printJson(request) : print(lineOf(request))), signal);
    } catch (error) {
      if (!signal.aborted) throw sayWhere(login.rootUrl, error);
    }
  },
};

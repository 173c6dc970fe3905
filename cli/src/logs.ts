/** `comanda logs tail`: the requests of a sandbox as they come. */
import { type Comanda, followPages, type Operations } from "@comanda/sdk";
import { type Command, isSet, JSON_OPTION, untilInterrupted } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { watchOutage } from "./outage.ts";
import { clockTime, note, paint, print, printJson } from "./output.ts";
import { PROGRAM } from "./program.ts";
import { sayWhere } from "./sandbox-only.ts";
import { GATHER_MS, openService } from "./service.ts";
import { readLogin } from "./stored-login.ts";

type LoggedRequest = Operations["listSandboxRequests"]["data"][number];
type Show = (request: LoggedRequest) => void;

const colourOf = (status: number): "green" | "yellow" | "red" => (status < 400 ? "green" : status < 500 ? "yellow" : "red");

/** `18:04:11  POST /orders  422 validation_failed  4 ms  fields: customer_name (required)  01a1…` */
const printRequest = ({ id, at, method, path, status, code, gate, fields, reasons, ms }: LoggedRequest): void => {
  const why = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
  const refused = gate === null ? "" : `  ${gate}: ${fields.join(", ")}${why}`.replace(/: ?$/, "").replace(":  (", " (");
  print(
    paint("dim", clockTime(new Date(at))),
    `  ${method.padEnd(5)} ${path ?? "(unknown path)"}  `,
    paint(colourOf(status), [status, code ?? ""].join(" ").trim()),
    `  ${ms} ms${refused}  `,
    paint("dim", id),
  );
};

const tail = async ({ sandbox }: Comanda, show: Show, signal: AbortSignal): Promise<void> => {
  const { onRetry, onAnswer } = watchOutage("Trying until it is there again.");
  for await (const { data } of followPages(sandbox.listRequests, { after: "latest", gatherMs: GATHER_MS, signal, onRetry })) {
    onAnswer();
    for (const request of data) show(request);
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
      throw new CommandError(EXIT.usage, `There is no \`${PROGRAM} logs ${given.words[0]}\`. There is: logs tail.`);
    const login = readLogin();
    const asJson = isSet(given, "json");
    const signal = untilInterrupted();
    if (!asJson) note("Following the requests of the sandbox. Ctrl+C ends it.");
    try {
      await tail(openService(login), (request) => (asJson ? printJson(request) : printRequest(request)), signal);
    } catch (error) {
      if (!signal.aborted) sayWhere(error, ` For a live restaurant open Requests in the console: ${login.rootUrl}/console`);
    }
  },
};

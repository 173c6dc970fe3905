/** A service, its guests and its proxy may send anything: no command prints a character that a terminal obeys, and JSON keeps the value. */
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { note, paint, print, printJson } from "../src/output.ts";
import { type CommandOutcome, type InstalledCli, installCli, newMachine, runCommand, startCommand } from "./installed-cli.ts";

/** Clears the screen, sets the title, colours; turns the direction; ends the line; tags, and half a character. */
const HOSTILE = "Eve\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2028\r\nEve\u2066\u200b\u{e0067}\ud800.";
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u;

const EVENT = { id: HOSTILE, type: HOSTILE, created_at: HOSTILE, data: { order: { id: HOSTILE, customer: { name: HOSTILE } } } };
const REQUEST = { method: HOSTILE, path: HOSTILE, status: 422, code: HOSTILE, gate: HOSTILE, fields: [HOSTILE], reasons: [HOSTILE] };
const FEED = { count: 1, cursor: "c", has_more: false, cursors: ["c"] };
const ACTED = { subject: { type: HOSTILE, id: HOSTILE }, events: [{ type: HOSTILE, id: HOSTILE }] };

const ANSWERS: Record<string, object> = {
  "GET /api/v1/events": { data: [EVENT], meta: FEED, links: {} },
  "GET /api/v1/sandbox/requests": { data: [{ ...REQUEST, id: HOSTILE, at: "2026-11-14T12:00:00Z", ms: 1 }], meta: FEED, links: {} },
  "POST /api/v1/sandbox/act": { data: ACTED },
  "POST /api/v1/sandbox/clock": { data: { now: HOSTILE, ahead_seconds: 60 } },
  "POST /api/v1/sandbox/faults": { data: { faults: [{ fault: HOSTILE, operation: HOSTILE, left: 1 }] } },
};

let isRefusing = false;
let cli: InstalledCli;
let service: Server;
let environment: Record<string, string>;

beforeAll(async () => {
  cli = await installCli();
  service = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const answer = ANSWERS[`${request.method} ${path}`];
    const isFirst = request.url?.includes("after=latest");
    const error = { code: HOSTILE, message: HOSTILE, details: { [HOSTILE]: [HOSTILE] } };
    const body = isFirst && path.endsWith("/events") ? { data: [], meta: { ...FEED, count: 0, cursors: [] }, links: {} } : answer;
    response.writeHead(isRefusing || !body ? 422 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefusing || !body ? { error } : body));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  environment = { COMANDA_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, COMANDA_TOKEN: "1|svc_sbx_x" };
});
afterAll(() => {
  service?.closeAllConnections();
  service?.close();
  cli?.remove();
});

const run = (args: string[], main = cli.main): Promise<CommandOutcome> => runCommand(main, newMachine(cli.folder), args, { environment });
const obeyed = ({ stdout, stderr }: CommandOutcome): string[] => `${stdout}${stderr}`.split("\n").filter((line) => OBEYED.test(line));

/** Prints until something is there; then it is interrupted. */
const follow = async (args: string[]): Promise<CommandOutcome> => {
  const machine = newMachine(cli.folder);
  const command = startCommand(cli.main, { ...machine, environment: { ...machine.environment, ...environment } }, args);
  await vi.waitFor(() => expect(command.stdout()).toContain("Eve"), { timeout: 30_000 });
  command.child.kill("SIGINT");
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
};

const ENDING = [["events"], ["trigger", "order.created"], ["clock", "+1m"], ["fault", "slow"]];
const FOLLOWING = [
  ["logs", "tail"],
  ["listen", "--forward-to", "http://127.0.0.1:9/"],
];

describe.each([{ json: [] }, { json: ["--json"] }])("with $json", ({ json }) => {
  test.each(ENDING)("comanda %s %s", async (...words) => {
    const outcome = await run([...words, ...json]);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stdout).toContain("Eve");
    expect(obeyed(outcome)).toEqual([]);
    for (const line of json.length > 0 ? outcome.stdout.trim().split("\n") : [])
      expect(JSON.stringify(JSON.parse(line))).toContain("\\u001b[2J");
  });

  test.each(FOLLOWING)("comanda %s %s …", async (...words) => {
    const outcome = await follow([...words, ...json]);
    expect(obeyed(outcome)).toEqual([]);
  });
});

test("an event is the same value in JSON, and one line", async () => {
  const { stdout } = await run(["events", "--json"]);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toEqual({ cursor: "c", event: JSON.parse(JSON.stringify(EVENT)) });
});

describe("refusals", () => {
  afterEach(() => {
    isRefusing = false;
  });

  test.each([...ENDING, ["login"]])("comanda %s %s ends with a sentence", async (...words) => {
    isRefusing = true;
    const outcome = await run(words.filter((word) => typeof word === "string"));
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("Eve");
    expect(obeyed(outcome)).toEqual([]);
  });
});

test("what the shell gave is repeated without them too", async () => {
  const shell = HOSTILE.toWellFormed();
  for (const args of [[shell], ["events", shell], ["events", "--types", shell], ["trigger", shell], ["help", shell]])
    expect(obeyed(await run(args)), args[0]).toEqual([]);
});

test("planted: output that passes text on as it is, or JSON as JSON.stringify writes it, is found", async () => {
  const asText = cli.withFault({ file: "output.js", from: 'text.replace(UNSEEN, " ")', to: "text" });
  expect(obeyed(await run(["events"], asText))).not.toEqual([]);
  const asJson = cli.withFault({ file: "output.js", from: "JSON.stringify(value).replace(UNSEEN, escaped)", to: "JSON.stringify(value)" });
  expect(obeyed(await run(["events", "--json"], asJson))).not.toEqual([]);
});

test("on a terminal only the colours of the command itself are there", () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => written.push(String(text)) > 0);
    Object.defineProperty(stream, "isTTY", { value: true, configurable: true });
  }
  const { NO_COLOR, TERM } = process.env;
  delete process.env.NO_COLOR;
  process.env.TERM = "xterm";
  print(paint("green", HOSTILE), HOSTILE);
  note(paint("dim", HOSTILE));
  printJson(HOSTILE);
  for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, "isTTY");
  vi.restoreAllMocks();
  Object.assign(process.env, NO_COLOR === undefined ? {} : { NO_COLOR }, TERM === undefined ? {} : { TERM });
  expect(written).toHaveLength(3);
  const OWN = ["\u001b[32m", "\u001b[2m", "\u001b[0m"];
  const withoutOwn = written.map((text) => OWN.reduce((rest, colour) => rest.replace(colour, ""), text));
  expect(withoutOwn.filter((text) => OBEYED.test(text))).toEqual([]);
});

test("one file writes to the terminal; the prompt of login shows what is typed", () => {
  const folder = join(import.meta.dirname, "../src");
  const writing = globSync("*.ts", { cwd: folder }).filter((file) =>
    /process\.std(?:out|err)\.write|console\./.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(writing.sort()).toEqual(["login.ts", "output.ts"]);
});

/** The commands around several cells between two databases. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cloneDatabase, createCellDatabase, type TestDatabase } from "../../server/test/support/database.ts";
import { type AdminRun, comandaAdmin as run } from "../../server/test/support/run-admin.ts";
import { readSample } from "../../server/test/support/test-app.ts";
import { LATE_READS } from "./move.ts";

let cells: [TestDatabase, TestDatabase];
let folder: string;
let map: Server;
/** The commands that the proxy received over its socket. */
let told: string[] = [];
/** The map by which it routes. */
const routed = new Map<string, string>();
const changes = (): string[] => told.filter((command) => !command.startsWith("show"));

const sampleFile = (slug: string): string => {
  const file = readSample("lab");
  file.restaurant.slug = slug;
  const path = join(folder, `${slug}.json`);
  writeFileSync(path, JSON.stringify(file));
  return path;
};
const mapPath = (): string => join(folder, "moved.map");
/** Answers as HAProxy's socket does: an empty line is success. */
const answerOf = (command: string): string => {
  const [verb = "", , file = "", key = "", value = ""] = command.split(" ");
  told.push(command);
  if (command === "show map") return `# id (file) description\n-1 (${mapPath()}) pattern loaded`;
  if (file !== mapPath()) return "Unknown map identifier.";
  if (verb === "show") return [...routed].map((entry, place) => `0x55d${place} ${entry.join(" ")}`).join("\n");
  if (verb === "set" && !routed.has(key)) return "entry not found.";
  if (verb === "del") routed.delete(key);
  else routed.set(key, value);
  return "";
};
const socketPath = (): string => join(folder, "admin.sock");

// The commands run in this process. `venue-move.test.ts` reads while a venue leaves.
const lateReadsMs = LATE_READS.ms;

beforeAll(async () => {
  LATE_READS.ms = 200;
  folder = mkdtempSync(join(tmpdir(), "comanda-cells-"));
  cells = await Promise.all([cloneDatabase(), createCellDatabase(1)]);
  writeFileSync(mapPath(), "");
  map = createServer({ allowHalfOpen: true }, (line) => {
    line.on("data", (part: Buffer) => line.end(`${answerOf(part.toString().trim())}\n`));
  });
  await new Promise<void>((resolve) => map.listen(socketPath(), resolve));
});
beforeEach(() => {
  told = [];
});
afterAll(async () => {
  LATE_READS.ms = lateReadsMs;
  map.close();
  rmSync(folder, { recursive: true });
  await Promise.all(cells.map((cell) => cell.drop()));
});

/** Each command says first which databases it works on; `cli.test.ts` looks at that. */
const WHERE = /^PostgreSQL at .*\n/gm;

/** `from` is the cell whose operator types it. */
const comandaAdmin = async (from: 0 | 1, args: string[], environment: Record<string, string> = {}): Promise<AdminRun> => {
  const [here, there] = [cells[from], cells[1 - from] as TestDatabase];
  const settings = { DATABASE_URL: here.appUrl, MIGRATION_DATABASE_URL: here.ownerUrl, MOVE_TO_DATABASE_URL: there.ownerUrl };
  const outcome = await run(args, { ...settings, CELL: String(from), ...environment });
  return { ...outcome, stderr: outcome.stderr.replace(WHERE, "") };
};

const json = async (from: 0 | 1, ...args: string[]) => {
  const { code, stdout, stderr } = await comandaAdmin(from, [...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

const slugsIn = async (cell: 0 | 1): Promise<string[]> => (await json(cell, "venue", "list")).map(({ slug }: { slug: string }) => slug);

test("app copy: known in the other cell by the same id and secret, brought up to date by the next copy, ended by one after it", async () => {
  const options = ["--name", "Table Talk", "--developer", "Talk Ltd", "--site", "https://app.example", "--scopes", "menu:read"];
  const { client_id } = await json(0, "app", "register", ...options, "--redirect", "https://app.example/back");
  const secretsIn = (cell: 0 | 1) =>
    cells[cell].asOwner("select s.* from app_secrets s join apps a on a.id = s.app_id where a.client_id = $1 order by s.id", [client_id]);
  const said = { code: 0, stdout: `Cell 1 knows ${client_id} as this one does.\n`, stderr: "" };
  expect(await comandaAdmin(0, ["app", "copy", client_id])).toEqual(said);
  expect(await json(1, "app", "list")).toMatchObject([{ client_id, name: "Table Talk", withdrawn_at: null }]);
  expect(await secretsIn(1)).toEqual(await secretsIn(0));
  await json(0, "app", "roll", client_id, "--overlap", "1");
  expect(await comandaAdmin(0, ["app", "copy", client_id])).toEqual(said);
  const rolled = await secretsIn(1);
  expect(rolled).toHaveLength(2);
  expect(rolled).toEqual(await secretsIn(0));
  await json(0, "app", "withdraw", client_id);
  expect(await comandaAdmin(0, ["app", "copy", client_id])).toEqual(said);
  expect(await json(1, "app", "list")).toMatchObject([{ client_id, withdrawn_at: expect.any(String) }]);
});

test("venue move says what it does, and proxy map lists in the new cell what names another; back home nothing is listed", async () => {
  const { restaurant_id } = await json(0, "venue", "import", sampleFile("lab"));
  const { id } = await json(0, "token", "create", "lab", "--name", "till", "--scopes", "menu:read");
  const moved = await comandaAdmin(0, ["venue", "move", "lab", "--to", "1"]);
  expect([moved.code, moved.stderr.split("\n").at(0), moved.stderr.split("\n").at(-2)]).toEqual([
    0,
    "Copying while the venue works …",
    "Nothing but its name and tokens is left here.",
  ]);
  const [summary, advice, ...lines] = moved.stdout.trim().split("\n");
  expect(summary).toMatch(/^lab is in cell 1: [1-9]\d+ rows, writes waited \d+ ms\.$/);
  expect(advice).toContain("Add these lines to moved.map");
  expect(lines).toEqual([`venue:${restaurant_id} 1`, `token:${id} 1`]);
  expect(await slugsIn(1)).toEqual(["lab"]);
  expect(await comandaAdmin(1, ["proxy", "map"])).toEqual({ code: 0, stdout: `venue:${restaurant_id} 1\ntoken:${id} 1\n`, stderr: "" });
  expect(await comandaAdmin(0, ["proxy", "map"])).toEqual({ code: 0, stdout: "", stderr: "" });

  const back = await comandaAdmin(1, ["venue", "move", "lab", "--to", "0", "--proxy", socketPath(), "--json"]);
  expect(back.code).toBe(0);
  expect(JSON.parse(back.stdout)).toMatchObject({
    slug: "lab",
    cell: 0,
    homes: { cell: 0, venues: [restaurant_id], tokens: [id], grants: [] },
  });
  expect(changes()).toEqual([`del map ${mapPath()} venue:${restaurant_id}`, `del map ${mapPath()} token:${id}`]);
  expect(readFileSync(mapPath(), "utf8")).toBe("");
  expect((await comandaAdmin(1, ["proxy", "map"])).stdout).toBe("");

  const again = await comandaAdmin(0, ["venue", "move", "lab", "--to", "1", "--proxy", socketPath()]);
  expect([again.code, again.stdout.trim().split("\n").length]).toEqual([0, 1]);
  expect(changes().slice(2)).toEqual(
    [`venue:${restaurant_id} 1`, `token:${id} 1`].flatMap((line) => [`set map ${mapPath()} ${line}`, `add map ${mapPath()} ${line}`]),
  );
  // A reloaded proxy starts with what is in this file.
  expect(readFileSync(mapPath(), "utf8")).toBe(`venue:${restaurant_id} 1\ntoken:${id} 1\n`);
  const abort = await comandaAdmin(0, ["venue", "move", "lab", "--abort"]);
  expect([abort.code, abort.stderr]).toEqual([1, expect.stringContaining("is in the other cell already")]);
});

test("a move that is not committed is aborted, and the venue stays", async () => {
  const { restaurant_id: id } = await json(0, "venue", "import", sampleFile("bound"));
  const phasesIn = (cell: 0 | 1) => cells[cell].asOwner("select phase from venue_moves where restaurant_id = $1", [id]);
  // A command that was killed while it copied leaves this row.
  await cells[0].asOwner("insert into venue_moves (restaurant_id, phase, other_cell) values ($1, 'copying', 1)", [id]);
  expect(await json(0, "venue", "move", "bound", "--abort")).toEqual({ slug: "bound", aborted: true });
  expect(await phasesIn(0)).toEqual([]);
  expect(await slugsIn(0)).toContain("bound");
  expect(await slugsIn(1)).not.toContain("bound");
});

test("a mistake is one sentence on standard error, and nothing is touched", async () => {
  const mistakes: [string[], Record<string, string>, RegExp][] = [
    [["venue", "move", "bound"], {}, /^Name the cell to move to: --to 1\.\n$/],
    [["venue", "move", "bound", "--to", "7"], {}, /^MOVE_TO_DATABASE_URL is of cell 1, not of cell 7\.\n$/],
    [["venue", "move", "nowhere", "--to", "1"], {}, /^There is no venue "nowhere" in this cell\.\n$/],
    [["venue", "move", "bound", "--to", "1"], { MOVE_TO_DATABASE_URL: "" }, /MOVE_TO_DATABASE_URL is missing/],
    [["venue", "move", "bound", "--to", "0"], { MOVE_TO_DATABASE_URL: cells[0].ownerUrl }, /^Both addresses are of cell 0\.\n$/],
    [["venue", "move", "bound", "--to", "1"], { MIGRATION_DATABASE_URL: cells[0].appUrl }, /give it the owner of the schema in both cells/],
    [
      ["venue", "move", "bound", "--to", "1", "--proxy", `${socketPath()}=/nowhere/moved.map`],
      {},
      /^\/nowhere\/moved\.map.*cannot be written \(ENOENT\)/,
    ],
    [["venue", "move", "bound", "--to", "1", "--proxy", "/nowhere/admin.sock"], {}, /^The proxy at \/nowhere\/admin\.sock does not answer/],
    [["app", "copy", "svc_app_nobody"], {}, /^There is no app "svc_app_nobody" in this cell\.\n$/],
    [["app", "copy", "svc_app_nobody"], { MOVE_TO_DATABASE_URL: "" }, /MOVE_TO_DATABASE_URL is missing/],
    [["proxy", "map"], { MIGRATION_DATABASE_URL: "" }, /MIGRATION_DATABASE_URL is missing/],
  ];
  const states = () =>
    Promise.all(
      cells.map((cell) =>
        cell.asOwner("select r.slug, m.* from restaurants r left join venue_moves m on m.restaurant_id = r.id order by 1"),
      ),
    );
  const before = await states();
  for (const [args, environment, said] of mistakes) {
    const { code, stdout, stderr } = await comandaAdmin(0, args, environment);
    expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringMatching(said)]);
  }
  expect(await states()).toEqual(before);
});

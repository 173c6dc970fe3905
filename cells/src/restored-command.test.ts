/** `comanda-admin restored`: what it says, and what it refuses before anything is changed. */
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { cloneDatabase, copyDatabase, type TestDatabase } from "../../server/test/support/database.ts";
import { addRestoredCommand } from "./restored-command.ts";

let original: TestDatabase;
let copy: TestDatabase;

beforeAll(async () => {
  [original, copy] = await Promise.all([cloneDatabase(), copyDatabase()]);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => Promise.all([original.drop(), copy.drop()]));

const restored = async (url: string, args: string[], environment: Record<string, string> = {}): Promise<string> => {
  const settings = { MIGRATION_DATABASE_URL: url, CELL: "0", CELLS: "1", OUTBOUND: "on", CELL_DATABASE_URLS: "", ...environment };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const program = new Command();
  addRestoredCommand(program);
  await program.parseAsync(["restored", ...args], { from: "user" });
  return printed;
};

test("says whether it is a copy, what waits, and how it is released", async () => {
  expect(await restored(original.ownerUrl, [])).toContain("It is no restored copy.");
  const said = await restored(copy.ownerUrl, []);
  expect(said).toContain("is a restored copy of comanda_test_");
  expect(said).toMatch(/WHAT +COUNT +OLDEST DUE AT +LATEST DUE AT\npushes to tills +0 +– +–\nmails and text messages +0/);
  expect(said).toContain("The last order is of never");
  expect(said).toContain("comanda-admin restored --release --since");
});

test("a mistake is one sentence, and the copy is still held", async () => {
  const { ownerUrl, appUrl } = copy;
  const mistakes: [string, string[], Record<string, string>, RegExp][] = [
    [ownerUrl, ["--release"], {}, /^Say what to send: --since/],
    [ownerUrl, ["--release", "--all", "--none"], {}, /^Say what to send: --since/],
    [ownerUrl, ["--all"], {}, /^--since, --all and --none are for --release/],
    [ownerUrl, ["--release", "--since", "yesterday"], {}, /^--since takes a date-time/],
    [ownerUrl, ["--release", "--all"], { CELLS: "2" }, /CELL_DATABASE_URLS \(0 of 1 are there\)/],
    [ownerUrl, ["--release", "--all"], { CELL: "3" }, /CELL_DATABASE_URLS \(0 of 1 are there\)/],
    [ownerUrl, ["--release", "--all"], { CELL_DATABASE_URLS: ownerUrl }, /names cell 0 itself/],
    [ownerUrl, ["--release", "--all"], { CELL_DATABASE_URLS: "db1" }, /CELL_DATABASE_URLS must be addresses/],
    [appUrl, ["--release", "--all"], {}, /give it the owner of the schema/],
    ["", [], { DATABASE_URL: appUrl }, /MIGRATION_DATABASE_URL is missing/],
    // What waits in a database that is no copy is about to be sent: it is not given up by mistake.
    [original.ownerUrl, ["--release", "--none"], {}, /^This database is no restored copy/],
  ];
  for (const [url, args, environment, said] of mistakes) await expect(restored(url, args, environment), String(said)).rejects.toThrow(said);
  expect(await restored(ownerUrl, [])).toContain("is a restored copy");
});

test("released it is no copy any more; after a recovery in place OUTBOUND=off allows the same", async () => {
  expect(await restored(copy.ownerUrl, ["--release", "--since", "2027-01-31T12:00:00Z"])).toBe(
    "Cell 0 is released: its processes serve and send within a second.\nGiven up as not sent: 0 messages and pushes, 0 deliveries, of 0 venues.\nNo other cell was compared.\n",
  );
  expect(await restored(copy.ownerUrl, [])).toContain("It is no restored copy.");
  expect(await restored(original.ownerUrl, ["--release", "--none"], { OUTBOUND: "off" })).toContain("is released");
});

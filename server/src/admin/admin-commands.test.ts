/** The operator's commands as a person or a script sees them. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { type AdminRun, comandaAdminProcess, comandaAdmin as run } from "../../test/support/run-admin.ts";

const SAMPLE = fileURLToPath(new URL("../../samples/lab.json", import.meta.url));

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const comandaAdmin = (args: string[], environment: Record<string, string> = {}): Promise<AdminRun> =>
  run(args, { DATABASE_URL: database.appUrl, ...environment });

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await comandaAdmin([...args, "--json"]);
  expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+, database \w+, cell 0\n$/);
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

test("import, list, token and audit each print one JSON value", async () => {
  const imported = await json("venue", "import", SAMPLE);
  expect(imported).toEqual({ slug: "lab", restaurant_id: expect.any(Number) });
  expect(await json("venue", "list")).toEqual([{ ...imported, currency: "USD", zone: "UTC", plan: "complete", state: "active" }]);
  const token = await json("token", "create", "lab", "--name", "till", "--scopes", "menu:read,menu:write", "--rate", "120");
  expect(token).toMatchObject({ slug: "lab", name: "till", scopes: ["menu:read", "menu:write"], rate_per_minute: 120, expires_at: null });
  expect(token.token).toMatch(new RegExp(`^${token.id}\\|svc_[0-9A-Za-z]{48}$`));
  const listed = await json("token", "list", "lab");
  expect(listed[0]).toMatchObject({ id: token.id, state: "active" });
  expect(JSON.stringify(listed)).not.toContain(token.token.split("|")[1]);
  expect(await json("token", "revoke", String(token.id))).toEqual({ id: token.id, revoked: true });
  expect((await json("token", "list", "lab"))[0].state).toBe("revoked");
  const audit = await json("audit", "lab");
  expect(audit.map((entry: { action: string }) => entry.action)).toEqual(["token.revoked", "token.created", "venue.imported"]);
  expect(audit[0].actor_kind).toBe("operator");
});

test("without a mail server an invitation is a link to hand over, and no mail is queued that would make another of it", async () => {
  await json("venue", "import", SAMPLE);
  const invite = (slug: string) => ["staff", "invite", slug, "--email", "you@example.com", "--name", "You", "--role", "owner"];
  const { link } = await json(...invite("lab"));
  expect(link).toMatch(/\/console\/link#\w{20,}$/);
  const queued = () => database.asOwner("select from jobs.job_common where name = 'send-link'");
  expect(await queued()).toHaveLength(0);
  const { code, stdout } = await comandaAdmin([...invite("lab"), "--json"], { SMTP_URL: "smtp://127.0.0.1:1" });
  expect([code, JSON.parse(stdout).link]).toEqual([0, null]);
  expect(await queued()).toHaveLength(1);
});

test("an app is registered, listed, rolled and withdrawn", async () => {
  const options = ["--name", "Table Talk", "--developer", "Talk Ltd", "--site", "https://app.example", "--scopes", "menu:read"];
  const { client_id, client_secret } = await json("app", "register", ...options, "--redirect", "https://app.example/back");
  expect([client_id, client_secret]).toEqual([expect.stringMatching(/^svc_app_/), expect.stringMatching(/^svc_cs_/)]);
  const rolled = await json("app", "roll", client_id, "--overlap", "1");
  expect(rolled.client_secret).not.toBe(client_secret);
  const listed = await json("app", "list");
  expect(listed).toMatchObject([{ client_id, secrets: [{ expires_at: expect.any(String) }, { expires_at: null }], installations: 0 }]);
  expect(JSON.stringify(listed)).not.toContain(client_secret);
  const refused = await comandaAdmin(["app", "register", ...options, "--redirect", "http://app.example/back"]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/\nredirect_uris\.0: Must start with https:\/\/ \(http:\/\/ only for localhost\)\.\n$/),
  ]);
  expect(await json("app", "withdraw", client_id)).toEqual({ client_id, venues: 0 });
  expect((await comandaAdmin(["app", "roll", client_id])).stderr).toContain("There is no app");
});

test("a venue can be suspended, resumed, lapsed, renewed and put on another plan", async () => {
  await json("venue", "import", SAMPLE);
  expect(await json("venue", "set", "lab", "--suspend")).toMatchObject({ state: "suspended" });
  expect(await json("venue", "set", "lab", "--resume", "--plan", "essential")).toMatchObject({ state: "active", plan: "essential" });
  expect(await json("venue", "set", "lab", "--lapse")).toMatchObject({ state: "lapsed" });
  expect(await json("venue", "set", "lab", "--renew")).toMatchObject({ state: "active" });
  expect(await json("venue", "set", "lab", "--lapse", "2099-01-01T00:00:00Z")).toMatchObject({ state: "active" });
});

test("D137 a sandbox is opened, shown, given another token and reset; it is in no list", async () => {
  await json("venue", "import", SAMPLE);
  const created = await json("sandbox", "create", "lab");
  expect(created).toMatchObject({ slug: "lab.sandbox", restaurant_id: expect.any(Number), currency: "USD", zone: "UTC", reset_at: null });
  expect(created.token).toMatch(/^\d+\|svc_sbx_[0-9A-Za-z]{48}$/);
  expect(new Date(created.next_reset_at).getUTCHours()).toBe(3);
  const shown = await json("sandbox", "show", "lab");
  expect(shown).toEqual({ ...created, token: expect.objectContaining({ id: Number(created.token.split("|")[0]), last_used_at: null }) });
  expect(JSON.stringify(shown)).not.toContain(created.token.split("|")[1]);
  const renewed = await json("sandbox", "token", "lab");
  expect(renewed.id).toBeGreaterThan(shown.token.id);
  expect((await json("sandbox", "show", "lab")).token.id).toBe(renewed.id);
  expect(await json("sandbox", "reset", "lab")).toMatchObject({ reset_at: expect.any(String), next_reset_at: created.next_reset_at });
  expect((await json("venue", "list")).map(({ slug }: { slug: string }) => slug)).toEqual(["lab"]);
  expect((await json("audit", "lab.sandbox")).map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
    "sandbox.reset",
    "token.created",
    "token.revoked",
  ]);
  expect((await json("audit", "lab"))[0]).toMatchObject({ action: "sandbox.registered", subject_id: String(created.restaurant_id) });
  const { stdout } = await comandaAdmin(["sandbox", "token", "lab"]);
  expect(stdout).toMatch(/^\d+\|svc_sbx_.*\n\nKeep it now[\s\S]*curl -s http:\S+\/api\/v1\/menus -H 'Authorization: Bearer \d+\|svc_sbx_/);
});

test("a mistake is one sentence that says what to do, on standard error, with exit code 1", async () => {
  const mistakes: [string[], RegExp][] = [
    [["token", "create", "nowhere", "--name", "x", "--scopes", "all"], /There is no venue "nowhere".*venue list/],
    [["token", "create", "lab", "--name", "x", "--scopes", "menu:eat"], /Unknown scope menu:eat.*menu:read/],
    [["token", "revoke", "999"], /There is no token 999/],
    [["venue", "set", "lab"], /Say what to set/],
    [["venue", "set", "lab", "--plan", "gold"], /There is no plan "gold".*essential/],
    [["venue", "import", "/nonexistent.json"], /cannot be read/],
    [["sandbox", "create", "lab"], /has a sandbox already.*comanda-admin sandbox token lab/],
    [["sandbox", "show", "lab.sandbox"], /has no sandbox/],
    [["venue", "set", "lab.sandbox", "--suspend"], /plan and suspension cannot be changed/],
    [["token", "create", "lab.sandbox", "--name", "x", "--scopes", "all"], /comanda-admin sandbox token/],
  ];
  for (const [args, sentence] of mistakes) {
    const { code, stdout, stderr } = await comandaAdmin(args);
    expect(code, args.join(" ")).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/ {4}at /);
  }
});

test("as a process: tables for people, JSON for programs, a sentence and exit code 1 for a mistake", async () => {
  const settings = { DATABASE_URL: database.appUrl };
  const [people, programs, mistake] = await Promise.all([
    comandaAdminProcess(["venue", "list"], settings),
    comandaAdminProcess(["venue", "list", "--json"], settings),
    comandaAdminProcess(["token", "revoke", "999"], settings),
  ]);
  expect(people.stdout.split("\n")[0]).toMatch(/^SLUG +RESTAURANT ID +CURRENCY/);
  expect(JSON.parse(programs.stdout)).toMatchObject([{ slug: "lab" }]);
  const where = expect.stringMatching(/^PostgreSQL at .*\n$/);
  expect([people.code, people.stderr, programs.code, programs.stderr]).toEqual([0, where, 0, where]);
  expect(mistake).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/\nThere is no token 999.*\n$/) });
  expect(await comandaAdmin(["venue", "list"])).toEqual(people);
  expect(await comandaAdmin(["token", "revoke", "999"])).toEqual(mistake);
});

test("migrate says what it did, and needs the owner's address", async () => {
  const refused = await comandaAdmin(["migrate"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/MIGRATION_DATABASE_URL/);
  const { stdout } = await comandaAdmin(["migrate"], { MIGRATION_DATABASE_URL: database.ownerUrl });
  expect(stdout).toBe("The database is up to date.\n");
});

/** The commands as processes against a running service: what they print, store and send, and how they end. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signWebhook, verifyWebhook, type WebhookEvent } from "../../sdk/src/index.ts";
import { type RunningService, startService } from "../../sdk/test/running-service.ts";
import { createSandbox, freshSandbox } from "../../server/src/admin/sandbox.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { openDb } from "../../server/src/db/pool.ts";
import { createRequestLogBuffer } from "../../server/src/platform/activity/request-log/service.ts";
import { deliver, type Sender } from "../../server/src/platform/events/webhooks/service/messages.ts";
import { freePort } from "../../server/test/support/processes.ts";
import { type InstalledCli, installCli, type Machine, newMachine, runCommand, runEach, startCommand } from "./installed-cli.ts";
import { startLocalReceiver } from "./local-receiver.ts";

const SETTINGS = { RATE_PER_MINUTE: "1000000", ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}` };

let cli: InstalledCli;
let service: RunningService;
let dishId: number;
beforeAll(async () => {
  [cli, service] = await Promise.all([installCli(), startService(SETTINGS)]);
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(async () => {
  await service?.close();
  cli?.remove();
});

const place = async (name: string): Promise<string> => {
  const body = { type: "pickup", customer_name: name, customer_phone: "+44 1", lines: [{ item_id: dishId, quantity: 1 }] };
  return (await service.app.call(service.venue.token, "POST", "/orders", { body })).body.data.id;
};

const run = (machine: Machine, args: string[], options: Parameters<typeof runCommand>[3] = {}) =>
  runCommand(cli.main, machine, args, options);

/** What the first login stored, for the other machines. */
let storedLogin: Buffer | undefined;

const loggedIn = async (): Promise<Machine> => {
  const machine = newMachine(cli.folder);
  if (storedLogin === undefined) {
    const { code, stderr } = await run(machine, ["login", "--url", service.rootUrl, "--token", service.venue.token]);
    expect([code, stderr]).toEqual([0, ""]);
    storedLogin = readFileSync(loginFile(machine));
  } else {
    mkdirSync(dirname(loginFile(machine)), { recursive: true, mode: 0o700 });
    writeFileSync(loginFile(machine), storedLogin, { mode: 0o600 });
  }
  return machine;
};

const loginFile = ({ home }: Machine): string => join(home, ".config/comanda/login.json");

describe("usage", () => {
  test("--version and --help answer without a login; a mistake says what is right, with an exit code of its own", async () => {
    const machine = newMachine(cli.folder);
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await run(machine, ["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await run(machine, ["--help"]);
    expect(help.code).toBe(0);
    const names = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
    expect(names).toContain("listen");
    const helps = await runEach(cli.main, machine, [...names.map((name) => [name, "--help"]), ["help", "listen"]]);
    expect(helps.pop()).toEqual(helps[names.indexOf("listen")]);
    for (const [index, { code, stdout }] of helps.entries())
      expect([code, stdout]).toEqual([0, expect.stringContaining(`comanda ${names[index]}`)]);
    const mistakes: [string[], number, string][] = [
      [["listne"], 2, 'There is no command "listne". There are: login, '],
      [["help", "listne"], 2, 'There is no command "listne". There are: login, '],
      [["help", "toString"], 2, 'There is no command "toString". There are: login, '],
      [["listen"], 2, "--forward-to http://localhost:3000/"],
      [["listen", "--forwad"], 2, "Unknown option '--forwad'. Run `comanda listen --help`"],
      [["listen", "--forward-to", "ftp://x"], 2, "no address to forward to"],
      [["listen", "--forward-to", "http://ada:secret@localhost:3000/"], 2, "has a user name or a password"],
      [["login", "--url", "http://127.evil.invalid", "--token", "x"], 4, "sent in clear text"],
      [["events", "--types", "order.eaten"], 2, 'There is no type "order.eaten". There are: ping, order.created'],
      [["replay", "--forward-to", "3000"], 2, "--since 30m"],
      [["trigger"], 2, "comanda trigger --help"],
      [["trigger", "order.eaten"], 2, 'There is no type "order.eaten"'],
      [["logs"], 2, "comanda logs --help"],
      [["logs", "head"], 2, "There is: logs tail."],
      [["events"], 3, "Run `comanda login` first."],
      [["login", "--url", "comanda.example", "--token", "x"], 2, "no address of a service"],
      [["login", "--url", "localhost:4000/api/v1", "--token", "x"], 2, "Give one such as http://localhost:4000\n"],
      [["login", "--url", "https://ada:secret@comanda.example", "--token", "x"], 2, "no address of a service"],
      [["login", "--url", service.rootUrl], 2, "There is no token."],
      [["login", "--url", `http://127.0.0.1:${await freePort()}`, "--token", "1|svc_x"], 4, "could not be reached. (ECONNREFUSED)"],
    ];
    const args = mistakes.map(([given]) => given);
    const runs = await runEach(cli.main, machine, args);
    for (const [index, [given, code, sentence]] of mistakes.entries())
      expect(runs[index], given.join(" ")).toEqual({ code, stdout: "", stderr: expect.stringContaining(sentence) });
    expect(existsSync(loginFile(machine))).toBe(false);
    // Runs the command as a process: its exit code, and nothing on stdout.
    expect(await run(machine, args[0] ?? [])).toEqual(runs[0]);
  });

  test("what to type next is said as it was typed: under npx, by the package's name", async () => {
    const environment = { npm_command: "exec" };
    const machine = newMachine(cli.folder);
    expect((await run(machine, ["events"], { environment })).stderr).toContain("Run `npx @comanda/cli login` first.");
    const done = await run(machine, ["login", "--url", service.rootUrl, "--token", service.venue.token], { environment });
    expect(done.stdout).toContain("Next: npx @comanda/cli listen --forward-to ");
    expect((await run(machine, ["--help"], { environment })).stdout).not.toMatch(/(?<!npx @)\bcomanda [A-Za-z]+ /);
  });
});

describe("login", () => {
  test("stores what was tried, for its owner alone; a token that is refused is not stored", async () => {
    const machine = newMachine(cli.folder);
    const refused = await run(machine, ["login", "--url", service.rootUrl], { input: "1024|svc_wrong\n" });
    expect(refused).toEqual({ code: 3, stdout: "", stderr: expect.stringContaining("[401 ") });
    expect(existsSync(loginFile(machine))).toBe(false);
    const done = await run(machine, ["login", "--url", `${service.rootUrl}/api/v1/`], { input: `${service.venue.token}\n` });
    expect(done).toEqual({ code: 0, stdout: expect.stringContaining(`Logged in to ${service.rootUrl}, a live restaurant.`), stderr: "" });
    expect(done.stdout + done.stderr).not.toContain(service.venue.token);
    expect([statSync(loginFile(machine)).mode & 0o777, statSync(join(machine.home, ".config/comanda")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const stored = JSON.parse(readFileSync(loginFile(machine), "utf8"));
    expect(stored).toEqual({
      root_url: service.rootUrl,
      token: service.venue.token,
      signing_secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
    });
    const again = await run(machine, ["login"], { environment: { COMANDA_URL: service.rootUrl, COMANDA_TOKEN: service.venue.token } });
    expect(again.code).toBe(0);
    expect(await run(machine, ["listen", "--print-secret"])).toMatchObject({ stdout: `${stored.signing_secret}\n` });
    const half = await run(machine, ["events"], { environment: { COMANDA_URL: "http://evil.example" } });
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("belong together") });
    writeFileSync(loginFile(machine), "{", { mode: 0o600 });
    expect(await run(machine, ["events"])).toMatchObject({ code: 1, stderr: expect.stringContaining("is damaged. Delete it") });
    expect((await run(machine, ["logout"])).code).toBe(0);
    expect(existsSync(loginFile(machine))).toBe(false);
  });
});

describe("events", () => {
  test("lists the latest as lines and as JSON without colours, and follows", async () => {
    const machine = await loggedIn();
    await place("first");
    const [second, third] = [await place("second"), await place("\u001b[31mthird")];
    const list = await run(machine, ["events", "--types", "order.created", "--limit", "2"]);
    expect(list.stdout.trim().split("\n")).toEqual([expect.stringContaining(`order ${second}`), expect.stringContaining(`order ${third}`)]);
    expect(list.stdout + list.stderr).not.toContain("\u001b");
    const json = await run(machine, ["events", "--json", "--types", "order.created", "--limit", "1"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      cursor: expect.any(String),
      event: { type: "order.created", data: { order: { id: third } } },
    });
    const following = startCommand(cli.main, machine, ["events", "--follow", "--json", "--types", "order.created", "--limit", "1"]);
    await expect.poll(following.stdout).toContain(third);
    const fourth = await place("fourth");
    await expect.poll(following.stdout).toContain(fourth);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(0);
    expect(following.stdout().trim().split("\n")).toHaveLength(2);
  });
});

describe("listen", () => {
  test("forwards with the bytes and headers of a delivery, in order, and goes on where it stopped", async () => {
    const machine = await loggedIn();
    const receiver = await startLocalReceiver();
    const first = startCommand(cli.main, machine, ["listen", "--forward-to", receiver.url]);
    await expect.poll(first.stdout).toContain("Forwarding");
    const second = await run(machine, ["listen", "--forward-to", receiver.url]);
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Process ${first.child.pid} forwards to ${receiver.url} already`),
    });
    const forwarded = await place("forwarded");
    await service.app.call(service.venue.token, "POST", `/orders/${forwarded}/status`, { body: { status: "accepted" } });
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(2);
    // A lock that is another's by now is not removed.
    const folder = join(machine.home, ".local/state/comanda");
    const lockPath = join(folder, readdirSync(folder).find((name) => name.endsWith(".lock")) ?? "");
    const stale = "2147483646";
    writeFileSync(lockPath, stale);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(readFileSync(lockPath, "utf8")).toBe(stale);
    // Several commands find the lock of an ended process; exactly one takes it over.
    const rivals = [1, 2, 3, 4].map(() => startCommand(cli.main, machine, ["listen", "--forward-to", receiver.url]));
    await expect.poll(() => rivals.filter(({ child }) => child.exitCode === null).length).toBe(1);
    const winner = rivals.find(({ child }) => child.exitCode === null);
    await expect.poll(() => winner?.stdout()).toContain("Forwarding");
    expect(readFileSync(lockPath, "utf8")).toBe(String(winner?.child.pid));
    winner?.child.kill("SIGTERM");
    expect(await winner?.ended).toBe(0);
    expect(readdirSync(folder).filter((name) => !name.endsWith(".json"))).toEqual([]);

    const secret = /Signing secret: (\S+)/.exec(first.stdout())?.[1] ?? "";
    const stored = await service.app.database.asOwner<{ id: string; type: string; body: string }>(
      "select e.id, e.type, e.body from events e join changes c on c.restaurant_id = e.restaurant_id and c.event_id = e.id where e.restaurant_id = $1 order by c.number, c.position",
      [service.venue.id],
    );
    const ids = receiver.received.map(({ headers }) => headers["service-delivery"]);
    expect(receiver.received.map(({ body }) => body)).toEqual(stored.slice(-ids.length).map(({ body }) => body));
    let sent: Record<string, string> = {};
    const send = async ({ headers }: { headers: Record<string, string> }): Promise<void> => {
      sent = headers;
    };
    const sender = { send } as unknown as Sender;
    for (const { path, headers, body } of receiver.received) {
      expect(path).toBe("/comanda");
      const event = (await verifyWebhook({ body, headers, secret })) as WebhookEvent;
      const { "service-signature": own, ...standard } = headers;
      await verifyWebhook({ body, headers: standard, secret });
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      expect(own).toBe(await signWebhook(body, secret, at));
      await deliver(sender, { url: receiver.url, secrets: [secret], event, body, at });
      const expected = Object.entries(sent).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
      expect(headers).toMatchObject(Object.fromEntries(expected));
    }

    const missed = await place("while it was off");
    const again = startCommand(cli.main, machine, ["listen", "--forward-to", receiver.url, "--types", "order.created", "--json"]);
    await expect.poll(() => receiver.received.at(-1)?.body).toContain(missed);
    expect(JSON.parse(again.stdout().split("\n")[0] ?? "")).toEqual({ listening: true, forward_to: receiver.url, signing_secret: secret });
    again.child.kill("SIGINT");
    expect(await again.ended).toBe(0);
    expect(receiver.received.filter(({ body }) => body.includes('"order.created"'))).toHaveLength(2);
    await receiver.close();
  });

  test("an event that is not answered with 2xx is sent again, and the next ones wait; --attempts skips it", async () => {
    const machine = await loggedIn();
    const receiver = await startLocalReceiver();
    const args = ["listen", "--forward-to", receiver.url, "--types", "order.created"];
    const listening = startCommand(cli.main, machine, args);
    await expect.poll(listening.stdout).toContain("Forwarding");
    receiver.behave(({ count }) => (count === 1 ? 500 : 200));
    const [failed, next] = [await place("fails once"), await place("next")];
    await expect.poll(() => receiver.received.length).toBe(3);
    const orderOf = ({ body }: { body: string }) => JSON.parse(body).data.order.id;
    expect(receiver.received.map(orderOf)).toEqual([failed, failed, next]);
    await expect.poll(listening.stdout).toMatch(/500 in \d+ ms, again in 1 s[\s\S]*200 in/);
    await receiver.close();
    const late = await place("nothing listens");
    await expect.poll(listening.stdout).toContain("nothing listens there, again in 1 s");
    const back = await startLocalReceiver(receiver.port);
    await expect.poll(() => back.received.map(orderOf)).toEqual([late]);
    listening.child.kill("SIGINT");
    await listening.ended;
    back.behave(({ count }) => (count === 2 ? 500 : 200));
    const giving = startCommand(cli.main, machine, [...args, "--attempts", "1"]);
    const [skipped, kept] = [await place("skipped"), await place("kept")];
    await expect.poll(() => back.received.map(orderOf)).toEqual([late, skipped, kept]);
    await expect.poll(giving.stderr).toContain("Skipped. To send it again: comanda replay ");
    giving.child.kill("SIGINT");
    expect(await giving.ended).toBe(0);
    await back.close();
  });

  test("ends with what to do when the position is gone or another restaurant's token is used, and keeps both positions", async () => {
    const machine = await loggedIn();
    const receiver = await startLocalReceiver();
    const args = ["listen", "--forward-to", receiver.url, "--types", "order.created"];
    const gone = await run(machine, [...args, "--from", "nonsense"]);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("after: Is not a position of this feed.") });
    const stop = async (listening: ReturnType<typeof startCommand>) => {
      await expect.poll(() => listening.stdout() + listening.stderr()).toContain("Forwarding");
      listening.child.kill("SIGINT");
      expect(await listening.ended).toBe(0);
    };
    await stop(startCommand(cli.main, machine, args));
    const missed = await place("while the other was used");
    const other = await service.app.venue("lab", (file) => {
      file.restaurant.slug = "other-lab";
    });
    const environment = { ...machine.environment, COMANDA_URL: service.rootUrl, COMANDA_TOKEN: other.token };
    await stop(startCommand(cli.main, { ...machine, environment }, args));
    const back = startCommand(cli.main, machine, args);
    await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.order.id)).toEqual([missed]);
    back.child.kill("SIGINT");
    await back.ended;
    await receiver.close();
  });
});

describe("trigger", () => {
  test("each of the 17 types is caused in a sandbox and arrives; a live token is told why not", async () => {
    const sandbox = (await createSandbox(service.app.deps, service.venue.slug, 1_000_000)) ?? expect.fail("no sandbox");
    const machine = newMachine(cli.folder);
    const login = await run(machine, ["login", "--url", service.rootUrl, "--token", sandbox.token]);
    expect(login.stdout).toContain("a sandbox");
    const receiver = await startLocalReceiver();
    const listening = startCommand(cli.main, machine, ["listen", "--forward-to", receiver.url]);
    await expect.poll(listening.stdout).toContain("Forwarding");
    const { code, stdout } = await run(machine, ["trigger", "--json", ...EVENT_TYPES]);
    expect(code).toBe(0);
    const caused = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(caused.map(({ event }) => event)).toEqual(EVENT_TYPES);
    for (const { event, events } of caused) expect(events.map(({ type }: { type: string }) => type)).toContain(event);
    const ids = caused.flatMap(({ events }) => events.map(({ id }: { id: string }) => id));
    await expect.poll(() => receiver.received).toHaveLength(ids.length);
    expect(new Set(receiver.received.map(({ headers }) => headers["service-delivery"]))).toEqual(new Set(ids));
    expect(new Set(receiver.received.map(({ headers }) => headers["service-event"]))).toEqual(new Set(EVENT_TYPES));
    expect(EVENT_TYPES).toHaveLength(17);
    listening.child.kill("SIGINT");
    await listening.ended;
    await receiver.close();
    expect(await run(await loggedIn(), ["trigger", "order.paid"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Only a sandbox"),
    });
  });
});

describe("logs tail", () => {
  type Line = { method: string; path: string; status: number; fields: string[] };

  /** The service of the other tests keeps no request log. */
  const startWithLog = async () => {
    const { deps } = service.app;
    const log = createRequestLogBuffer(openDb(deps.pool), deps.log);
    const server = await buildApp(deps, { requestLog: log });
    await server.http.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.http.server.address() as AddressInfo;
    const stop = async (): Promise<void> => {
      await server.stop();
      await log.stop();
    };
    return { rootUrl: `http://127.0.0.1:${port}`, stop };
  };

  test("shows a sandbox's requests as they come, without values and without its own calls", async () => {
    const sandbox = await freshSandbox(service.app.deps, service.venue.slug, 1_000_000);
    const machine = newMachine(cli.folder);
    const { rootUrl, stop } = await startWithLog();
    expect((await run(machine, ["login", "--url", rootUrl, "--token", sandbox.token])).code).toBe(0);
    const [lines, json] = [[], ["--json"]].map((more) => startCommand(cli.main, machine, ["logs", "tail", ...more]));
    const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
    const asked = (path: string, init: RequestInit = {}) => fetch(`${rootUrl}/api/v1${path}`, { ...init, headers });
    const shown = () => (json?.stdout() ?? "").split("\n").flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
    // The tail begins at some moment after its start.
    await expect.poll(async () => (await asked("/menus")).status && shown().length, { timeout: 20_000, interval: 1000 }).toBeGreaterThan(0);
    const refused = await asked("/orders", {
      method: "POST",
      body: JSON.stringify({ type: "pickup", customer_name: "ada-secret", lines: [] }),
    });
    const id = refused.headers.get("x-request-id") ?? "";
    await expect.poll(() => lines?.stdout() ?? "", { timeout: 20_000 }).toContain(id);
    const line = lines
      ?.stdout()
      .split("\n")
      .find((text) => text.includes(id));
    expect(line).toMatch(/ POST {2}\/orders {2}422 validation_failed {2}\d+ ms {2}fields: .*customer_phone.*\(.*required.*\)/);
    await expect.poll(() => shown().map(({ path }) => path), { timeout: 20_000 }).toContain("/orders");
    expect(shown().map(({ path }) => path)).not.toContain("/sandbox/requests");
    for (const following of [lines, json]) {
      expect(following?.stdout()).not.toContain("ada-secret");
      expect(following?.stdout()).not.toContain("\u001b");
      following?.child.kill("SIGINT");
      expect(await following?.ended).toBe(0);
    }
    await stop();
  }, 60_000);

  test("a live token is told why not, and where its requests are", async () => {
    const live = await run(await loggedIn(), ["logs", "tail"]);
    expect(live).toMatchObject({ code: 1, stdout: "" });
    expect(live.stderr).toContain("is not the token of a sandbox");
    expect(live.stderr).toContain(`open Requests in the console: ${service.rootUrl}/console`);
  });
});

describe("clock and fault", () => {
  test("in a sandbox the clock moves and faults wait; elsewhere and otherwise the reason is said", async () => {
    const venue = await service.app.venue("trattoria");
    const sandbox = (await createSandbox(service.app.deps, venue.slug, 1_000_000)) ?? expect.fail("no sandbox");
    const machine = newMachine(cli.folder);
    await run(machine, ["login", "--url", service.rootUrl, "--token", sandbox.token]);
    expect(JSON.parse((await run(machine, ["clock", "+2h", "--json"])).stdout).ahead_seconds).toBe(7200);
    expect((await run(machine, ["clock"])).stdout).toContain("7200 seconds ahead");
    expect((await run(machine, ["fault"])).stdout).toContain("No fault waits.");
    expect((await run(machine, ["fault", "lose_answer", "--count", "3", "--operation", "createOrder"])).stdout).toMatch(
      /^lose_answer +3 {2}createOrder/,
    );
    for (const [parameters, code, sentence] of [
      [["clock", "later"], 2, '"later" is neither'],
      [["clock", "2020-01-01T00:00:00Z"], 1, "forward only"],
      [["fault", "slow", "--count", "many"], 2, '"many" is no number'],
    ] as const) {
      const failed = await run(machine, [...parameters]);
      expect([parameters, failed.code, failed.stderr]).toEqual([parameters, code, expect.stringContaining(sentence)]);
    }
    for (const command of ["clock", "fault"])
      expect(await run(await loggedIn(), [command])).toMatchObject({ code: 1, stderr: expect.stringContaining("Only a sandbox") });
  });
});

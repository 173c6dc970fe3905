/** The commands for webhooks and their secrets. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CHOOSABLE_EVENTS } from "#platform/events/webhooks/service/endpoints.ts";
import { type AdminRun, comandaAdmin as run } from "../../test/support/run-admin.ts";
import { startApp, type TestApp } from "../../test/support/test-app.ts";

const [OLD_KEY, NEW_KEY] = [`2026:${randomBytes(32).toString("base64")}`, `2027:${randomBytes(32).toString("base64")}`];
const SECRET = /^whsec_[0-9A-Za-z]{40}$/;
const UUID = /^[0-9a-f-]{36}$/;
const MINUTES = 60_000;

let app: TestApp;
/** An endpoint of the lab, subscribed to every event. */
let id: string;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: OLD_KEY } });
  await app.venue("lab");
  await app.venue("lab", (file) => {
    file.restaurant.slug = "twin";
  });
});
beforeEach(async () => {
  await app.database.asOwner("update webhook_endpoints set removed_at = now()");
  id = String((await json("webhook", "add", "lab", "--url", "https://receiver.example/events")).id);
});
afterAll(async () => {
  await app.close();
});

const comandaAdmin = (args: string[], environment: Record<string, string> = {}): Promise<AdminRun> =>
  run(args, { DATABASE_URL: app.database.appUrl, ENCRYPTION_KEYS: OLD_KEY, ...environment });
const succeed = async (args: string[], environment: Record<string, string> = {}): Promise<string> => {
  const { code, stdout, stderr } = await comandaAdmin(args, environment);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: expect.stringMatching(/^PostgreSQL at .*, cell 0\n$/) });
  return stdout;
};
const json = async (...args: string[]) => JSON.parse(await succeed([...args, "--json"]));
const people = (...args: string[]): Promise<string> => succeed(args);
const failAll = () =>
  app.database.asOwner("update deliveries set state = 'failed', due_at = null, last_failure = 'dns' where state = 'ready'");

test(
  "an address is added, listed, changed, rotated, pinged, paused, resumed and removed; its secrets are shown once each",
  async () => {
    const url = "https://other.example/hooks?from=lab";
    const added = await json("webhook", "add", "lab", "--url", url, "--events", "order.paid, order.created", "--description", "Books");
    expect(added).toEqual({
      slug: "lab",
      id: expect.any(Number),
      url,
      events: ["order.created", "order.paid"],
      secret: expect.stringMatching(SECRET),
    });
    const number = String(added.id);
    const rotated = await json("webhook", "rotate", "lab", number);
    expect(rotated).toEqual({
      slug: "lab",
      id: added.id,
      secret: expect.stringMatching(SECRET),
      previous_until: expect.stringMatching(/Z$/),
    });
    expect(rotated.secret).not.toBe(added.secret);
    const moved = "https://third.example/";
    expect(await json("webhook", "change", "lab", number, "--url", moved, "--events", "all")).toMatchObject({ id: added.id, url: moved });
    expect(await json("webhook", "ping", "lab", number)).toEqual({
      slug: "lab",
      id: added.id,
      done: "ping",
      event_id: expect.stringMatching(UUID),
    });
    for (const done of ["pause", "resume"]) expect(await json("webhook", done, "lab", number)).toEqual({ slug: "lab", id: added.id, done });
    const listed = await json("webhook", "list", "lab");
    expect(listed).toEqual([
      expect.objectContaining({ id: Number(id), description: null, pending: 0, secrets: 1, p95_ms: null, explanation: "" }),
      expect.objectContaining({ id: added.id, url: moved, description: "Books", events: CHOOSABLE_EVENTS, pending: 1, secrets: 2 }),
    ]);
    expect(await json("webhook", "remove", "lab", number)).toEqual({ slug: "lab", id: added.id, done: "remove" });
    expect(await json("webhook", "list", "lab")).toHaveLength(1);
    const audit = await json("audit", "lab");
    expect(
      audit.filter(({ subject_id }: { subject_id: string }) => subject_id === number).map((entry: { action: string }) => entry.action),
    ).toEqual([
      "webhook.removed",
      "webhook.resumed",
      "webhook.paused",
      "webhook.pinged",
      "webhook.changed",
      "webhook.secret_rotated",
      "webhook.added",
    ]);
    for (const text of [JSON.stringify(listed), JSON.stringify(audit)])
      for (const { secret } of [added, rotated]) expect(text).not.toContain(secret);
  },
  5 * MINUTES,
);

test(
  "the log shows deliveries and one of them with its bytes; replay sends one again, or all that failed, after a dry run",
  async () => {
    const pings = [await json("webhook", "ping", "lab", id), await json("webhook", "ping", "lab", id)];
    const [latest, first, ...more] = await json("webhook", "log", "lab", "--endpoint", id);
    expect(more).toEqual([]);
    expect(latest).toMatchObject({ event_id: pings[1].event_id, event_type: "ping", state: "ready", attempts: 0, explanation: "" });
    const stillDue = await comandaAdmin(["webhook", "replay", "lab", String(first.id)]);
    expect(stillDue).toMatchObject({ code: 1, stderr: expect.stringMatching(/Only what is done or failed can be sent again/) });
    await failAll();
    expect(await json("webhook", "log", "lab", "--endpoint", id, "--state", "failed", "--rows", "1")).toEqual([
      expect.objectContaining({ id: latest.id, explanation: "The name of the host could not be resolved." }),
    ]);
    const one = await json("webhook", "log", "lab", String(first.id));
    expect(one).toMatchObject({ id: first.id, state: "failed", cycle: 1, log: [] });
    expect(JSON.parse(one.body)).toMatchObject({ id: pings[0].event_id, type: "ping" });
    expect(await json("webhook", "replay", "lab", "--endpoint", id, "--dry-run")).toEqual({ slug: "lab", failed: 2 });
    expect(await json("webhook", "replay", "lab", String(first.id))).toEqual({ slug: "lab", replayed: 1 });
    expect(await json("webhook", "log", "lab", String(first.id))).toMatchObject({ state: "ready", cycle: 2, attempts: 0, body: one.body });
    expect(await json("webhook", "replay", "lab", "--endpoint", id, "--since", "2999-01-01T00:00:00Z")).toEqual({
      slug: "lab",
      replayed: 0,
    });
    expect(await json("webhook", "replay", "lab", "--endpoint", id)).toEqual({ slug: "lab", replayed: 1 });
  },
  5 * MINUTES,
);

test(
  "people get the secret to keep, tables, and what to do next",
  async () => {
    expect(await people("webhook", "add", "lab", "--url", "https://shop.example/")).toMatch(
      /^whsec_\w{40}\n\nKeep it now: .*16 kinds of events of lab.*\nTry it: comanda-admin webhook ping lab \d+\n$/,
    );
    expect(await people("webhook", "rotate", "lab", id)).toMatch(/^whsec_\w{40}\n\nKeep it now: .*signs as well until 20/);
    expect(await people("webhook", "change", "lab", id, "--events", "order.paid")).toBe(`Address ${id} of lab is changed.\n`);
    expect(await people("webhook", "ping", "lab", id)).toContain(`comanda-admin webhook log lab --endpoint ${id}`);
    await failAll();
    const list = (await people("webhook", "list", "lab")).split("\n");
    expect(list[0]).toMatch(/^ID +URL +EVENTS +STATE +24 H +P95 MS +PENDING +FAILING SINCE +LAST FAILURE$/);
    expect(list[1]).toMatch(new RegExp(`${id} +https://receiver.example/events +order.paid +working +– `));
    expect(list[2]).toMatch(/ +all +working/);
    const log = (await people("webhook", "log", "lab", "--endpoint", id)).split("\n");
    expect(log[0]).toMatch(/^ID +EVENT +URL +STATE +ATTEMPTS +LAST STATUS +MS +EXPLANATION +NEXT +CREATED AT$/);
    const delivery = /^\d+/.exec(log[1] ?? "")?.[0] ?? "";
    expect(await people("webhook", "log", "lab", delivery)).toMatch(
      /^ping to https:\/\/receiver.example\/events: failed\n\nnothing to show\n\n{"id":/,
    );
    expect(await people("webhook", "replay", "lab", "--endpoint", id, "--dry-run")).toBe(
      "Failed deliveries that would be sent again: 1.\n",
    );
    expect(await people("webhook", "replay", "lab", delivery)).toBe(`Delivery ${delivery} is sent again.\n`);
    expect(await people("webhook", "pause", "lab", id)).toBe(`Address ${id} of lab: pause done.\n`);
    expect(await people("webhook", "list", "twin")).toBe("nothing to show\n");
  },
  5 * MINUTES,
);

test(
  "a mistake is one sentence that says what to do, on standard error, with exit code 1",
  async () => {
    await json("webhook", "ping", "lab", id);
    const [{ id: ping }] = await json("webhook", "log", "lab", "--endpoint", id);
    const add = (...more: string[]): string[] => ["webhook", "add", "lab", "--url", ...more];
    const mistakes: [string[], RegExp, Record<string, string>?][] = [
      [["webhook", "add", "nowhere", "--url", "https://receiver.example/"], /There is no venue "nowhere".*venue list/],
      [add("http://receiver.example/"), /must start with https:\/\//],
      [add("https://10.0.0.1/"), /private or special network/],
      [add("https://receiver.example/", "--events", "order.eaten"), /order\.eaten\. Choose from order\.created, /],
      [add("https://receiver.example/"), /ENCRYPTION_KEYS is not set.*openssl rand/, { ENCRYPTION_KEYS: "" }],
      [["webhook", "rotate", "lab", id], /ENCRYPTION_KEYS is not set/, { ENCRYPTION_KEYS: "" }],
      [["webhook", "change", "lab", id], /Say what to change: --url, --events or --description/],
      [["webhook", "pause", "lab", "999"], /^lab has no address 999: see comanda-admin webhook list lab\.$/m],
      [["webhook", "ping", "twin", id], new RegExp(`twin has no address ${id}: see comanda-admin webhook list twin`)],
      [["webhook", "remove", "lab", "first"], /first is not the number of an address/],
      [["webhook", "log", "lab", "--state", "lost"], /There is no state lost: use ready, waiting, held, done, failed/],
      [["webhook", "log", "twin", String(ping)], new RegExp(`twin has no delivery ${ping}: see comanda-admin webhook log twin`)],
      [["webhook", "replay", "twin", String(ping)], /twin has no delivery/],
      [["webhook", "replay", "twin", "--endpoint", id], /twin has no address/],
      [["webhook", "replay", "lab"], /Name a delivery, or an address with --endpoint/],
      [["webhook", "replay", "lab", String(ping), "--dry-run"], /leave out the delivery/],
      [["webhook", "replay", "lab", "--endpoint", id, "--since", "monday"], /--since takes a date-time such as/],
      [["reseal"], /ENCRYPTION_KEYS is not set: give the new key first/, { ENCRYPTION_KEYS: "" }],
      [["reseal"], /The key "2026".*put it behind the current one/, { ENCRYPTION_KEYS: NEW_KEY }],
    ];
    for (const [args, sentence, environment] of mistakes) {
      const { code, stdout, stderr } = await comandaAdmin(args, environment);
      expect(code, args.join(" ")).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/ {4}at /);
    }
  },
  5 * MINUTES,
);

test(
  "reseal moves every secret, those of tills included, under the first key; then the old key can go",
  async () => {
    await json("pos", "connect", "twin", "--url", "https://pos.example/orders");
    await json("webhook", "rotate", "lab", id);
    const keys = { ENCRYPTION_KEYS: `${NEW_KEY},${OLD_KEY}` };
    const encryptedUnder = async () => {
      const rows = await app.database.asOwner<{ encrypted_secret: string }>("select encrypted_secret from webhook_secrets");
      return rows.map(({ encrypted_secret }) => encrypted_secret.split(".")[1]);
    };
    const before = await encryptedUnder();
    expect(new Set(before)).toEqual(new Set(["2026"]));
    expect(JSON.parse(await succeed(["reseal", "--json"], keys))).toEqual({ resealed: before.length });
    expect(await encryptedUnder()).toEqual(before.map(() => "2027"));
    expect(await succeed(["reseal"], { ENCRYPTION_KEYS: NEW_KEY })).toBe('Encrypted again with the key "2027": 0.\n');
  },
  5 * MINUTES,
);

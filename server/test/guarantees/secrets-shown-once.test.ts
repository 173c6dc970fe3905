/** What is shown once is shown once: no later answer, no log, no row and no key of Redis holds a secret of the console. */
import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { drawGiftCardCode, formatGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { API_PREFIX, operationEntries } from "@comanda/contract/operations.ts";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseEncryptionKeys } from "#lib/encryption.ts";
import { addStaff } from "#platform/people/memberships/service.ts";
import { sendInvitation } from "#platform/sign-in/one-time-links/service.ts";
import { CONSOLE_QUERIES, fillConsolePath } from "../support/console-bodies.ts";
import { runSessionFlow, type SessionFlow, until } from "../support/console-session-flow.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../support/fake-smtp-and-sms.ts";
import { createFleet, createRedis, type Fleet, hasRedis, type RedisServer, type ServerProcess, WORKER } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { sentLink, switchReviewsOn } from "../support/review-links.ts";
import { secretsIn } from "../support/secret-encodings.ts";
import { dumpDatabase, dumpRedis } from "../support/stored-text.ts";
import { createTenantFixture, type RowKind, type TenantFixture } from "../support/tenant-fixtures.ts";
import { forVenue, startApp, type TestApp } from "../support/test-app.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const CHATTY = { file: fileURLToPath(new URL("../support/header-logging-server.ts", import.meta.url)), readySign: "Server listening at" };
const EMAIL = "ada@lab.example";
const KEY = randomBytes(32).toString("base64");
const GATEWAY_TOKEN = randomBytes(24).toString("hex");

const BILL_ID = "01930000-0000-7000-8000-00000000b111";

let app: TestApp;
let floor: TenantFixture;
let fleet: Fleet;
let redis: RedisServer;
let mailAndSms: FakeMailAndSms;
let receiver: Receiver;
let api: ServerProcess;
let worker: ServerProcess;
let life: SessionFlow;
let card: { id: number; code: string };
let review: { id: number; path: string };
let ingredientId: number;
let experience: { id: number; sessionId: number };

if (!hasRedis) console.warn("redis-server is not installed: the test that no secret is kept is skipped");

beforeAll(async () => {
  if (!hasRedis) return;
  [redis, mailAndSms, receiver] = [await createRedis(), await startFakeMailAndSms(), await startReceiver()];
  await redis.start();
  app = await startApp();
  floor = await createTenantFixture(app, "lab", "lab");
  // The processes use the real time.
  app.clock.set(new Date().toISOString());
  fleet = await createFleet(app.database.appUrl, {
    LOG_LEVEL: "debug",
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `test:${KEY}`,
    SMTP_URL: mailAndSms.smtpUrl,
    SMS_GATEWAY_URL: mailAndSms.gatewayUrl,
    SMS_GATEWAY_TOKEN: GATEWAY_TOKEN,
    AUTHORITY: receiver.authority.cert,
  });
  [api, worker] = [await fleet.start(), await fleet.start({}, WORKER)];
  await forVenue(app.deps, floor.slug, async (ctx) => {
    await addStaff(ctx, { email: EMAIL, name: "Ada", role: "owner", locale: null });
    await sendInvitation(ctx, EMAIL);
  });
  life = await runSessionFlow({ port: fleet.port, slug: floor.slug, email: EMAIL, mailAndSms, receiverUrl: receiver.url });
  life.secrets.push(
    { name: "encryption key", text: KEY },
    { name: "bytes of the encryption key", text: Buffer.from(KEY, "base64").toString("hex") },
  );
  life.secrets.push({ name: "gateway token", text: GATEWAY_TOKEN });
  card = await sellGiftCard();
  life.secrets.push(
    { name: "code of a gift card", text: card.code },
    { name: "plain code of a gift card", text: card.code.replaceAll("-", "") },
  );
  review = await rateOrder();
  const [ingredient] = await app.database.asOwner<{ id: string }>(
    `insert into ingredients (restaurant_id, key, name, unit, sort_order) values ($1, 'flour', '{"en": "Flour"}', 'kg', 1) returning id`,
    [floor.id],
  );
  ingredientId = Number(ingredient?.id);
  const [session] = await app.database.asOwner<{ id: string; experience_id: string }>(
    `with e as (insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order)
       select $1, 'tasting', '{"en": "Tasting"}', 100, min(id), 1 from branches where restaurant_id = $1 returning id)
     insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity) select $1, id, now(), 10 from e
     returning id, experience_id`,
    [floor.id],
  );
  await app.database.asOwner(
    "insert into bills (restaurant_id, id, tables, service_day, opened_at) values ($1, $2, '[]', now()::date, now())",
    [floor.id, BILL_ID],
  );
  experience = { id: Number(session?.experience_id), sessionId: Number(session?.id) };
  life.secrets.push({ name: "signature of a link to a review", text: review.path.split(".")[1] ?? "" });
  await until(() => receiver.received.find(({ headers }) => headers["service-event"] === "ping"), "ping");
});
afterAll(async () => {
  if (!hasRedis) return;
  await fleet.close();
  await app.close();
  await receiver.close();
  await mailAndSms.close();
  await redis.stop();
});

/** Over HTTP, so that its answer is stored under the key of the call. */
const sellGiftCard = async (): Promise<{ id: number; code: string }> => {
  const code = formatGiftCardCode(drawGiftCardCode());
  const { status, text } = await sendCall({
    port: fleet.port,
    token: null,
    method: "POST",
    prefix: CONSOLE_PREFIX,
    path: `/venues/${floor.slug}/gift-cards`,
    headers: { cookie: `__Host-comanda=${life.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
    body: { code, amount_minor: 2000, expires_on: null, guest_id: null, message: null, method: "cash" },
  });
  if (status !== 201) throw new Error(text);
  return { id: JSON.parse(text).data.id, code };
};

/** Opened and posted as a guest does it. */
const rateOrder = async (): Promise<{ id: number; path: string }> => {
  const source = { database: app.database, deps: { config: { encryptionKeys: parseEncryptionKeys(`test:${KEY}`) ?? [] } } };
  await switchReviewsOn(source, floor);
  const path = await sentLink(source, floor, { order: String(floor.alive.orders) });
  const url = `http://127.0.0.1:${fleet.port}${path}`;
  const opened = await fetch(url);
  const posted = await fetch(url, { method: "POST", body: new URLSearchParams({ rating: "5", comment: "" }), redirect: "manual" });
  if (opened.status !== 200 || posted.status !== 303) throw new Error(`The order was not rated: ${opened.status}, ${posted.status}`);
  const [row] = await app.database.asOwner<{ id: string }>("select id from reviews where order_id = $1", [String(floor.alive.orders)]);
  return { id: Number(row?.id), path };
};

const rowOf = (path: string, delivery: number): number => {
  if (path.includes("/guests/")) return Number(floor.alive.guests);
  if (path.includes("/reviews/")) return review.id;
  if (path.includes("/ingredients/")) return ingredientId;
  if (path.includes("/experiences/")) return experience.id;
  if (path.includes("/experience-sessions/")) return experience.sessionId;
  if (path.includes("/recipes/")) return Number(floor.alive.items);
  return path.includes("/gift-cards/") ? card.id : delivery;
};

const readAs = async (headers: Record<string, string>, path: string): Promise<string> => {
  const { status, text, headers: sent } = await sendCall({ port: fleet.port, token: null, method: "GET", prefix: "", path, headers });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return `${path} ${JSON.stringify([...sent])} ${text}`;
};

/** Out of the tables of calls, so that a new one is read when it is added. */
const readEverything = async (): Promise<string[]> => {
  const answers: string[] = [];
  const person = { cookie: `__Host-comanda=${life.cookie}; __Host-comanda-screen=${life.screen}` };
  const newest = JSON.parse((await readAs(person, `${CONSOLE_PREFIX}/venues/${floor.slug}/deliveries`)).split("] ").at(-1) ?? "");
  for (const [id, { path, method }] of consoleEntries)
    if (method === "GET")
      answers.push(
        await readAs(
          person,
          CONSOLE_PREFIX +
            fillConsolePath(path, {
              venue: floor.slug,
              id: rowOf(path, newest.data[0].id),
              order: String(floor.alive.orders),
              reservation: String(floor.alive.reservations),
              bill: BILL_ID,
            }) +
            (CONSOLE_QUERIES[id] ?? ""),
        ),
      );
  const queries: Record<string, string> = { getAvailability: "?date=2030-01-01&party_size=2" };
  for (const [id, { path, method }] of operationEntries) {
    if (method !== "GET") continue;
    const real = path.replace(/^\/([\w-]+)\/\{\w+\}/, (_, kind: RowKind) => `/${kind}/${floor.alive[kind]}`);
    answers.push(await readAs({ authorization: `Bearer ${life.token}` }, API_PREFIX + real + (queries[id] ?? "")));
  }
  for (const path of ["/menus", "/items", "/orders"])
    answers.push(await readAs({ authorization: `Bearer ${life.sandboxToken}` }, API_PREFIX + path));
  for (const path of ["/metrics", "/livez", "/readyz"]) answers.push(`${path} ${await (await fetch(`${api.opsUrl}${path}`)).text()}`);
  return answers;
};

describe.skipIf(!hasRedis)("R5.1-03 secrets of the console", () => {
  test("stand in no later answer, no log, no row and no key", async () => {
    const answers = await readEverything();
    for (const process of [api, worker]) expect(await process.stop()).toBe(0);
    const logs = `${api.output()}\n${worker.output()}`;
    const [database, kept] = [await dumpDatabase(app.database), await dumpRedis(redis.url)];
    const lines = logs.split("\n").length;
    console.info(
      `secrets: ${life.secrets.length} seen; ${answers.length} answers, ${lines} lines of log, ${database.rows} rows of ${database.tables} tables, ${kept.keys} keys of Redis`,
    );
    expect(life.secrets.length).toBeGreaterThanOrEqual(25);
    expect(answers.length).toBeGreaterThanOrEqual(25);
    expect(lines).toBeGreaterThan(50);
    expect(database.text).toMatch(/^jobs\.\S+ .*send-link/m);
    expect(kept.keys).toBeGreaterThan(0);
    const places = { answers: answers.join("\n"), logs, database: database.text, redis: kept.text };
    for (const [place, text] of Object.entries(places)) expect([place, secretsIn(text, life.secrets)]).toEqual([place, []]);
  });

  test("planted: a secret in the log, in a row, in a job, in Redis or in an answer is found", async () => {
    const seen = (name: string): string => life.secrets.find((secret) => secret.name === name)?.text ?? "";
    // It takes the port for itself.
    if (api.isRunning()) await api.stop();
    const chatty = await fleet.start({}, CHATTY);
    await readAs({ cookie: `__Host-comanda=${life.cookie}` }, `${CONSOLE_PREFIX}/session`);
    await until(() => (chatty.output().includes("was asked") ? true : undefined), "line of the log");
    expect(secretsIn(chatty.output(), life.secrets)).toEqual([life.secrets.findLast(({ name }) => name.startsWith("cookie"))?.name]);

    await app.database.asOwner("update tokens set name = $1 where id = $2", [seen("signing secret"), life.token.split("|")[0]]);
    await app.database.asOwner("update users set name = $1 where email = $2", [`code ${seen("code 1")}`, EMAIL]);
    await app.database.asOwner("update webhook_endpoints set description = encode($1::bytea, 'hex')", [seen("token").split("|")[1]]);
    await app.database.asOwner("update jobs.job_common set data = data || jsonb_build_object('link', $1::text)", [seen("invitation")]);
    const found = secretsIn((await dumpDatabase(app.database)).text, life.secrets);
    expect(found.toSorted()).toEqual(["code 1", "invitation", "signing secret", "token"]);

    const store = new Redis(redis.url);
    await store.set("sessions", Buffer.from(`{"s":"${seen("reset")}"}`).toString("base64"));
    store.disconnect();
    expect(secretsIn((await dumpRedis(redis.url)).text, life.secrets)).toEqual(["reset"]);

    const answer = await readAs({ cookie: `__Host-comanda=${life.cookie}` }, `${CONSOLE_PREFIX}/venues/${floor.slug}/tokens`);
    expect(secretsIn(answer, life.secrets)).toEqual(["signing secret"]);
  });
});

/** Answers that are kept with a user, and answers with a secret: who gets them again, for how long, and that two requests at once are one. */
import { createHmac, randomUUID } from "node:crypto";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleAnswer, createUser, PASSWORD, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../test/support/fault-injection.ts";
import { FORM } from "../../../test/support/marketplace.ts";
import { newEncryptionKeys } from "../../../test/support/review-links.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { fingerprintOf } from "../api/idempotency.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let plant: InjectedFault = () => null;

beforeAll(async () => {
  app = await startApp({
    environment: { ENCRYPTION_KEYS: newEncryptionKeys() },
    pool: faultInjectingPool((...statement) => plant(...statement)),
  });
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager");
});
afterAll(() => app.close());

const withKey = (user: TestUser, path: string, body: object, key: string = randomUUID()): Promise<ConsoleAnswer> =>
  user.act("POST", path, { body, headers: { "idempotency-key": key } });
const register = (key?: string, body: object = FORM, user = manager) => withKey(user, "/apps", body, key);
const createToken = (key?: string, user = manager) =>
  withKey(user, `/venues/${lab.slug}/tokens`, { name: "website", scopes: ["menu:read"] }, key);
const codeOf = ({ status, body }: ConsoleAnswer): [number, string | undefined] => [status, body.error?.code];
const rowsOf = async (table: "apps" | "tokens"): Promise<number> => (await app.database.asOwner(`select from ${table}`)).length;

test.each([
  ["apps", register],
  ["tokens", createToken],
] as const)(
  "of many requests at once with one key one has an effect, and each answer shows it or asks to wait: %s",
  async (table, send) => {
    const before = await rowsOf(table);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(key)));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
      answers.slice(made.length).map(() => [409, "idempotency_key_in_use"]),
    );
    expect(await rowsOf(table)).toBe(before + 1);
    expect((await send(key)).text).toBe(made[0]?.text);
  },
);

test("422 for another body with a used key, and for a key that is short enough to be found by trying", async () => {
  const key = randomUUID();
  expect((await register(key)).status).toBe(201);
  expect(codeOf(await register(key, { ...FORM, name: "Another" }))).toEqual([422, "idempotency_key_reused"]);
  for (const send of [register, createToken]) {
    const refused = await send("a short key");
    expect([...codeOf(refused), Object.keys(refused.body.error.details)]).toEqual([422, "validation_failed", ["Idempotency-Key"]]);
  }
});

test("a refusal is not kept with the user: the corrected request has the effect with the same key", async () => {
  const key = randomUUID();
  expect((await register(key, { ...FORM, site: "no address" })).status).toBe(422);
  expect((await register(key)).status).toBe(201);
});

test("after a day the key is a new one", async () => {
  const key = randomUUID();
  const first = await register(key);
  await app.database.asOwner("update user_answers set created_at = created_at - interval '1 day'");
  const second = await register(key);
  expect([second.status, second.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  expect(second.body.data.id).not.toBe(first.body.data.id);
});

test("another user's request with the same key is another request", async () => {
  const key = randomUUID();
  const other = await createUser(app, lab.slug, "manager", "other@lab.example");
  const first = await register(key);
  const second = await register(key, FORM, other);
  expect([second.status, second.body.data.id === first.body.data.id]).toEqual([201, false]);
});

test("who may no longer make the call gets no answer again: signed out, or without a recent password", async () => {
  const key = randomUUID();
  const user = await createUser(app, lab.slug, "manager", "leaving@lab.example");
  expect((await register(key, FORM, user)).status).toBe(201);
  expect((await createToken(key, user)).status).toBe(201);
  const headers = { "idempotency-key": key };
  app.clock.advance(DAY_MS / 24);
  expect(codeOf(await user.call("POST", "/apps", { body: FORM, headers }))).toEqual([403, "password_required"]);
  expect((await register(key, FORM, user)).headers["idempotent-replayed"]).toBe("true");
  await user.call("DELETE", "/session", { headers: {} });
  expect(codeOf(await user.call("POST", "/apps", { body: FORM, headers }))).toEqual([401, "signed_out"]);
});

test("a member who lost the role gets the answer about the venue no more", async () => {
  const key = randomUUID();
  const owner = await createUser(app, lab.slug, "owner");
  const user = await createUser(app, lab.slug, "manager", "lowered@lab.example");
  const path = `/venues/${lab.slug}/sandbox`;
  expect((await withKey(user, path, {}, key)).status).toBe(201);
  expect((await withKey(user, path, {}, key)).headers["idempotent-replayed"]).toBe("true");
  const { members } = (await owner.call("GET", `/venues/${lab.slug}/team`)).body.data;
  const { id } = members.find(({ email }: { email: string }) => email === user.email);
  const lowered = await owner.act("PUT", `/venues/${lab.slug}/team/${id}/role`, {
    body: { seen_role: "manager", role: "staff", tokens: "keep", screens: "keep" },
  });
  expect(lowered.status, lowered.text).toBe(200);
  expect(codeOf(await withKey(user, path, {}, key))).toEqual([403, "role_required"]);
});

test("a body with a password leaves no hash by which the password could be tried", async () => {
  const key = randomUUID();
  expect((await withKey(manager, "/second-factor", { password: PASSWORD }, key)).status).toBe(201);
  const plain = fingerprintOf("POST", `${CONSOLE_PREFIX}/second-factor`, { password: PASSWORD });
  const rows = await app.database.asOwner<{ fingerprint: Buffer }>("select fingerprint from user_answers");
  const isStored = (fingerprint: Buffer): boolean => rows.some((row) => row.fingerprint.equals(fingerprint));
  expect([isStored(plain), isStored(createHmac("sha256", key).update(plain).digest())]).toEqual([false, true]);
});

test("planted: a service that does not look for the first answer has a second effect", async () => {
  const key = randomUUID();
  const before = await rowsOf("apps");
  expect((await register(key)).status).toBe(201);
  plant = (statement) =>
    statement.text.startsWith("select") && statement.text.includes('from "user_answers"')
      ? { ...statement, text: statement.text.replace("where ", "where false and "), name: "planted" }
      : null;
  expect((await register(key)).status).toBe(201);
  plant = () => null;
  expect(await rowsOf("apps")).toBe(before + 2);
});

/** A lower role ends what the person made in the sandbox, as it ends what they made in the venue. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "#admin/sandbox.ts";
import { addMember, type ConsoleAnswer, consoleCall, createUser, PASSWORD, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../test/support/fault-injection.ts";
import { createPausingPool } from "../../../test/support/pausing-pool.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

const ENVIRONMENT = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` };

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let people = 0;

beforeAll(async () => {
  app = await startApp({ environment: ENVIRONMENT });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
  // Opened, so that the team keeps an owner.
  await owner.call("GET", `/venues/${lab.slug}/board`);
  await createSandbox(app.deps, lab.slug, null);
});
afterAll(() => app.close());

type TokenMaker = { person: TestUser; path: string; makeToken(): Promise<void>; isWorking(): Promise<boolean> };

const memberIdOf = async ({ email }: TestUser): Promise<number> => {
  const { members } = (await owner.call("GET", `/venues/${lab.slug}/team`)).body.data;
  return members.find((one: { email: string }) => one.email === email).id;
};

/** A manager who made the token of the sandbox. */
const newTokenMaker = async (): Promise<TokenMaker> => {
  const person = await createUser(app, lab.slug, "manager", `person-${++people}@example.com`);
  let token = "";
  const makeToken = async () => {
    token = (await person.call("POST", `/venues/${lab.slug}/sandbox`, { body: {} })).body.data.token;
  };
  await makeToken();
  const isWorking = async () => (await app.call(token, "GET", "/menus")).status === 200;
  return { person, path: `/venues/${lab.slug}/team/${await memberIdOf(person)}`, makeToken, isWorking };
};

const met = ({ status, body }: ConsoleAnswer): string => `${status} ${body.error?.code ?? ""}`.trim();

/** Whether the token works after the owner lowered the role in this process. */
const worksAfterLowering = async (server: TestApp, choice: object): Promise<boolean> => {
  const { path, isWorking } = await newTokenMaker();
  const body = { seen_role: "manager", role: "staff", ...choice };
  expect(met(await consoleCall(server, "PUT", `${path}/role`, { cookie: owner.cookie, body }))).toBe("200");
  return isWorking();
};

test("with a lower role, access to the sandbox ends or is kept as that to the venue", async () => {
  expect(await worksAfterLowering(app, {})).toBe(true);
  expect(await worksAfterLowering(app, { tokens: "keep", screens: "end" })).toBe(true);
  expect(await worksAfterLowering(app, { tokens: "end" })).toBe(false);
  const [ended] = await app.database.asOwner<{ actor_email: string }>(
    `select actor_email from audit_entries where action = 'token.revoked'
       and restaurant_id = (select sandbox_id from sandboxes where restaurant_id = $1) order by id desc limit 1`,
    [lab.id],
  );
  expect(ended).toEqual({ actor_email: owner.email });
});

test("planted: a lower role that does not reach the sandbox is found", async () => {
  const withoutSandbox = faultInjectingPool(({ text }) =>
    text.includes('from "sandboxes"') ? { text: "select null::bigint as sandbox_id where false" } : null,
  );
  const careless = await startApp({ database: app.database, environment: ENVIRONMENT, pool: withoutSandbox });
  expect(await worksAfterLowering(careless, { tokens: "end" })).toBe(true);
  await careless.close();
});

test("a role change that is refused or does not lower the role ends nothing; an answer is given once for a key", async () => {
  const { path, isWorking } = await newTokenMaker();
  const change = async (seen_role: Role, role: Role, headers = {}) =>
    met(await owner.act("PUT", `${path}/role`, { body: { seen_role, role, tokens: "end", screens: "end" }, headers }));
  expect([await change("owner", "staff"), await isWorking()]).toEqual(["409 state_changed", true]);
  expect([await change("manager", "owner"), await isWorking()]).toEqual(["200", true]);
  const key = { "idempotency-key": randomUUID() };
  expect([await change("owner", "staff", key), await isWorking()]).toEqual(["200", false]);
  expect(await change("owner", "staff", key)).toBe("200");
});

const withKey = (): { "idempotency-key": string } => ({ "idempotency-key": randomUUID() });
const LOWER = { seen_role: "manager", role: "staff", tokens: "end", screens: "end" };
const REMOVE = { seen_role: "manager", tokens: "end", screens: "end" };

/** What a call and its repetition were answered, the second one by this process, and whether the token that was made between them works. */
const repeatAfterReturn = async (server: TestApp): Promise<[string, string, boolean]> => {
  const { path, makeToken, isWorking } = await newTokenMaker();
  const call = { cookie: owner.cookie, body: LOWER, headers: withKey() };
  const first = met(await consoleCall(app, "PUT", `${path}/role`, call));
  expect(await isWorking()).toBe(false);
  expect(met(await owner.act("PUT", `${path}/role`, { body: { seen_role: "staff", role: "manager" } }))).toBe("200");
  await makeToken();
  return [first, met(await consoleCall(server, "PUT", `${path}/role`, call)), await isWorking()];
};

test("a repeated call gets its first answer and ends nothing that was made since the person had the role again", async () => {
  expect(await repeatAfterReturn(app)).toEqual(["200", "200", true]);
});

test("planted: a process that does not look for the first answer ends it", async () => {
  const withoutAnswers = faultInjectingPool(({ text }) => (text.includes('from "user_answers"') ? { text: "select where false" } : null));
  const careless = await startApp({ database: app.database, environment: ENVIRONMENT, pool: withoutAnswers });
  expect(await repeatAfterReturn(careless)).toEqual(["200", "200", false]);
  await careless.close();
});

test.each([
  ["PUT", "/role", LOWER],
  ["DELETE", "", REMOVE],
] as const)("a key of another call ends nothing: %s", async (method, end, body) => {
  const { path, isWorking } = await newTokenMaker();
  const headers = withKey();
  const used = await owner.act("PUT", `${path}/role`, { body: { seen_role: "manager", role: "manager" }, headers });
  expect(met(used)).toBe("200");
  expect(met(await owner.act(method, `${path}${end}`, { body, headers }))).toBe("422 idempotency_key_reused");
  const short = await owner.act(method, `${path}${end}`, { body, headers: { "idempotency-key": "short" } });
  expect([met(short), await isWorking()]).toEqual(["422 validation_failed", true]);
});

test.each([
  ["with the same key", true],
  ["by another owner", false],
])("a removal that was overtaken by another one ends nothing of the person who came back: %s", async (_, isRepeated) => {
  const pausing = createPausingPool();
  const slow = await startApp({ database: app.database, environment: ENVIRONMENT, pool: pausing.open });
  const { person, path, makeToken, isWorking } = await newTokenMaker();
  const [headers, first] = [withKey(), withKey()];
  const remove = (server: TestApp, sent: Record<string, string>) =>
    consoleCall(server, "DELETE", path, { cookie: owner.cookie, body: REMOVE, headers: sent });
  // Turn 1 checks the member, turn 2 is that of the sandbox.
  const held = pausing.holdAt("begin", 2);
  const overtaken = remove(slow, headers);
  await held.reached;
  expect(met(await remove(app, isRepeated ? headers : first))).toBe("200");
  await addMember(app, lab.slug, person.email, "manager");
  const signedIn = await consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } });
  Object.assign(person, {
    call: (method: string, at: string, options: object) => consoleCall(app, method, at, { cookie: signedIn.cookie, ...options }),
  });
  await makeToken();
  held.release();
  expect([met(await overtaken), await isWorking()]).toEqual([isRepeated ? "200" : "404 not_found", true]);
  await slow.close();
});

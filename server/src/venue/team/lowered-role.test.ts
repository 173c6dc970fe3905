/** A lower role ends what the person made in the sandbox, as it ends what they made in the venue. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "#admin/sandbox.ts";
import { type ConsoleAnswer, consoleCall, createUser, type TestUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../test/support/fault-injection.ts";
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

type TokenMaker = { path: string; isWorking(): Promise<boolean> };

/** A manager who made the token of the sandbox. */
const newTokenMaker = async (): Promise<TokenMaker> => {
  const person = await createUser(app, lab.slug, "manager", `person-${++people}@example.com`);
  const made = await person.call("POST", `/venues/${lab.slug}/sandbox`, { body: {} });
  const { members } = (await owner.call("GET", `/venues/${lab.slug}/team`)).body.data;
  const { id } = members.find(({ email }: { email: string }) => email === person.email);
  const isWorking = async () => (await app.call(made.body.data.token, "GET", "/menus")).status === 200;
  return { path: `/venues/${lab.slug}/team/${id}/role`, isWorking };
};

const met = ({ status, body }: ConsoleAnswer): string => `${status} ${body.error?.code ?? ""}`.trim();

/** Whether the token works after the owner lowered the role in this process. */
const worksAfterLowering = async (server: TestApp, choice: object): Promise<boolean> => {
  const { path, isWorking } = await newTokenMaker();
  const body = { seen_role: "manager", role: "staff", ...choice };
  expect(met(await consoleCall(server, "PUT", path, { cookie: owner.cookie, body }))).toBe("200");
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
    met(await owner.act("PUT", path, { body: { seen_role, role, tokens: "end", screens: "end" }, headers }));
  expect([await change("owner", "staff"), await isWorking()]).toEqual(["409 state_changed", true]);
  expect([await change("manager", "owner"), await isWorking()]).toEqual(["200", true]);
  const key = { "idempotency-key": randomUUID() };
  expect([await change("owner", "staff", key), await isWorking()]).toEqual(["200", false]);
  expect(await change("owner", "staff", key)).toBe("200");
});

/** Removal of a member: what the member created is listed and ends, or is kept by decision, and the activity log names the member. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenueId } from "#admin/command-context.ts";
import { createSandbox } from "#admin/sandbox.ts";
import { removeFrom, resetFactorAt } from "#admin/staff.ts";
import { codeAt, stepAt } from "#lib/totp.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { addMember, consoleCall, createUser, linkFor, PASSWORD, type TestUser } from "../../../../test/support/console-client.ts";
import { FORM, install, newApp } from "../../../../test/support/marketplace.ts";
import { pairScreen, type TestScreen } from "../../../../test/support/paired-screen.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let people = 0;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, OAUTH_RATE_PER_MINUTE: "100000" } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
  await createSandbox(app.deps, lab.slug, null);
});
afterAll(() => app.close());

type Leaver = TestUser & { token: string; appToken: string; webhookId: number; screen: TestScreen };

/** A member who has created a token, allowed an app, added a webhook address and paired a screen. */
const busyUser = async (): Promise<Leaver> => {
  const person = await createUser(app, lab.slug, "owner", `leaver-${++people}@example.com`);
  const { token } = (await person.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "mine", scopes: ["menu:read"] } })).body.data;
  const added = await person.call("POST", `/venues/${lab.slug}/webhooks`, {
    body: { url: "https://a.example/", events: ["order.created"] },
  });
  const pair = await install(app, { owner: person, slug: lab.slug }, await newApp(app.deps));
  const screen = await pairScreen(app, lab.slug, person);
  return { ...person, token, appToken: pair.access_token, webhookId: added.body.data.id, screen };
};

const remove = (email: string, decision: "end" | "keep" | null) => removeFrom(app.deps, lab.slug, { email, decision });
const statusOf = async (token: string): Promise<number> => (await app.call(token, "GET", "/menus")).status;
const works = (person: TestUser) => person.call("GET", `/venues/${lab.slug}/tokens`).then(({ status }) => status);
const showsTickets = async ({ screen }: Leaver): Promise<boolean> => (await screen.call("GET", "/kitchen")).status === 200;
const isAddressOpen = async (id: number): Promise<boolean> =>
  (await app.database.asOwner("select from webhook_endpoints where id = $1 and removed_at is null", [id])).length === 1;

test("without a decision nothing changes, and everything that the member created is listed", async () => {
  const leaver = await busyUser();
  const { outcome, access } = await remove(leaver.email, null);
  expect(outcome).toBe("undecided");
  expect(access.tokens.map(({ name, hint }) => [name, hint])).toEqual([
    ["mine", `${leaver.token.split("|")[0]}|svc_…${leaver.token.slice(-4)}`],
  ]);
  expect([access.apps.map(({ name }) => name), access.webhooks.map(({ id }) => id)]).toEqual([[FORM.name], [leaver.webhookId]]);
  expect(access.screens.map(({ id }) => id)).toEqual([leaver.screen.id]);
  expect([await works(leaver), await statusOf(leaver.token), await showsTickets(leaver)]).toEqual([200, 200, true]);
});

test("with --end-tokens the member's tokens, apps, addresses and screens end and the sessions too; those of others stay", async () => {
  const [leaver, other] = [await busyUser(), await busyUser()];
  expect((await remove(leaver.email, "end")).outcome).toBe("removed");
  expect([await statusOf(leaver.token), await statusOf(leaver.appToken), await isAddressOpen(leaver.webhookId)]).toEqual([401, 401, false]);
  expect([await statusOf(other.token), await statusOf(other.appToken), await isAddressOpen(other.webhookId)]).toEqual([200, 200, true]);
  expect([await showsTickets(leaver), await showsTickets(other)]).toEqual([false, true]);
  expect([await works(leaver), await works(other)]).toEqual([401, 200]);
  const actions = await app.database.asOwner<{ action: string }>(
    "select action from audit_entries where actor_kind = 'operator' and action ~ '^(token.revoked|app.uninstalled|webhook.removed|screen.ended|staff.removed)' order by id",
  );
  expect(actions.map(({ action }) => action)).toEqual([
    "token.revoked",
    "app.uninstalled",
    "webhook.removed",
    "screen.ended",
    "staff.removed",
  ]);
  expect((await remove(leaver.email, "end")).outcome).toBe("unknown");
});

test("with --keep-tokens they keep working, and the activity log records the decision", async () => {
  const leaver = await busyUser();
  expect((await remove(leaver.email, "keep")).outcome).toBe("removed");
  expect([await statusOf(leaver.token), await isAddressOpen(leaver.webhookId), await showsTickets(leaver)]).toEqual([200, true, true]);
  const { body } = await owner.call("GET", `/venues/${lab.slug}/activity?area=staff&rows=1`);
  expect(body.data[0]).toMatchObject({
    action: "staff.access_kept",
    subject_id: leaver.email,
    after: { webhooks: [leaver.webhookId], screens: [leaver.screen.id] },
  });
});

test("the till that the member connected is listed, ends or is kept with the tokens; connected again by another it is that person's", async () => {
  const path = `/venues/${lab.slug}/till`;
  const till = async () => (await owner.call("GET", path)).body.data.till;
  const connect = async (by: TestUser, url: string): Promise<void> => {
    const answer = await by.call("PUT", path, { body: { seen_url: (await till())?.url ?? null, url } });
    expect(answer.status, answer.text).toBe(201);
  };
  const newManager = () => createUser(app, lab.slug, "manager", `till-${++people}@example.com`);
  const [first, second, third] = [await newManager(), await newManager(), await newManager()];
  await connect(first, "https://one.example/");
  expect(await remove(first.email, null)).toMatchObject({ outcome: "undecided", access: { tills: [{ url: "https://one.example/" }] } });
  expect((await remove(first.email, "keep")).outcome).toBe("removed");
  const [entry] = (await owner.call("GET", `/venues/${lab.slug}/activity?area=staff&rows=1`)).body.data;
  expect([await till(), entry.after.tills]).toMatchObject([{ url: "https://one.example/" }, [expect.any(Number)]]);
  await connect(second, "https://two.example/");
  await connect(third, "https://three.example/");
  expect(await till()).toMatchObject({ connected_by: third.email.split("@")[0] });
  expect(await remove(second.email, null)).toMatchObject({ outcome: "removed", access: { tills: [] } });
  expect(await till()).toMatchObject({ url: "https://three.example/" });
  expect((await remove(third.email, "end")).outcome).toBe("removed");
  expect(await till()).toBeNull();
  const [last] = (await owner.call("GET", `/venues/${lab.slug}/activity?area=pos&rows=1`)).body.data;
  expect(last).toMatchObject({ action: "pos.disconnected" });
});

test("a member who created nothing is removed without a decision; a membership of another venue keeps session and role", async () => {
  const other = await app.venue("gulf-cafe");
  const person = await createUser(app, lab.slug, "manager", "two@example.com");
  await addMember(app, other.slug, person.email, "manager");
  expect(await remove(person.email, null)).toMatchObject({
    outcome: "removed",
    access: { tokens: [], apps: [], webhooks: [], tills: [], screens: [] },
  });
  expect(await works(person)).toBe(404);
  expect((await person.call("GET", `/venues/${other.slug}/tokens`)).status).toBe(200);
});

test("an unused invitation is invalid after the removal", async () => {
  const email = "invited@example.com";
  const secret = await linkFor(app, lab.slug, email, "manager");
  expect((await remove(email, null)).outcome).toBe("removed");
  expect((await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } })).status).toBe(422);
});

test("the sandbox token that the member created ends with the removal too", async () => {
  const leaver = await createUser(app, lab.slug, "manager", "sandbox@example.com");
  const { token } = (await leaver.call("POST", `/venues/${lab.slug}/sandbox`, { body: {} })).body.data;
  expect(await statusOf(token)).toBe(200);
  expect(await remove(leaver.email, null)).toMatchObject({ outcome: "undecided", access: { tokens: [{ kind: "sandbox" }] } });
  expect((await remove(leaver.email, "end")).outcome).toBe("removed");
  expect(await statusOf(token)).toBe(401);
});

test("an app that the member registered counts, although another user allowed it", async () => {
  const developer = await createUser(app, lab.slug, "manager", "developer@example.com");
  const client = (await developer.call("POST", "/apps", { body: { ...FORM, name: "Till Talk" } })).body.data;
  const pair = await install(app, { owner, slug: lab.slug }, client);
  expect(await remove(developer.email, null)).toMatchObject({ outcome: "undecided", access: { apps: [{ client_id: client.client_id }] } });
  await remove(developer.email, "end");
  expect(await statusOf(pair.access_token)).toBe(401);
});

test("rows without a stored creator are found by the activity log; a changed name does not hide them", async () => {
  const leaver = await busyUser();
  await leaver.call("PATCH", "/person", { body: { name: "Another name" } });
  for (const [table, maker] of [
    ["tokens", "created_by"],
    ["webhook_endpoints", "created_by"],
    ["installations", "granted_by"],
    ["screens", "paired_by"],
  ])
    await app.database.asOwner(`update ${table} set ${maker}_email = null, ${maker}_user_id = null`);
  const { access } = await remove(leaver.email, null);
  expect([access.tokens.length, access.apps.length, access.webhooks.length, access.screens.length]).toEqual([1, 1, 1, 1]);
  const [row] = await app.database.asOwner<{ sandbox_id: string }>("select sandbox_id from sandboxes");
  const wanted = { url: "https://b.example/", events: ["order.created"], description: null };
  await forVenueId(app.deps, Number(row?.sandbox_id), (ctx) => addEndpoint(ctx, wanted, app.deps.config.encryptionKeys));
  // Rows of the operator belong to no user.
  expect((await remove(leaver.email, "end")).access.webhooks).toHaveLength(1);
});

test("after a name was changed and changed back, new and old entries show the address of the user who acted", async () => {
  const manager = await createUser(app, lab.slug, "manager", "mallory@example.com");
  const rename = async (name: string) => expect((await manager.call("PATCH", "/person", { body: { name } })).status).toBe(200);
  await rename("owner");
  await manager.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "sly", scopes: ["menu:read"] } });
  await rename("mallory");
  const newest = async () => (await owner.call("GET", `/venues/${lab.slug}/activity?area=token&rows=1`)).body.data[0];
  expect(await newest()).toMatchObject({ actor_kind: "staff", actor_name: "owner", actor_email: "mallory@example.com" });
  const { body } = await owner.call("GET", `/venues/${lab.slug}/tokens`);
  expect(body.data.at(-1)).toMatchObject({ created_by: "owner", created_by_email: "mallory@example.com" });
  await app.database.asOwner("update audit_entries set actor_email = null");
  expect(await newest()).toMatchObject({ actor_name: "owner", actor_email: "mallory@example.com" });
  await app.token(lab.slug);
  expect(await newest()).toMatchObject({ actor_kind: "operator", actor_email: null });
});

test("the operator resets a lost second factor: the user is mailed, the log records it, and all sessions end", async () => {
  const person = await createUser(app, lab.slug, "manager", "phoneless@example.com");
  await expect(resetFactorAt(app.deps, lab.slug, person.email)).rejects.toThrow("phoneless@example.com has no second factor.");
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const confirmed = await person.call("PUT", "/second-factor", { body: { code: codeAt(secret, stepAt(app.clock.now())) } });
  expect(confirmed.status, confirmed.text).toBe(200);
  const signIn = () => consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } });
  expect((await signIn()).status).toBe(401);
  const other = await app.venue("gulf-cafe");
  await expect(resetFactorAt(app.deps, other.slug, person.email)).rejects.toThrow(`does not work at ${other.slug}`);
  await resetFactorAt(app.deps, lab.slug, person.email);
  expect((await person.call("GET", "/session")).status).toBe(401);
  expect((await signIn()).status).toBe(201);
  const alerts = await app.database.asOwner<{ kind: string }>("select kind from security_alerts where email = $1", [person.email]);
  expect(alerts.map(({ kind }) => kind)).toContain("factor.reset");
  const { body } = await owner.call("GET", `/venues/${lab.slug}/activity?area=staff&rows=1`);
  expect(body.data[0]).toMatchObject({ action: "staff.factor_reset", subject_id: person.email, actor_kind: "operator" });
});

/** Every console call that shows a secret or sends data elsewhere asks for the password, because it gives others access to data. */
import { randomBytes } from "node:crypto";
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_BODIES, fillConsolePath, fingerprint } from "../support/console-bodies.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

/** Names of fields: what opens something when it is in an answer; in a body, where data is sent to, and what a device or a person gets access for. */
const SECRETS = ["token", "secret", "client_secret", "redirect_to"];
const PLACES = ["url", "redirect_uris", "purpose", "role"];

/** These ask too, each with its reason. */
const ALSO_ASKED: Record<string, string> = {
  removeMember: "A person cannot be added back without an invitation.",
  requireSecondFactor: "Without it a stolen password is enough.",
};

/** Each with its reason. */
const FREE: Record<string, string> = {
  openSandbox: "A sandbox holds sample data only.",
  checkAddress: "The address is sent a ping, and nothing of the venue.",
  denyConsent: "The app is sent a no.",
  readSandbox: "Of its token only the last characters are shown.",
  addShift: "The role of a shift is what the person works as. It gives no access.",
  changeShift: "The role of a shift is what the person works as. It gives no access.",
};

type FieldShape = { properties?: Record<string, FieldShape>; items?: FieldShape; anyOf?: FieldShape[] };
const fieldsOf = (shape: FieldShape | undefined): string[] =>
  shape === undefined
    ? []
    : [
        ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
        ...fieldsOf(shape.items),
        ...(shape.anyOf ?? []).flatMap(fieldsOf),
      ];

const givesAccess = ({ who, method, body, success }: ConsoleOperation): boolean =>
  who !== "anyone" &&
  !fieldsOf(body as FieldShape | undefined).includes("password") &&
  (fieldsOf(success.body as FieldShape).some((name) => SECRETS.includes(name)) ||
    (method !== "GET" && fieldsOf(body as FieldShape | undefined).some((name) => PLACES.includes(name))));

type ConsoleEntry = [string, ConsoleOperation];
const unguarded = (entries: readonly ConsoleEntry[]): string[] =>
  entries.filter(([id, operation]) => givesAccess(operation) && !operation.needsRecentPassword && !(id in FREE)).map(([id]) => id);

const guarded = consoleEntries.filter(([, { needsRecentPassword }]) => needsRecentPassword);

test("every call that shows a secret or sends data elsewhere is one that asks", () => {
  expect(unguarded(consoleEntries)).toEqual([]);
  expect(guarded.map(([id]) => id).toSorted()).toEqual([
    "addWebhook",
    "allowConsent",
    "changeApp",
    "changeRole",
    "changeWebhook",
    "connectTill",
    "createToken",
    "inviteMember",
    "pairScreen",
    "registerApp",
    "removeMember",
    "requireSecondFactor",
    "rollAppSecret",
    "rollToken",
    "rotateSecret",
  ]);
});

test("planted: each of them without the mark is found", () => {
  for (const [id, { needsRecentPassword: _, ...operation }] of guarded.filter(([id]) => !(id in ALSO_ASKED)))
    expect(unguarded([[id, operation]])).toEqual([id]);
});

let app: TestApp;
let slug: string;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  ({ slug } = await app.venue("lab"));
  owner = await createUser(app, slug, "owner");
});
afterAll(() => app.close());

test("an owner's session without a recent password is refused by each of them, and nothing is changed", async () => {
  const ask = async ([id, { method, path }]: ConsoleEntry): Promise<string> => {
    const { body } = await owner.call(method, fillConsolePath(path, { venue: slug }), { body: CONSOLE_BODIES[id] ?? {} });
    return `${id}: ${body.error?.code ?? "done"}`;
  };
  app.clock.advance(10 * 60_000);
  // The call records the session's last use before.
  expect((await owner.call("GET", "/session")).status).toBe(200);
  const before = await fingerprint(app);
  for (const entry of guarded) expect(await ask(entry)).toBe(`${entry[0]}: password_required`);
  expect(await fingerprint(app)).toBe(before);
});

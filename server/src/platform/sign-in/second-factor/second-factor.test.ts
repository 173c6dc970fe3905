/** The second factor over HTTP: TOTP codes, recovery codes, and the limit of wrong ones. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeAt, stepAt } from "#lib/totp.ts";
import { resetSecondFactor } from "#platform/sign-in/accounts/service.ts";
import { consoleCall, createUser, PASSWORD, requestedLink, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { withoutVenue } from "../../../admin/command-context.ts";
import { WRONG_CODES_PER_DAY_MAX } from "./rules.ts";

let app: TestApp;
let lab: TestVenue;
let plant: InjectedFault = () => null;

beforeAll(async () => {
  const environment = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" };
  app = await startApp({ environment, pool: faultInjectingPool((...statement) => plant(...statement)) });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const later = () => app.clock.advance(61_000);

type Options = { code?: string; devices?: string; from?: string };
const signIn = (email: string, { code, ...options }: Options = {}) =>
  consoleCall(app, "POST", "/session", { body: { email, password: PASSWORD, ...(code === undefined ? {} : { code }) }, ...options });

type Protected = TestUser & { code(): string; recovery: string[] };

const withFactor = async (email: string): Promise<Protected> => {
  const person = await createUser(app, lab.slug, "owner", email);
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const code = () => codeAt(secret, stepAt(app.clock.now()));
  const confirmed = await person.call("PUT", "/second-factor", { body: { code: code() } });
  expect(confirmed.status, confirmed.text).toBe(200);
  later();
  return { ...person, code, recovery: confirmed.body.data.recovery_codes };
};

const alertsOf = async (email: string, kind: string): Promise<number> =>
  (await app.database.asOwner("select from security_alerts where email = $1 and kind = $2", [email, kind])).length;

test("RFC 6238 a code is required after the factor is confirmed, and no code works twice", async () => {
  const person = await createUser(app, lab.slug, "owner", "totp@example.com");
  expect((await person.call("POST", "/second-factor", { body: { password: "wrong" } })).body.error.code).toBe("sign_in_failed");
  const { secret, uri } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  expect(uri).toContain(secret);
  expect((await signIn(person.email)).status).toBe(201);
  const code = () => codeAt(secret, stepAt(app.clock.now()));
  expect((await person.call("PUT", "/second-factor", { body: { code: "000000" } })).status).toBe(422);
  const confirmed = await person.call("PUT", "/second-factor", { body: { code: code() } });
  expect(confirmed.body.data).toMatchObject({ person: { has_second_factor: true, recovery_codes_left: 10 } });
  later();
  const without = await signIn(person.email);
  expect([without.status, without.body.error]).toMatchObject([401, { code: "second_factor_required", details: { is_wrong: false } }]);
  const wrongPassword = await consoleCall(app, "POST", "/session", { body: { email: person.email, password: "wrong", code: code() } });
  expect(wrongPassword.body.error.code).toBe("sign_in_failed");
  const right = code();
  const answers = await Promise.all(Array.from({ length: 2 }, () => signIn(person.email, { code: right })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(1);
  const kept = await app.database.asOwner("select 1 from users where encrypted_totp_secret like '%' || $1 || '%'", [secret]);
  expect(kept).toEqual([]);
  later();
  const ended = await person.call("DELETE", "/second-factor", { body: { password: PASSWORD, code: code() } });
  expect(ended.body.data).toMatchObject({ has_second_factor: false, recovery_codes_left: 0 });
  expect((await signIn(person.email)).status).toBe(201);
});

test("turning the factor on ends every other session and known device", async () => {
  const person = await createUser(app, lab.slug, "owner", "others@example.com");
  const other = await signIn(person.email);
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const as = async (cookie: string | null) => (await consoleCall(app, "GET", "/session", { cookie })).status;
  expect(await as(other.cookie)).toBe(200);
  const code = codeAt(secret, stepAt(app.clock.now()));
  expect((await person.call("PUT", "/second-factor", { body: { code } })).status).toBe(200);
  expect([await as(other.cookie), await as(person.cookie)]).toEqual([401, 200]);
  const devices = await app.database.asOwner("select from known_devices d join users p on p.id = d.user_id where p.email = $1", [
    person.email,
  ]);
  expect(devices).toHaveLength(1);
});

test("a recovery code works once, in any spelling, and the user is mailed", async () => {
  const { email, recovery, ...person } = await withFactor("recovery@example.com");
  expect(new Set(recovery).size).toBe(10);
  for (const code of recovery) expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
  const dump = JSON.stringify(await app.database.asOwner("select to_jsonb(p) from users p"));
  for (const code of recovery) expect(dump).not.toContain(code);
  const [first = "", second = "", third = ""] = recovery;
  expect((await signIn(email, { code: first })).body.data.person).toMatchObject({ recovery_codes_left: 9 });
  expect((await signIn(email, { code: first })).body.error).toMatchObject({ code: "second_factor_required", details: { is_wrong: true } });
  expect((await signIn(email, { code: second.toUpperCase().replaceAll("-", "") })).status).toBe(201);
  expect(await alertsOf(email, "recovery_code.used")).toBe(2);
  const other = await withFactor("other-recovery@example.com");
  expect((await signIn(other.email, { code: third })).status).toBe(401);

  const renew = (body: object) => person.call("POST", "/second-factor/recovery-codes", { body });
  expect((await renew({ password: "wrong", code: third })).body.error.code).toBe("sign_in_failed");
  const renewed = await renew({ password: PASSWORD, code: third });
  expect(renewed.body.data).toMatchObject({ person: { recovery_codes_left: 10 } });
  expect((await signIn(email, { code: recovery[5] ?? "" })).status).toBe(401);
  expect((await signIn(email, { code: renewed.body.data.recovery_codes[0] })).status).toBe(201);
});

test("wrong codes have a daily limit and one alert; known devices and sign-in links still work", async () => {
  const { email, devices, code } = await withFactor("guessed@example.com");
  const outcomes: string[] = [];
  for (let index = 0; index < WRONG_CODES_PER_DAY_MAX + 3; index++)
    outcomes.push((await signIn(email, { code: "000000", from: `10.0.0.${index}` })).body.error.code);
  expect(outcomes.slice(0, WRONG_CODES_PER_DAY_MAX)).toEqual(Array(WRONG_CODES_PER_DAY_MAX).fill("second_factor_required"));
  expect(outcomes.slice(WRONG_CODES_PER_DAY_MAX)).toEqual(Array(3).fill("sign_in_link_required"));
  expect(await alertsOf(email, "codes.guessed")).toBe(1);
  expect((await signIn(email, { code: code() })).body.error.code).toBe("sign_in_link_required");
  expect((await signIn(email, { code: code(), devices })).status).toBe(201);
  later();
  expect((await consoleCall(app, "POST", "/sign-in-link", { body: { email } })).status).toBe(202);
  const secret = await requestedLink(app, email);
  const use = (given?: string) => consoleCall(app, "POST", "/links/sign-in", { body: { secret, ...(given ? { code: given } : {}) } });
  expect((await use()).body.error).toMatchObject({ code: "second_factor_required", details: { is_wrong: false } });
  expect((await use("000000")).body.error).toMatchObject({ code: "second_factor_required", details: { is_wrong: true } });
  expect((await use(code())).status).toBe(201);
  app.clock.advance(24 * 60 * 60_000);
  expect((await signIn(email, { code: code() })).status).toBe(201);
});

test("planted fault: without the stored count wrong codes are not limited", async () => {
  const { email } = await withFactor("endless@example.com");
  plant = ({ text, ...rest }) =>
    text.includes("insert into code_guesses")
      ? { ...rest, text: "select $1::bigint, $2::text, $3::timestamptz, $4::integer", name: "planted" }
      : null;
  const codes = new Set<string>();
  for (let index = 0; index < WRONG_CODES_PER_DAY_MAX + 1; index++)
    codes.add((await signIn(email, { code: "000000", from: `10.0.1.${index}` })).body.error.code);
  plant = () => null;
  expect([...codes]).toEqual(["second_factor_required"]);
});

test("the operator resets the factor: sessions and devices end, the user is mailed, and the password alone signs in", async () => {
  const { email, cookie } = await withFactor("lost@example.com");
  expect(await withoutVenue(app.deps, (ctx) => resetSecondFactor(ctx, email))).toBe(true);
  expect((await consoleCall(app, "GET", "/session", { cookie })).status).toBe(401);
  expect(await alertsOf(email, "factor.reset")).toBe(1);
  expect((await signIn(email)).body.data.person).toMatchObject({ has_second_factor: false, recovery_codes_left: 0 });
  expect(await withoutVenue(app.deps, (ctx) => resetSecondFactor(ctx, email))).toBe(false);
  expect(await withoutVenue(app.deps, (ctx) => resetSecondFactor(ctx, "unknown@example.com"))).toBeNull();
});

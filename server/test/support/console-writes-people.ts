/** Valid writes of a person about themselves, of who leaves a team, and of developers. Each has a person of its own. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { codeAt, stepAt } from "../../src/lib/totp.ts";
import { type ConsoleCallOptions, consoleCall, createUser, PASSWORD, type TestUser } from "./console-client.ts";
import { confirmPassword, newMember } from "./console-writes-guests.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";
import { askConsent, authorizeUrl, FORM, newApp, newPkce } from "./marketplace.ts";
import { FIRST_VENUE, signUpSecret } from "./opened-venue.ts";

export type WritingUser = TestUser & { by: ConsoleCallOptions };

/** Their password was confirmed a moment ago. */
export const newUser = async ({ app, cafe, day }: WritesWorld, role: Role = "staff"): Promise<WritingUser> => {
  const person = await createUser(app, cafe.slug, role, `${role}-${day()}@cafe.example`);
  await confirmPassword(person);
  return { ...person, by: { cookie: person.cookie } };
};

/** The data of a call that must succeed. */
const doneBy = async ({ call }: TestUser, method: string, path: string, body: object) => {
  const answer = await call(method, path, { body });
  if (answer.status >= 400) throw new Error(answer.text);
  return answer.body.data;
};

const newDeveloper = async (world: WritesWorld): Promise<{ params: { id: number }; by: ConsoleCallOptions }> => {
  const person = await newUser(world);
  const { id } = await doneBy(person, "POST", "/apps", { ...FORM, name: `App of ${person.email}` });
  return { params: { id }, by: person.by };
};

const STEP_MS = 30_000;

/** Each code works once, so the clock is moved to the next one. */
const newFactor = async (world: WritesWorld): Promise<WritingUser & { code(): string }> => {
  const person = await newUser(world);
  const { secret } = await doneBy(person, "POST", "/second-factor", { password: PASSWORD });
  const code = (): string => codeAt(secret, stepAt(world.app.clock.now()));
  await doneBy(person, "PUT", "/second-factor", { code: code() });
  world.app.clock.advance(STEP_MS);
  return { ...person, code };
};

export const newConsent = async ({ app }: WritesWorld): Promise<string> => askConsent(app, authorizeUrl(await newApp(app.deps), newPkce()));

type PeopleCalls =
  | "endSession"
  | "beginSecondFactor"
  | "confirmSecondFactor"
  | "endSecondFactor"
  | "renewRecoveryCodes"
  | "openAnotherVenue"
  | "leaveVenue"
  | "removeMember"
  | "withdrawInvitation"
  | "registerApp"
  | "changeApp"
  | "rollAppSecret"
  | "withdrawApp"
  | "denyConsent";

export const peopleScenarios: Scenarios<PeopleCalls> = {
  endSession: async (world) => {
    const { email, by, call } = await newUser(world);
    const other = await consoleCall(world.app, "POST", "/session", { body: { email, password: PASSWORD } });
    if (other.status !== 201) throw new Error(other.text);
    const sessions: { id: number; is_current: boolean }[] = (await call("GET", "/sessions")).body.data;
    return { params: { id: sessions.find(({ is_current }) => !is_current)?.id ?? 0 }, by };
  },
  beginSecondFactor: async (world) => ({ body: { password: PASSWORD }, by: (await newUser(world)).by }),
  confirmSecondFactor: async (world) => {
    const person = await newUser(world);
    const { secret } = await doneBy(person, "POST", "/second-factor", { password: PASSWORD });
    return { body: { code: codeAt(secret, stepAt(world.app.clock.now())) }, by: person.by };
  },
  endSecondFactor: async (world) => {
    const { code, by } = await newFactor(world);
    return { body: { password: PASSWORD, code: code() }, by };
  },
  renewRecoveryCodes: async (world) => {
    const { code, by } = await newFactor(world);
    return { body: { password: PASSWORD, code: code() }, by };
  },
  openAnotherVenue: async (world) => {
    const { email, by } = await newUser(world);
    const venue = { ...FIRST_VENUE, name: `Venue of ${email}` };
    return { body: { secret: await signUpSecret(world.app, email), venue }, by };
  },
  leaveVenue: async (world) => ({ params: { venue: world.cafe.slug }, body: {}, by: (await newUser(world)).by }),
  removeMember: async (world) => {
    await confirmPassword(world.owner);
    const { id, role } = await newMember(world);
    return { params: { id }, body: { seen_role: role, tokens: "end", screens: "end" } };
  },
  withdrawInvitation: async ({ owner, done, day }) => {
    await confirmPassword(owner);
    const { id }: TeamMember = await done("POST", "/team", { email: `invited-${day()}@lab.example`, name: "Ida", role: "staff" });
    return { params: { id }, body: {} };
  },
  registerApp: async (world) => ({ body: { ...FORM, name: "Another app" }, by: (await newUser(world)).by }),
  changeApp: async (world) => ({ ...(await newDeveloper(world)), body: { ...FORM, name: "Changed" } }),
  rollAppSecret: async (world) => ({ ...(await newDeveloper(world)), body: { overlap: "1h" } }),
  withdrawApp: newDeveloper,
  denyConsent: async (world) => ({ body: { request: await newConsent(world) }, by: (await newUser(world)).by }),
};

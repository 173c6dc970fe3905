/** Valid writes for guests and for the team. Each has a guest or a member of its own. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { codeAt, stepAt } from "../../src/lib/totp.ts";
import { type ConsoleCallOptions, createUser, PASSWORD, type TestUser } from "./console-client.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

export const newGuest = async (world: WritesWorld): Promise<GuestProfile> => {
  const order = await world.order();
  const [row] = await world.app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [order]);
  return world.done("GET", `/guests/${row?.guest_id}`);
};

/** Has accepted the invitation. */
export const newMember = async ({ app, lab, done, day }: WritesWorld): Promise<TeamMember> => {
  const person: TestUser = await createUser(app, lab.slug, "staff", `person-${day()}@lab.example`);
  await person.call("GET", `/venues/${lab.slug}/board`);
  const { members }: { members: TeamMember[] } = await done("GET", "/team");
  const found = members.find(({ email }) => email === person.email);
  if (!found) throw new Error(`${person.email} is not in the team`);
  return found;
};

/** An owner must have a second factor before it can be asked of others. */
const setUpFactor = async ({ app, cafeOwner }: WritesWorld): Promise<void> => {
  const { secret } = (await cafeOwner.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const confirmed = await cafeOwner.call("PUT", "/second-factor", { body: { code: codeAt(secret, stepAt(app.clock.now())) } });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
};

/** As the page asks for it before such a call. */
export const confirmPassword = async (person: TestUser): Promise<void> => {
  const confirmed = await person.call("POST", "/session/password", { body: { password: PASSWORD } });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
};

type GuestCalls =
  | "setGuestNote"
  | "changeGuestDetails"
  | "recordGuestConsent"
  | "mergeGuests"
  | "eraseGuest"
  | "inviteMember"
  | "resendInvitation"
  | "acceptInvitation"
  | "declineInvitation"
  | "changeRole"
  | "endMemberSessions"
  | "requireSecondFactor";

let invitedPeople = 0;

/** Works in another venue, and is invited to the lab. */
const newInvited = async ({ app, cafe, owner, done }: WritesWorld): Promise<ConsoleCallOptions> => {
  const { cookie, email } = await createUser(app, cafe.slug, "staff", `worker-${++invitedPeople}@example.com`);
  await confirmPassword(owner);
  await done("POST", "/team", { email, name: "Eve", role: "staff" });
  return { cookie };
};

export const guestScenarios: Scenarios<GuestCalls> = {
  setGuestNote: async (world) => {
    const { id, note } = await newGuest(world);
    return { params: { id }, body: { seen_note: note, note: "Sits by the window" } };
  },
  changeGuestDetails: async (world) => {
    const { id, name, phone, email, locale } = await newGuest(world);
    const seen = { name, phone, email, locale };
    return { params: { id }, body: { seen, details: { ...seen, email: `ada-${id}@example.com` } } };
  },
  recordGuestConsent: async (world) => {
    const { id, marketing_opted_in } = await newGuest(world);
    return { params: { id }, body: { seen_is_given: marketing_opted_in, is_given: !marketing_opted_in, source: "in_person" } };
  },
  mergeGuests: async (world) => {
    const [stays, other] = [await newGuest(world), await newGuest(world)];
    const body = { other_id: other.id, seen_version: stays.version, other_seen_version: other.version };
    return { params: { id: stays.id }, body };
  },
  eraseGuest: async (world) => {
    const { id, version } = await newGuest(world);
    return { params: { id }, body: { seen_version: version } };
  },
  inviteMember: async ({ owner }) => {
    await confirmPassword(owner);
    return { body: { email: "invited@lab.example", name: "Ida", role: "staff" } };
  },
  resendInvitation: async ({ owner, done }) => {
    await confirmPassword(owner);
    const { id }: TeamMember = await done("POST", "/team", { email: "again@lab.example", name: "Ben", role: "staff" });
    return { params: { id }, body: {} };
  },
  acceptInvitation: async (world) => ({ body: { seen_role: "staff" }, by: await newInvited(world) }),
  declineInvitation: async (world) => ({ body: {}, by: await newInvited(world) }),
  changeRole: async (world) => {
    await confirmPassword(world.owner);
    const { id, role } = await newMember(world);
    return { params: { id }, body: { seen_role: role, role: "manager" } };
  },
  endMemberSessions: async (world) => ({ params: { id: (await newMember(world)).id }, body: {} }),
  requireSecondFactor: async (world) => {
    const { cafe, cafeOwner } = world;
    await setUpFactor(world);
    await confirmPassword(cafeOwner);
    return {
      params: { venue: cafe.slug },
      body: { seen_is_required: false, is_required: true },
      by: { cookie: cafeOwner.cookie },
    };
  },
};

/** Shifts of a test, over the console's calls. */
import { randomUUID } from "node:crypto";
import type { PlannedShift, ShiftWeek, WeekPublication } from "@comanda/contract/console/shifts.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import { type ConsoleAnswer, createUser, type TestUser } from "./console-client.ts";
import type { TestApp, TestVenue } from "./test-app.ts";

export type ShiftTools = Awaited<ReturnType<typeof shiftTools>>;
export type TestMember = { id: number; user: TestUser };
type TestMail = {
  id: number;
  recipient: string;
  language: string;
  subject: string;
  body: string;
  state: string;
  last_failure: string | null;
};

const VALUE = { from: "10:00", to: "18:00", role: null, note: null };

export const shiftTools = async (app: TestApp, venue: TestVenue, manager: TestUser) => {
  const send = (method: string, path: string, body?: object, who = manager): Promise<ConsoleAnswer> =>
    who.call(method, `/venues/${venue.slug}${path}`, { ...(body ? { body } : {}), headers: { "idempotency-key": randomUUID() } });
  const done = async (method: string, path: string, body?: object) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const week = (weekStart: string, branch?: number): Promise<ShiftWeek> =>
    done("GET", `/shifts?week_start=${weekStart}${branch === undefined ? "" : `&branch=${branch}`}`);
  const { branch_id, branches } = (await done("GET", "/shifts")) as ShiftWeek;
  const publish = async (weekStart: string, branch = branch_id): Promise<WeekPublication> => {
    const { version } = await week(weekStart, branch);
    return done("POST", "/shift-weeks/publications", { branch_id: branch, week_start: weekStart, seen_version: version });
  };
  return {
    send,
    done,
    week,
    publish,
    branchId: branch_id,
    branches,
    otherBranchId: branches.find(({ id }) => id !== branch_id)?.id ?? 0,
    /** A person of the team who has accepted the invitation. */
    person: async (name: string): Promise<TestMember> => {
      const user = await createUser(app, venue.slug, "staff", `${name.toLowerCase()}@${venue.slug}.example`);
      await user.call("GET", `/venues/${venue.slug}/own-shifts`);
      const { people } = await week("2026-11-16");
      return { id: people.find((one) => one.name === name.toLowerCase())?.id ?? 0, user };
    },
    tryAdd: (staffId: number, date: string, changes: object = {}, branch = branch_id): Promise<ConsoleAnswer> =>
      send("POST", "/shifts", { branch_id: branch, shift: { ...VALUE, staff_id: staffId, date, ...changes } }),
    add: (staffId: number, date: string, changes: object = {}, branch = branch_id): Promise<PlannedShift> =>
      done("POST", "/shifts", { branch_id: branch, shift: { ...VALUE, staff_id: staffId, date, ...changes } }),
    change: ({ id, version, staff_id, date, from, to, role, note }: PlannedShift, changes: object): Promise<PlannedShift> =>
      done("PUT", `/shifts/${id}`, { seen_version: version, shift: { staff_id, date, from, to, role, note, ...changes } }),
    remove: ({ id, version }: { id: number; version: number }): Promise<{ id: number; version: number }> =>
      done("DELETE", `/shifts/${id}`, { seen_version: version }),
    events: async (): Promise<EventData["shift.published"][]> =>
      (
        await app.database.asOwner<{ body: string }>(
          "select body from events where restaurant_id = $1 and type = 'shift.published' order by created_at, id",
          [venue.id],
        )
      ).map(({ body }) => JSON.parse(body).data),
    mails: (): Promise<TestMail[]> =>
      app.database.asOwner(
        "select id::integer, recipient, language, subject, body, state, last_failure from notifications where restaurant_id = $1 and kind = 'shifts.published' order by id",
        [venue.id],
      ),
  };
};

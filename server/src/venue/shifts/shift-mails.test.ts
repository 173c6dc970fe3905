/** Mails about published weeks: none is skipped for the daily limit of an address, and a newer one replaces one that still waits. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { type ConsoleAnswer, createUser } from "../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../test/support/fault-injection.ts";
import { type ShiftTools, shiftTools, type TestMember } from "../../../test/support/shifts.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { asSystem } from "../../compose/as-system.ts";
import { notificationJobs } from "../../platform/messages/notifications/jobs.ts";
import type { SendOutcome } from "../../platform/messages/notifications/service.ts";

const [WEEK, NEXT] = ["2026-11-16", "2026-11-23"] as const;
const MAILS_MAX = 12;
const HOUR_MS = 3_600_000;
const REPLACED = "a newer message replaced it";

type MailGround = { app: TestApp; lab: TestVenue; shifts: ShiftTools; ada: TestMember; ben: TestMember };

const opened: TestApp[] = [];

const open = async (plant?: InjectedFault): Promise<MailGround> => {
  const app = await startApp(plant ? { pool: faultInjectingPool(plant) } : {});
  opened.push(app);
  const lab = await app.venue("lab");
  const shifts = await shiftTools(app, lab, await createUser(app, lab.slug, "manager", "max@lab.example"));
  return { app, lab, shifts, ada: await shifts.person("Ada"), ben: await shifts.person("Ben") };
};

const ground = await open();

afterAll(() => Promise.all(opened.map((app) => app.close())));
beforeEach(async () => {
  ground.app.clock.set("2026-11-14T12:00:00Z");
  for (const table of ["shifts", "notifications", "events", "audit_entries"]) await ground.app.database.asOwner(`delete from ${table}`);
});

const tryPublish = async ({ shifts }: MailGround, week: string): Promise<ConsoleAnswer> => {
  const { version, branch_id } = await shifts.week(week);
  return shifts.send("POST", "/shift-weeks/publications", { branch_id, week_start: week, seen_version: version });
};

/** Publishes so many versions of a shift of Ada, one an hour. The last change waits. */
const publishOften = async (on: MailGround, times: number): Promise<void> => {
  let shift = await on.shifts.add(on.ada.id, WEEK);
  for (let turn = 0; turn < times; turn++) {
    expect(await on.shifts.publish(WEEK)).toMatchObject({ changes: 1, mailed: 1 });
    on.app.clock.advance(HOUR_MS);
    shift = await on.shifts.change(shift, { note: `Version ${turn}` });
  }
};

const mailsTo = async ({ shifts }: MailGround, { user }: TestMember) =>
  (await shifts.mails()).filter(({ recipient }) => recipient === user.email);

test("429 a publication that would send a person the thirteenth mail in 24 hours: with the name and the moment, and nothing is published", async () => {
  await publishOften(ground, MAILS_MAX);
  const refused = await tryPublish(ground, WEEK);
  expect([refused.status, refused.body.error.code, refused.body.error.details, refused.headers["retry-after"]]).toEqual([
    429,
    "rate_limited",
    { names: ["ada"], until: "2026-11-15T12:00:00.000Z" },
    String(12 * 3600),
  ]);
  expect((await ground.shifts.week(WEEK)).changes).toBe(1);
  expect([(await mailsTo(ground, ground.ada)).length, (await ground.shifts.events()).length]).toEqual([MAILS_MAX, MAILS_MAX]);
  // A week that concerns others is published meanwhile.
  await ground.shifts.add(ground.ben.id, NEXT);
  expect(await ground.shifts.publish(NEXT)).toMatchObject({ changes: 1, mailed: 1 });
  ground.app.clock.set("2026-11-15T11:59:59Z");
  expect((await tryPublish(ground, WEEK)).status).toBe(429);
  ground.app.clock.set("2026-11-15T12:00:00Z");
  expect((await tryPublish(ground, WEEK)).body.data).toMatchObject({ changes: 1, mailed: 1 });
  expect(await mailsTo(ground, ground.ada)).toHaveLength(MAILS_MAX + 1);
});

test("planted: without the entries of the activity log the thirteenth mail is written", async () => {
  const hidden: InjectedFault = ({ text, values = [] }) =>
    text.includes("audit_entries") && values.some((value) => Array.isArray(value) && value.includes("shift_week.published"))
      ? { text: "select null as at where false", values: [] }
      : null;
  const blind = await open(hidden);
  await publishOften(blind, MAILS_MAX);
  expect((await tryPublish(blind, WEEK)).status).toBe(200);
  expect(await mailsTo(blind, blind.ada)).toHaveLength(MAILS_MAX + 1);
});

const states = async (on: MailGround, person: TestMember) =>
  (await mailsTo(on, person)).map(({ state, last_failure }) => [state, last_failure]);

/** Ada and Ben get a mail about one week; then Ada's shift changes, and the week is published again. */
const publishTwice = async (on: MailGround): Promise<void> => {
  const shift = await on.shifts.add(on.ada.id, WEEK);
  await on.shifts.add(on.ben.id, WEEK);
  await on.shifts.publish(WEEK);
  await on.shifts.change(shift, { to: "19:00" });
  await on.shifts.publish(WEEK);
};

test("a publication replaces the queued mail about the same week to the same person: not of others, another week, another branch, or a sent one", async () => {
  const { app, shifts, ada, ben } = ground;
  await shifts.add(ada.id, NEXT);
  await shifts.publish(NEXT);
  await shifts.add(ada.id, "2026-11-17", {}, shifts.otherBranchId);
  await shifts.publish(WEEK, shifts.otherBranchId);
  await publishTwice(ground);
  expect(await states(ground, ada)).toEqual([
    ["queued", null],
    ["queued", null],
    ["skipped", REPLACED],
    ["queued", null],
  ]);
  expect(await states(ground, ben)).toEqual([["queued", null]]);
  expect((await mailsTo(ground, ada)).at(-1)?.body).toContain("10:00–19:00");
  await app.database.asOwner("update notifications set state = 'sent' where state = 'queued'");
  const [shift] = (await shifts.week(WEEK)).shifts.filter(({ staff_id }) => staff_id === ada.id);
  if (!shift) throw new Error("Ada has no shift");
  await shifts.change(shift, { to: "20:00" });
  await shifts.publish(WEEK);
  expect((await states(ground, ada)).map(([state]) => state)).toEqual(["sent", "sent", "skipped", "sent", "queued"]);
});

test("planted: without the replacement two mails about one week are queued", async () => {
  const kept: InjectedFault = ({ text }) => (text.includes("'a newer message replaced it'") ? { text: "select 1", values: [] } : null);
  const faulty = await open(kept);
  await publishTwice(faulty);
  expect((await states(faulty, faulty.ada)).map(([state]) => state)).toEqual(["queued", "queued"]);
});

/** Ada's mail is replaced while the job sends it. Returns its state, and how often it was sent after the second attempt. */
const replaceWhileSent = async (on: MailGround, outcome: SendOutcome): Promise<{ state: string | undefined; sends: number }> => {
  let shift = await on.shifts.add(on.ada.id, WEEK);
  await on.shifts.publish(WEEK);
  const message_id = (await mailsTo(on, on.ada))[0]?.id ?? 0;
  let sends = 0;
  const sender = {
    send: async () => {
      sends++;
      shift = await on.shifts.change(shift, { note: `Version ${sends}` });
      await on.shifts.publish(WEEK);
      return outcome;
    },
    close: () => undefined,
  };
  const job = notificationJobs(sender, { smsPerVenue: 500, mailsPerVenue: 500 })["send-message"];
  for (const attempt of [1, 2]) await job(asSystem(on.app.deps, on.lab.id), { message_id, attempt });
  return { state: (await mailsTo(on, on.ada))[0]?.state, sends };
};

const FAILED: SendOutcome = { isSent: false, reason: "the mail server is away", failure: "unreachable", isFinal: false };

test("a mail that is replaced while it is sent is not sent again after a failure, and counts as sent after a success", async () => {
  expect(await replaceWhileSent(ground, FAILED)).toEqual({ state: "skipped", sends: 1 });
  await ground.app.database.asOwner("delete from shifts");
  await ground.app.database.asOwner("delete from notifications");
  expect(await replaceWhileSent(ground, { isSent: true })).toEqual({ state: "sent", sends: 1 });
});

test("planted: a failure that does not look at the state queues the replaced mail again, and it is sent", async () => {
  const careless: InjectedFault = ({ text, values = [], ...rest }) =>
    text.startsWith('update "notifications"') && / and "state" = \$\d+$/.test(text)
      ? { ...rest, text: text.replace(/ and "state" = \$\d+$/, ""), values: values.slice(0, -1) }
      : null;
  expect(await replaceWhileSent(await open(careless), FAILED)).toMatchObject({ sends: 2 });
});

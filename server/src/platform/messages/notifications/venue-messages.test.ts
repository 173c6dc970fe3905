/** Pages show the true state of messages: with a mail server and a gateway that fail, and once they work again. */
import { randomUUID } from "node:crypto";
import type { MessageSubject, VenueMessage } from "@comanda/contract/console/messages.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { repeatUntilDetected } from "../../../../test/support/repeat-until-detected.ts";
import { newEncryptionKeys } from "../../../../test/support/review-links.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { linkJobs } from "../../sign-in/one-time-links/jobs.ts";
import { notificationJobs } from "./jobs.ts";
import { createMessageSender, type MessageSender } from "./send.ts";

let mailAndSms: FakeMailAndSms;
let app: TestApp;
let lab: TestVenue;
let post: MessageSender;
let host: TestUser;
let owner: TestUser;

const open = async (plant?: InjectedFault): Promise<void> => {
  app = await startApp({
    environment: { SMTP_URL: mailAndSms.smtpUrl, SMS_GATEWAY_URL: mailAndSms.gatewayUrl, ENCRYPTION_KEYS: newEncryptionKeys() },
    ...(plant && { pool: faultInjectingPool(plant) }),
  });
  lab = await app.venue("lab", (file) => {
    file.tables = [];
    file.table_combinations = [];
  });
  host = await createUser(app, lab.slug, "staff", "hanna@lab.example");
};

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  await open();
  post = createMessageSender(app.deps.config);
  owner = await createUser(app, lab.slug, "owner", "otto@lab.example");
});
afterAll(async () => {
  post.close();
  await app.close();
  await mailAndSms.close();
});
beforeEach(async () => {
  mailAndSms.reset();
  await app.database.asOwner("delete from notifications");
});

const keyed = (who: TestUser, method: string, path: string, body: object) =>
  who.call(method, `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": randomUUID() } });
const messages = async (who: TestUser, about?: MessageSubject, subject?: string): Promise<VenueMessage[]> => {
  const query = new URLSearchParams({ ...(about && { about }), ...(subject && { subject }) });
  const { status, body, text } = await who.call("GET", `/venues/${lab.slug}/messages?${query}`);
  expect(status, text).toBe(200);
  return body.data;
};
const send = async ({ id, attempts }: Pick<VenueMessage, "id" | "attempts">): Promise<void> =>
  notificationJobs(post, { smsPerVenue: 500, mailsPerVenue: 2000 })["send-message"](asSystem(app.deps, lab.id), {
    message_id: id,
    attempt: attempts + 1,
  });
const only = async (who: TestUser, about?: MessageSubject, subject?: string): Promise<VenueMessage> => {
  const [message, ...more] = await messages(who, about, subject);
  if (!message || more.length > 0) throw new Error(`${more.length + 1} messages, or none`);
  return message;
};
const retry = (who: TestUser, { id, attempts }: VenueMessage, body: object = {}) =>
  keyed(who, "POST", `/messages/${id}/retry`, { seen_attempts: attempts, ...body });

let guests = 0;
const told = async (): Promise<string> => {
  const phone = `+1 555 ${String(++guests).padStart(4, "0")}`;
  const { body } = await keyed(host, "POST", "/waitlist", { name: "Wes", phone, party_size: 2 });
  const { status } = await keyed(host, "POST", `/waitlist/${body.data.id}/notify`, { seen_version: body.data.version });
  expect(status).toBe(200);
  return body.data.id;
};
const failed = async (): Promise<VenueMessage> => {
  const party = await told();
  mailAndSms.answers.gateway = 400;
  await send(await only(host, "waiting", party));
  return only(host, "waiting", party);
};

test("a party that was told: the message waits, then failed with its reason, and the venue's list of failures has it", async () => {
  const party = await told();
  const waiting = await only(host, "waiting", party);
  expect(waiting).toMatchObject({ state: "waiting", failure: null, attempts: 0, can_retry: false, channel: "sms" });
  expect(await messages(host)).toEqual([]);
  mailAndSms.answers.gateway = 503;
  await send(waiting);
  expect(await only(host, "waiting", party)).toMatchObject({ state: "waiting", failure: "unreachable", attempts: 1 });
  mailAndSms.answers.gateway = 400;
  await send({ ...waiting, attempts: 1 });
  const refused = await only(host, "waiting");
  expect(refused).toMatchObject({ state: "failed", failure: "refused", attempts: 2, can_retry: true, subject_id: party });
  expect(await messages(host)).toEqual([refused]);
});

test("a retry has one effect: it sends to the address that was given, and two people who press at once send once", async () => {
  const message = await failed();
  mailAndSms.reset();
  const both = await Promise.all([retry(host, message, { recipient: "+1 555 9999" }), retry(owner, message)]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const [change] = await app.database.asOwner<{ jobs: number; entries: number }>(
    `select (select count(*)::integer from jobs.job where name = 'send-message' and data ->> 'message_id' = $1 and (data ->> 'attempt')::integer = 2) as jobs,
      (select count(*)::integer from audit_entries where action = 'message.retried' and subject_id = $1) as entries`,
    [String(message.id)],
  );
  expect(change).toEqual({ jobs: 1, entries: 1 });
  const again = await only(host, "waiting", message.subject_id);
  expect(again).toMatchObject({ state: "waiting", failure: null });
  await send(again);
  expect(await only(host, "waiting", message.subject_id)).toMatchObject({ state: "sent", failure: null, can_retry: false });
  expect(mailAndSms.texts.map(({ body }) => body.to)).toEqual([again.recipient]);
});

test("a retry is refused for a message that was sent, for an address that is none, and after five times", async () => {
  const message = await failed();
  const wrong = await retry(host, message, { recipient: "a\r\nb@c" });
  expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([422, ["recipient"]]);
  for (let round = 1; round <= 5; round++) {
    const before = await only(host, "waiting", message.subject_id);
    expect((await retry(host, before)).status).toBe(200);
    await send(before);
  }
  const last = await only(host, "waiting", message.subject_id);
  expect(last).toMatchObject({ state: "failed", can_retry: false });
  expect((await retry(host, last)).status).toBe(422);
  await app.database.asOwner("update notifications set state = 'sent', retries = 0");
  expect((await retry(host, last)).status).toBe(409);
  const party = await failed();
  await app.database.asOwner("update notifications set created_at = created_at - interval '13 hours' where id = $1", [party.id]);
  expect((await retry(host, party)).status).toBe(422);
});

test("a message that was set aside leaves the list of failures, and stays with its subject", async () => {
  const message = await failed();
  expect((await keyed(host, "POST", `/messages/${message.id}/set-aside`, { seen_attempts: message.attempts })).status).toBe(200);
  expect([await messages(host), await messages(host, "waiting", message.subject_id)]).toEqual([[], [message]]);
});

test("a message above the limit of a day failed, and its reason is the limit", async () => {
  const party = await told();
  const { id } = await only(host, "waiting", party);
  await notificationJobs(post, { smsPerVenue: 0, mailsPerVenue: 0 })["send-message"](asSystem(app.deps, lab.id), {
    message_id: id,
    attempt: 1,
  });
  expect(await messages(host)).toEqual([expect.objectContaining({ id, state: "failed", failure: "limit", can_retry: true })]);
});

test("messages about a booking name it, and one that failed is sent again", async () => {
  const body = { name: "Ada", phone: "+1 555 0100", email: "ada@example.com", party_size: 2, date: "2026-12-01", time: "19:00" };
  const booked = await keyed(host, "POST", "/bookings", body);
  expect(booked.status, booked.text).toBe(201);
  const booking = booked.body.data.reservation.id;
  mailAndSms.answers.smtp = 550;
  await send(await only(host, "reservation", booking));
  const refused = await only(host, "reservation", booking);
  expect(refused).toMatchObject({ kind: "reservation.confirmed", state: "failed", failure: "refused", recipient: "ada@example.com" });
  mailAndSms.reset();
  expect((await retry(host, refused, { recipient: "ada@elsewhere.example" })).status).toBe(200);
  await send(await only(host, "reservation", booking));
  expect([(await only(host, "reservation", booking)).state, mailAndSms.mails.map(({ to }) => to)]).toEqual([
    "sent",
    [["ada@elsewhere.example"]],
  ]);
});

/** The link of an invitation, sent as its job does. Returns what the team's page says then. */
const invite = async (email: string, answer: number | null): Promise<VenueMessage[]> => {
  const invited = await keyed(owner, "POST", "/team", { email, name: "Ben", role: "staff" });
  expect(invited.status, invited.text).toBe(201);
  expect((await messages(owner, "staff", email)).map(({ state }) => state)).toEqual(["waiting"]);
  await sendLink(email, answer);
  return messages(owner, "staff", email);
};
const sendLink = async (email: string, answer: number | null): Promise<void> => {
  mailAndSms.answers.smtp = answer;
  const [link] = await app.database.asOwner<{ id: string }>("select max(id) as id from one_time_links where email = $1", [email]);
  const global = { sender: post, linkUrl: "https://example.com/link", inGlobalTransaction: () => Promise.reject(new Error("unused")) };
  await linkJobs(global)["send-link"](asSystem(app.deps, lab.id), { link_id: Number(link?.id) });
};

test("an invitation whose mail was refused says so; a new link replaces it, and its mail is sent", async () => {
  expect(await invite("ben@example.com", 550)).toEqual([
    expect.objectContaining({ state: "failed", failure: "refused", recipient: "ben@example.com", can_retry: false }),
  ]);
  const [member] = (await owner.call("GET", `/venues/${lab.slug}/team`)).body.data.members.filter(
    ({ email }: { email: string }) => email === "ben@example.com",
  );
  expect((await keyed(owner, "POST", `/team/${member.id}/invitation`, {})).status).toBe(202);
  await sendLink("ben@example.com", null);
  expect((await messages(owner, "staff", "ben@example.com")).map(({ state, failure }) => [state, failure])).toEqual([
    ["sent", null],
    ["skipped", "replaced"],
  ]);
  await expect(invite("gone@example.com", 451)).rejects.toThrow("not sent");
  expect(await messages(owner, "staff", "gone@example.com")).toEqual([
    expect.objectContaining({ state: "waiting", failure: "unreachable", attempts: 1 }),
  ]);
});

test("staff see messages about bookings and parties that wait, and no others", async () => {
  await invite("cleo@example.com", 550);
  const [invitation] = await messages(owner);
  expect(await messages(host)).toEqual([]);
  const refused = await host.call("GET", `/venues/${lab.slug}/messages?about=staff`);
  expect([refused.status, refused.body.error.code]).toEqual([403, "role_required"]);
  if (!invitation) throw new Error("The owner does not see it either");
  expect((await retry(host, invitation)).status).toBe(404);
});

/** Runs the work on a service with a fault, for this venue. */
const withFault = async (plant: InjectedFault, work: () => Promise<void>): Promise<void> => {
  const sound = { app, lab, host };
  try {
    await open(plant);
    await work();
  } finally {
    if (app !== sound.app) await app.close();
    ({ app, lab, host } = sound);
  }
};

test("planted: a service that keeps what was asked for instead of what happened says sent", async () => {
  const wish: InjectedFault = (statement) => {
    const { text, values = [] } = statement;
    if (!text.startsWith('update "notifications"')) return null;
    return { ...statement, values: values.map((value) => (value === "failed" ? "sent" : value === "refused" ? null : value)) };
  };
  await withFault(wish, async () => expect((await failed()).state).toBe("sent"));
});

test("planted: without the lock two people who press at once send twice", async () => {
  const unlocked: InjectedFault = ({ text, ...rest }) =>
    text.includes("about_kind is not null for update") ? { ...rest, text: text.replace("for update", "") } : null;
  const pressTwice = async (): Promise<number[]> => {
    const message = await failed();
    return (await Promise.all([retry(host, message), retry(host, message)])).map(({ status }) => status);
  };
  const isTwice = (statuses: number[]): boolean => statuses.every((status) => status === 200);
  await withFault(unlocked, async () => expect(isTwice(await repeatUntilDetected(pressTwice, isTwice))).toBe(true));
});

/** Messages to guests through a fake SMTP server and SMS gateway: written with the booking, sent once, retried, safe against injected text. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NewReservation } from "@comanda/contract/venue/reservations.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { startWorker } from "#compose/worker.ts";
import { makeReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { notificationJobs } from "./jobs.ts";
import { createMessageSender, type MessageSender } from "./send.ts";
import { listMessages } from "./service.ts";

const FROM = "bookings@venue.test";

let mailAndSms: FakeMailAndSms;
let app: TestApp;
let lab: TestVenue;
let post: MessageSender;
let limits = { smsPerVenue: 500, mailsPerVenue: 2000 };

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  app = await startApp({
    environment: {
      SMTP_URL: mailAndSms.smtpUrl,
      MAIL_FROM: FROM,
      SMS_GATEWAY_URL: mailAndSms.gatewayUrl,
      SMS_GATEWAY_TOKEN: "gateway-token",
    },
  });
  lab = await app.venue("lab", (file) => {
    file.tables = [];
    file.table_combinations = [];
    for (const guest of file.guests) guest.locale = { dev: "ar", eva: "it", ada: "fr" }[guest.key] ?? null;
  });
  post = createMessageSender(app.deps.config);
});
afterAll(async () => {
  post.close();
  await app.close();
  await mailAndSms.close();
});
beforeEach(() => mailAndSms.reset());

const WANTED: NewReservation = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-12-01", time: "19:00" };
const EVA = { name: "Eva", phone: "+1 202-555-0105" };
const DEV = { name: "Dev", phone: "+1 202-555-0104" };
/** One guest has a language without texts, the other has no profile. */
const ADA = { name: "Ada", phone: "+1 202-555-0101" };
const ZOE = { name: "Zoe", phone: "+1 555 0199" };

type StoredMessage = { id: number; state: string; attempts: number; last_failure: string | null; recipient: string; kind: string };
const newest = async (): Promise<StoredMessage> => {
  const rows = await app.database.asOwner<StoredMessage>(
    "select id::integer, state, attempts, last_failure, recipient, kind from notifications m order by m.id desc limit 1",
  );
  if (!rows[0]) throw new Error("There is no message");
  return rows[0];
};
const book = async (changes: Partial<NewReservation> = {}): Promise<StoredMessage & { reservationId: string }> => {
  const { id } = await forVenue(app.deps, lab.slug, (ctx) => makeReservation(ctx, { ...WANTED, ...changes }));
  return { ...(await newest()), reservationId: id };
};
const COUNTS = `select (select count(*)::integer from notifications) as messages,
  (select count(*)::integer from jobs.job where name = 'send-message') as jobs`;
const counts = async () => (await app.database.asOwner<{ messages: number; jobs: number }>(COUNTS))[0];
const jobsOf = (id: number) =>
  app.database.asOwner<{ attempt: number; start_after: Date }>(
    "select (data->>'attempt')::integer as attempt, start_after from jobs.job where name = 'send-message' and data->>'message_id' = $1 order by 1",
    [String(id)],
  );
const run = (id: number, attempt = 1, way = post) =>
  notificationJobs(way, limits)["send-message"](asSystem(app.deps, lab.id), { message_id: id, attempt });

test("R3.2-05 D119 a booking and its message are one commit: a rejected or rolled back booking sends no message", async () => {
  const before = { messages: 0, jobs: 0 };
  expect(await counts()).toEqual(before);
  const headers = { "idempotency-key": "refused" };
  expect((await app.call(lab.token, "POST", "/reservations", { body: { ...WANTED, party_size: 21 }, headers })).status).toBe(422);
  const rolledBack = forVenue(app.deps, lab.slug, async (ctx) => {
    await makeReservation(ctx, { ...WANTED, email: "ada@example.test" });
    throw new Error("changed my mind");
  });
  await expect(rolledBack).rejects.toThrow("changed my mind");
  expect(await counts()).toEqual(before);
  expect((await app.call(lab.token, "POST", "/reservations", { body: { ...WANTED, email: "ada@example.test" } })).status).toBe(201);
  expect(await counts()).toEqual({ messages: 1, jobs: 1 });
  expect(mailAndSms.mails).toEqual([]);
});

test("R3.2-05 end to end: the worker mails the guest with the venue's name as sender", async () => {
  await app.database.asOwner("delete from jobs.job");
  const worker = await startWorker(app.deps);
  const body = { ...WANTED, name: "Ada Noether", email: "ada@example.test", status: "pending" };
  expect((await app.call(lab.token, "POST", "/reservations", { body })).status).toBe(201);
  for (const deadline = Date.now() + 8000; (await newest()).state === "queued" && Date.now() < deadline; ) await sleep(50);
  await worker.stop();
  expect(await newest()).toMatchObject({ state: "sent", attempts: 1, last_failure: null, kind: "reservation.requested" });
  expect(mailAndSms.mails).toHaveLength(1);
  expect(mailAndSms.mails[0]?.to).toEqual(["ada@example.test"]);
  expect(mailAndSms.mails[0]?.body).toContain("Hello Ada Noether,\n\nwe have your request for 2");
  expect(mailAndSms.mails[0]?.head).toContain(`From: The Lab <${FROM}>`);
  expect(mailAndSms.mails[0]?.head).toContain("Subject: Your request at The Lab");
});

const ITALIAN = "Il suo tavolo da The Lab";
const ARABIC = "طاولتكم في The Lab";
test.each([
  {
    as: "the guest's Italian",
    guest: EVA,
    venue: "en",
    subject: ITALIAN,
    line: "il suo tavolo per 2 da The Lab è prenotato: 2026-12-01, ore 19:00.",
  },
  { as: "the guest's Arabic", guest: DEV, venue: "en", subject: ARABIC, line: "طاولتكم لعدد 2 في The Lab بتاريخ 2026-12-01 الساعة 19:00." },
  { as: "the venue's language if the language is unknown", guest: ZOE, venue: "it", subject: ITALIAN, line: "Buongiorno Zoe," },
  { as: "the venue's language for want of their own", guest: ADA, venue: "it", subject: ITALIAN, line: "Buongiorno Ada," },
])("R3.2-05 the guest is told in $as", async ({ guest, venue, subject, line }) => {
  await app.database.asOwner("update restaurants set default_language = $1 where id = $2", [venue, lab.id]);
  const { id } = await book({ ...guest, email: "guest@example.test" });
  await app.database.asOwner("update restaurants set default_language = 'en' where id = $1", [lab.id]);
  await run(id);
  expect(mailAndSms.mails.map(({ to }) => to)).toEqual([["guest@example.test"]]);
  expect(mailAndSms.mails[0]?.head).toContain(`Subject: ${subject}`);
  expect(mailAndSms.mails[0]?.body).toContain(line);
});

test("R3.2-05 without an e-mail address a text message goes to the gateway, with its token", async () => {
  const { id } = await book(EVA);
  await run(id);
  expect(mailAndSms.texts).toMatchObject([{ headers: { authorization: "Bearer gateway-token" }, body: { to: EVA.phone } }]);
  expect(mailAndSms.texts[0]?.body.text).toContain("Buongiorno Eva");
  expect(await newest()).toMatchObject({ state: "sent" });
  expect(mailAndSms.mails).toEqual([]);
});

test("R3.2-05 a cancellation sends the guest a message", async () => {
  const { reservationId } = await book({ email: "ada@example.test" });
  expect((await app.call(lab.token, "POST", `/reservations/${reservationId}/cancel`)).status).toBe(200);
  const { id, kind } = await newest();
  expect(kind).toBe("reservation.cancelled");
  await run(id);
  expect(mailAndSms.mails[0]).toMatchObject({
    to: ["ada@example.test"],
    body: expect.stringContaining("2026-12-01 at 19:00 is cancelled"),
  });
});

test("R3.2-05 a transient failure of the mail server is retried after a minute, then at growing intervals, and the mail is sent once", async () => {
  const { id } = await book({ email: "ada@example.test" });
  mailAndSms.answers.smtp = 451;
  for (const [attempt, seconds] of [60, 300, 1800, 7200].entries()) {
    await run(id, attempt + 1);
    expect(await newest()).toMatchObject({ state: "queued", attempts: attempt + 1, last_failure: expect.stringContaining("451") });
    const next = (await jobsOf(id)).at(-1);
    expect(next).toEqual({ attempt: attempt + 2, start_after: new Date(app.clock.now().getTime() + seconds * 1000) });
    app.clock.set(next?.start_after.toISOString() ?? "");
  }
  // A job that runs again after a crash neither sends nor counts.
  await run(id, 2);
  expect(await newest()).toMatchObject({ state: "queued", attempts: 4 });
  mailAndSms.answers.smtp = null;
  await run(id, 5);
  await run(id, 5);
  expect(await newest()).toMatchObject({ state: "sent", attempts: 5, last_failure: null });
  expect(mailAndSms.mails).toHaveLength(1);
});

test("R3.2-05 after the fifth failed attempt the message is marked failed", async () => {
  const { id } = await book();
  mailAndSms.answers.gateway = 503;
  for (const attempt of [1, 2, 3, 4, 5]) await run(id, attempt);
  expect(await newest()).toMatchObject({ state: "failed", attempts: 5, last_failure: "the gateway answered 503" });
  expect(await jobsOf(id)).toHaveLength(5);
});

test.each([
  { as: "the mail server refuses for good", email: "gone@example.test", answers: { smtp: 550 }, settings: {}, reason: /550/ },
  { as: "the gateway refuses for good", email: null, answers: { gateway: 400 }, settings: {}, reason: /400/ },
  { as: "there is no mail server", email: "ada@example.test", answers: {}, settings: { smtpUrl: null }, reason: /SMTP_URL/ },
  { as: "there is no gateway", email: null, answers: {}, settings: { smsGatewayUrl: null }, reason: /SMS_GATEWAY_URL/ },
])("R3.2-05 when $as the message fails at once and says why; the booking stands", async ({ email, answers, settings, reason }) => {
  const { id, reservationId } = await book({ email });
  Object.assign(mailAndSms.answers, answers);
  await run(id, 1, createMessageSender({ ...app.deps.config, ...settings }));
  expect(await newest()).toMatchObject({ state: "failed", attempts: 1, last_failure: expect.stringMatching(reason) });
  expect(await jobsOf(id)).toHaveLength(1);
  expect((await app.call(lab.token, "GET", `/reservations/${reservationId}`)).body.data.status).toBe("confirmed");
});

const VICTIM = "victim@example.test";

test.each(["Eve\r\nBcc: victim@example.test", "Eve\r\n.\r\nRCPT TO:<victim@example.test>\r\n"])(
  "the name of a guest or a venue adds no header, no line and no recipient: %j",
  async (name) => {
    const { id } = await book({ name, email: "eve@example.test" });
    await app.database.asOwner("update restaurants set name = $1 where id = $2", [JSON.stringify({ en: name }), lab.id]);
    await app.database.asOwner("update notifications set subject = $1 where id = $2", [name, id]);
    await run(id);
    await app.database.asOwner(`update restaurants set name = '{"en": "The Lab"}' where id = $1`, [lab.id]);
    expect(mailAndSms.mails.map(({ to }) => to)).toEqual([["eve@example.test"]]);
    const names = mailAndSms.mails[0]?.head.split("\r\n").map((line) => line.split(":")[0]);
    expect(names?.toSorted().join()).toBe("Content-Transfer-Encoding,Content-Type,Date,From,MIME-Version,Message-ID,Subject,To");
  },
);

test.each([
  `a@example.test, ${VICTIM}`,
  `a@example.test\r\nBcc: ${VICTIM}`,
  `<a@example.test> <${VICTIM}>`,
  `${VICTIM};a@b.test`,
  "a b@c.test",
])("an address that could be more than one is never written to: %j", async (email) => {
  const { id } = await book({ email });
  await run(id);
  expect(await newest()).toMatchObject({ state: "failed", attempts: 1, last_failure: expect.stringContaining("not an address") });
  expect(mailAndSms.mails).toEqual([]);
});

test.each([`+1 555 0123, ${VICTIM}`, "<+1 555 0123>", "=1+5550123", "+1 555 0123\u001b[2J", "none", "+1"])(
  "what is no number is never sent to: %j",
  async (phone) => {
    const { id } = await book({ name: "Kim", phone });
    await run(id);
    expect(await newest()).toMatchObject({ state: "failed", attempts: 1, last_failure: expect.stringContaining("not a number") });
    expect(mailAndSms.texts).toEqual([]);
  },
);

test.each(["+1 (555) 014-0001", "tel: +39 055 1402", "001/555.0143 ext 4", "+٤٤ ١٥٥٥", "+1 555 0145 (Mario)"])(
  "a number is sent to as it was written: %j",
  async (phone) => {
    const { id } = await book({ name: "Kim", phone });
    await run(id);
    expect(mailAndSms.texts.map(({ body }) => body.to)).toEqual([phone]);
  },
);

test("a sandbox stores its messages and sends none", async () => {
  const live = lab;
  await app.database.asOwner("update restaurants set kind = 'sandbox' where id = $1", [lab.id]);
  lab = { ...live, token: await app.token(live.slug, { kind: "sandbox" }) };
  const { id, state } = await book({ email: "ada@example.test" });
  expect(state).toBe("skipped");
  expect(await jobsOf(id)).toEqual([]);
  await run(id);
  await app.database.asOwner("update restaurants set kind = 'live' where id = $1", [lab.id]);
  lab = live;
  expect(mailAndSms.mails).toEqual([]);
});

test("D126 erasing a guest deletes all messages, unsent ones too, and a later cancellation sends none", async () => {
  const { id, reservationId } = await book({ name: "Una", phone: "+1 555 0666", email: "una@example.test" });
  const [guest] = await app.database.asOwner<{ id: string }>("select id from guests where email = 'una@example.test'");
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(guest?.id)));
  expect(await app.database.asOwner("select from notifications where id = $1", [id])).toEqual([]);
  const before = await counts();
  await run(id);
  expect((await app.call(lab.token, "POST", `/reservations/${reservationId}/cancel`)).status).toBe(200);
  expect(await counts()).toEqual(before);
  expect([...mailAndSms.mails, ...mailAndSms.texts]).toEqual([]);
});

test("R3.2-05 the venue's message log lists the newest first, with the state of each", async () => {
  const { id } = await book(EVA);
  await run(id);
  const [newestEntry, ...older] = await forVenue(app.deps, lab.slug, (ctx) => listMessages(ctx, 3));
  expect(older).toHaveLength(2);
  expect(newestEntry).toMatchObject({ id, kind: "reservation.confirmed", channel: "sms", recipient: EVA.phone, language: "it" });
  expect(newestEntry).toMatchObject({ state: "sent", attempts: 1, last_failure: null, created_at: app.clock.now() });
  const other = await app.venue("gulf-cafe");
  expect(await forVenue(app.deps, other.slug, (ctx) => listMessages(ctx, 3))).toEqual([]);
});

test("a guest name with line breaks and a link is reduced to one line without a link, in mail and in text messages", async () => {
  const name = "Ada\r\n\r\nYour card was refused, pay here: https://evil.example/pay now";
  const mail = await book({ name, email: "victim@example.test" });
  await run(mail.id);
  const body = mailAndSms.mails[0]?.body ?? "";
  expect(body.split("\n")[0]).toMatch(/^Hello Ada Your card was refused, pay here: https: evil\. exam/);
  expect(body).not.toMatch(/https?:\/\/|evil\.example/);
  const text = await book({ name, phone: "+1 555 0777" });
  await run(text.id);
  expect(mailAndSms.texts[0]?.body.text).not.toMatch(/https?:\/\/|evil\.example/);
});

test("a loop of bookings and cancellations: a recipient gets at most six messages in 24 hours, in any spelling of the number", async () => {
  const spellings = ["+1 555 0888", "001-555-0888", "+1 (0) (555) 0888", "+١٥٥٥٠٨٨٨", "+1 555 0888 ext 1", "＋１５５５０８８８"];
  const states: string[] = [];
  for (let at = 0; at < 10; at++) {
    const { id } = await book({ name: "Max", phone: spellings[at % spellings.length] ?? "" });
    await run(id);
    states.push((await newest()).state);
  }
  expect(states).toEqual([...Array<string>(6).fill("sent"), ...Array<string>(4).fill("skipped")]);
  expect(mailAndSms.texts).toHaveLength(6);
  expect(await newest()).toMatchObject({ last_failure: "this recipient was sent 6 messages in 24 hours", attempts: 1 });
  app.clock.set(new Date(app.clock.now().getTime() + 25 * 3_600_000).toISOString());
  const { id } = await book({ name: "Max", phone: "+1 555 0888", date: "2026-12-10" });
  await run(id);
  expect(await newest()).toMatchObject({ state: "sent" });
});

test("the limit of a recipient counts the messages of all venues", async () => {
  const other = await app.venue("gulf-cafe");
  const phone = "+1 555 0999";
  const mine = lab;
  for (let at = 0; at < 8; at++) {
    lab = at % 2 === 0 ? mine : { ...other };
    await forVenue(app.deps, lab.slug, (ctx) => makeReservation(ctx, { ...WANTED, name: "Ida", phone, date: "2026-12-11" }));
    await run((await newest()).id);
  }
  lab = mine;
  expect(mailAndSms.texts).toHaveLength(6);
});

test("a venue has a daily limit of text messages; mail is still sent above it", async () => {
  const usual = limits;
  limits = { smsPerVenue: 0, mailsPerVenue: 2000 };
  await run((await book({ name: "Bo", phone: "+1 555 0666" })).id);
  expect(await newest()).toMatchObject({ state: "skipped", last_failure: expect.stringContaining("the venue sent") });
  await run((await book({ name: "Bo", phone: "+1 555 0667", email: "bo@example.test" })).id);
  limits = usual;
  expect(mailAndSms.texts).toEqual([]);
  expect(mailAndSms.mails).toHaveLength(1);
});

test.each(["+44 20 7946 0000", "0044 20 7946 0000", "0+44 20 7946 0000", "(0)+44 20", "٠٠٤٤ ٢٠ ٧٩٤٦", "＋４４ ２０ ７９４６"])(
  "a text message goes only to the countries of SMS_COUNTRIES: %s",
  async (phone) => {
    const { id } = await book({ name: "Pat", phone });
    await run(id, 1, createMessageSender({ ...app.deps.config, smsCountries: ["+1"] }));
    expect(mailAndSms.texts).toEqual([]);
    expect(await newest()).toMatchObject({ state: "failed", last_failure: expect.stringContaining("SMS_COUNTRIES") });
  },
);

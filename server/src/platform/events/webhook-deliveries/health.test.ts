/** The health of an endpoint and the mail to its owners: the rules alone, and with a real mail server. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { startWorker, type Worker } from "#compose/worker.ts";
import { emit } from "#platform/events/service.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { rotateSecret } from "#platform/events/webhooks/service/secret-rotation.ts";
import { type FakeMailAndSms, type Mail, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { SEED } from "../../../../test/support/seeded-random.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { answer, createLocalSender, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { shownState } from "../webhooks/rules/failures.ts";
import { type EndpointHealth, healthAfter, shouldNotifyOwners, shownAddress } from "./rules/endpoint-health.ts";
import { isNotSent, nextAttempt } from "./rules/retry-schedule.ts";
import { removeEndpoint } from "./service/endpoints.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("rules", () => {
  const NEW: EndpointHealth = {
    failures_in_row: 0,
    failing_since: null,
    last_success_at: null,
    last_failure_at: null,
    last_failure: null,
    notified_at: null,
  };
  const NOW = new Date("2026-11-14T12:00:00Z");
  const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
  const down = (ms: number, failures: number, told: Date | null = null): EndpointHealth => ({
    ...NEW,
    failures_in_row: failures,
    failing_since: ago(ms),
    notified_at: told,
  });
  const results = fc.array(fc.constantFrom(null, "timeout", "status", "dns"), { maxLength: 30 });

  test("an endpoint that failed recently, or has deliveries to retry, is not shown as working", () => {
    const good = { is_paused: false, failing_since: null, last_failure_at: null, waiting: 0 };
    expect(shownState(good, NOW)).toBe("working");
    expect(shownState({ ...good, last_failure_at: ago(1000) }, NOW)).toBe("unsteady");
    expect(shownState({ ...good, last_failure_at: ago(HOUR_MS) }, NOW)).toBe("working");
    expect(shownState({ ...good, last_failure_at: ago(HOUR_MS), waiting: 1 }, NOW)).toBe("unsteady");
    expect(shownState({ ...good, failing_since: ago(1000), last_failure_at: ago(1000), waiting: 1 }, NOW)).toBe("failing");
    expect(shownState({ ...good, is_paused: true, failing_since: ago(1000) }, NOW)).toBe("paused");
  });

  test("health does not depend on how results are grouped", () => {
    fc.assert(
      fc.property(results, results, (first, second) => {
        const inTwo = healthAfter(healthAfter(NEW, first, NOW), second, NOW);
        expect(inTwo).toEqual(healthAfter(NEW, [...first, ...second], NOW));
      }),
      { seed: SEED },
    );
  });

  test("failures in a row are those since the last success, and the endpoint is failing exactly while there are any", () => {
    fc.assert(
      fc.property(results, (all) => {
        const { failures_in_row, failing_since, last_success_at, last_failure } = healthAfter(NEW, all, NOW);
        expect(failures_in_row).toBe(all.length - 1 - all.lastIndexOf(null));
        expect(failing_since === null).toBe(failures_in_row === 0);
        expect(last_success_at === null).toBe(!all.includes(null));
        expect(last_failure).toBe(all.findLast((failure) => failure !== null) ?? null);
      }),
      { seed: SEED },
    );
  });

  test.each([
    { failure: null, delay: 60, next: { state: "done", due_at: null } },
    { failure: "status", delay: 60, next: { state: "waiting", due_at: new Date(NOW.getTime() + MINUTE_MS) } },
    { failure: "status", delay: null, next: { state: "failed", due_at: null } },
    { failure: "removed", delay: 60, next: { state: "failed", due_at: null } },
    { failure: "lapsed", delay: 60, next: { state: "failed", due_at: null } },
  ])("after $failure with a delay of $delay: $next.state", ({ failure, delay, next }) => {
    expect(nextAttempt(failure, delay, NOW)).toEqual(next);
    expect(isNotSent(failure)).toBe(failure === "removed" || failure === "lapsed");
  });

  test.each([
    { why: "all is well", health: NEW, hasGivenUp: false, told: false },
    { why: "an hour, but few failures", health: down(HOUR_MS, 9), hasGivenUp: false, told: false },
    { why: "many failures, but not yet an hour", health: down(HOUR_MS - 1, 500), hasGivenUp: false, told: false },
    { why: "an hour", health: down(HOUR_MS, 10), hasGivenUp: false, told: true },
    { why: "something given up", health: down(8 * HOUR_MS, 6), hasGivenUp: true, told: true },
    { why: "given up between successes", health: NEW, hasGivenUp: true, told: true },
    { why: "given up between successes, told lately", health: { ...NEW, notified_at: ago(DAY_MS - 1) }, hasGivenUp: true, told: false },
    { why: "told lately of the same", health: down(30 * HOUR_MS, 99, ago(DAY_MS - 1)), hasGivenUp: true, told: false },
    { why: "told a day ago", health: down(30 * HOUR_MS, 99, ago(DAY_MS)), hasGivenUp: false, told: true },
    { why: "told lately, recovered, an hour again", health: down(HOUR_MS, 10, ago(2 * HOUR_MS)), hasGivenUp: false, told: true },
    { why: "told lately, recovered, failing a moment", health: down(1, 1, ago(2 * HOUR_MS)), hasGivenUp: true, told: false },
  ])("D181 $why: told $told", ({ health, hasGivenUp, told }) => {
    expect(shouldNotifyOwners(health, hasGivenUp, NOW)).toBe(told);
  });

  /** One minute for each result; a failure may be the last attempt of its delivery. */
  const life = fc.array(fc.record({ isGood: fc.boolean(), isLong: fc.boolean(), isLast: fc.boolean() }), { maxLength: 400 });

  test("D181 in every sequence: no two mails within an hour, and within a day only after a recovery", () => {
    fc.assert(
      fc.property(life, (steps) => {
        let health = NEW;
        let now = NOW;
        let toldAt: Date | null = null;
        let hasRecovered = false;
        for (const { isGood, isLong, isLast } of steps) {
          now = new Date(now.getTime() + (isLong ? HOUR_MS / 2 : MINUTE_MS));
          health = healthAfter(health, [isGood ? null : "status"], now);
          hasRecovered ||= isGood;
          if (!shouldNotifyOwners(health, !isGood && isLast, now)) continue;
          const sinceMs = toldAt === null ? Number.POSITIVE_INFINITY : now.getTime() - toldAt.getTime();
          expect(sinceMs).toBeGreaterThanOrEqual(hasRecovered ? HOUR_MS : DAY_MS);
          health = { ...health, notified_at: now };
          [toldAt, hasRecovered] = [now, false];
        }
      }),
      { seed: SEED },
    );
  });

  test("a mail shows an address without its query", () => {
    expect(shownAddress("https://pos.test/hook?key=hidden")).toBe("https://pos.test/hook");
    expect(shownAddress("https://pos.test/hook#x\ny")).toBe("https://pos.test/hook");
    expect(shownAddress("https://pos.test/")).toBe("https://pos.test/");
  });
});

describe("D181 the owners' mail", () => {
  let mailAndSms: FakeMailAndSms;
  let app: TestApp;
  let receiver: Receiver;
  let worker: Worker;
  let venue: TestVenue;
  let secrets: string[];
  let endpointId: number;
  let venues = 0;

  beforeAll(async () => {
    [mailAndSms, receiver] = await Promise.all([startFakeMailAndSms(), startReceiver()]);
    const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;
    app = await startApp({ environment: { SMTP_URL: mailAndSms.smtpUrl, MAIL_FROM: "hello@comanda.test", ENCRYPTION_KEYS } });
    worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
  });
  afterEach(async () => {
    await forVenue(app.deps, venue.slug, (ctx) => removeEndpoint(ctx, endpointId));
    mailAndSms.reset();
  });
  afterAll(async () => {
    await worker.stop();
    await receiver.close();
    await app.close();
    await mailAndSms.close();
  });

  const keys = () => app.deps.config.encryptionKeys;

  /** A venue with three owners, each with another language, and a failing endpoint. */
  const open = async (): Promise<void> => {
    venue = await app.venue("trattoria", (file) => {
      file.restaurant.slug = `failing-${venues++}`;
      file.staff.push(
        { email: "noura@example.com", name: "نورة", role: "owner", locale: "ar" },
        { email: "olive@example.com", name: "Olive", role: "owner", locale: "en" },
      );
    });
    receiver.behave(answer(500, {}, "no"));
    const wanted = { url: `${receiver.url}?key=hidden-key`, events: ["order.created"], description: null };
    const added = await forVenue(app.deps, venue.slug, (ctx) => addEndpoint(ctx, wanted, keys()));
    endpointId = added.endpoint.id;
    const rotated = await forVenue(app.deps, venue.slug, (ctx) => rotateSecret(ctx, endpointId, keys()));
    secrets = [added.secret, rotated.secret];
  };
  const tell = (count: number): Promise<unknown> =>
    asSystem(
      app.deps,
      venue.id,
    )(async (ctx) => {
      for (let event = 0; event < count; event++) emit(ctx, "order.created", EVENT_SAMPLES["order.created"].data);
    });
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 20_000; !(await isSo()); await sleep(30))
      if (Date.now() > deadline) throw new Error("It did not happen in time");
  };
  /** Waits until no delivery is due and no mail is queued. */
  const settled = async (): Promise<void> => {
    const open = `select (select count(*)::integer from deliveries where state = 'ready' or (state = 'waiting' and due_at <= $1))
      + (select count(*)::integer from notifications where state = 'queued') as count`;
    await until(async () => (await app.database.asOwner<{ count: number }>(open, [app.clock.now()]))[0]?.count === 0);
  };
  const failForAnHour = async (): Promise<void> => {
    await tell(10);
    await settled();
    app.clock.advance(HOUR_MS);
    await tell(1);
    await settled();
  };
  const recover = async (): Promise<void> => {
    receiver.behave(answer(200));
    app.clock.advance(6 * HOUR_MS);
    await tell(1);
    await settled();
    receiver.behave(answer(500));
  };
  const subjects = (mails: Mail[]): string[] =>
    mails.map(({ to, head }) => `${to.join()} ${/^Subject: (.*)$/m.exec(head)?.[1]}`).toSorted();
  const expectOneEach = (): void => {
    const { host } = new URL(receiver.url);
    expect(subjects(mailAndSms.mails)).toEqual([
      expect.stringMatching(`^nino@example.com .*: gli eventi non raggiungono ${host}$`),
      expect.stringMatching(`^noura@example.com .*: الأحداث لا تصل إلى ${host}$`),
      expect.stringMatching(`^olive@example.com .*: events do not reach ${host}$`),
    ]);
    for (const { head, body } of mailAndSms.mails) {
      expect(body).toContain(receiver.url);
      for (const hidden of [...secrets, "whsec_", "hidden-key"]) expect(head + body).not.toContain(hidden);
    }
    mailAndSms.mails.length = 0;
  };

  test("an hour of failures: one mail to each owner in their language, the next a day later, and at once after a recovery", async () => {
    await open();
    await tell(10);
    await settled();
    app.clock.advance(HOUR_MS - 1);
    await tell(1);
    await settled();
    expect(mailAndSms.mails).toEqual([]);
    app.clock.advance(1);
    await tell(1);
    await settled();
    expectOneEach();
    // Most deliveries fail for good meanwhile; the owners were notified.
    for (const hours of [3, 7, 13.9]) {
      app.clock.advance(hours * HOUR_MS);
      await tell(1);
      await settled();
    }
    expect(mailAndSms.mails).toEqual([]);
    app.clock.advance(HOUR_MS / 10);
    await tell(1);
    await settled();
    expectOneEach();
    await recover();
    expect(mailAndSms.mails).toEqual([]);
    await failForAnHour();
    expectOneEach();
  });

  test("one delivery fails for good: the owners are notified of it alone", async () => {
    await open();
    await tell(1);
    for (const minutes of [1, 5, 30, 120, 360]) {
      await settled();
      expect(mailAndSms.mails).toEqual([]);
      app.clock.advance(minutes * MINUTE_MS);
    }
    await settled();
    expect(await app.database.asOwner("select from deliveries where endpoint_id = $1 and state = 'failed'", [endpointId])).toHaveLength(1);
    expectOneEach();
  });

  test("a sandbox sends none", async () => {
    await open();
    await app.database.asOwner("update restaurants set kind = 'sandbox' where id = $1", [venue.id]);
    await failForAnHour();
    await app.database.asOwner("update restaurants set kind = 'live' where id = $1", [venue.id]);
    expect(mailAndSms.mails).toEqual([]);
    expect(await app.database.asOwner("select from notifications where restaurant_id = $1", [venue.id])).toHaveLength(0);
  });
});

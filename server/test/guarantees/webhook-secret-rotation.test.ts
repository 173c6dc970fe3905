/** A secret is replaced while events flow: receivers that know only the old one, only the new one or both refuse none of them. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { startWorker, type Worker } from "#compose/worker.ts";
import type { Deps } from "#deps.ts";
import { emit } from "#platform/events/service.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { rotateSecret, SECRET_SHOWN_AFTER_MS } from "#platform/events/webhooks/service/secret-rotation.ts";
import { createAuthority } from "../support/certificates.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { createLocalSender, type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const SECONDS = Number(process.env.TEST_SECONDS ?? (process.env.TEST_STRESS ? 60 : 6));
const EVENTS_PER_SECOND = 50;
/** Long enough that something is on its way to each receiver most of the time. */
const ANSWER_MS = 40;

/** Which of the secrets it was shown a receiver accepts, the newest last. */
const POLICIES = {
  old: (shown: string[]) => shown.slice(0, 1),
  new: (shown: string[]) => shown.slice(-1),
  both: (shown: string[]) => shown,
};
type Policy = keyof typeof POLICIES;

type SignatureChecker = { policy: Policy; receiver: Receiver; shown: string[]; endpointId: number; accepted: number; refused: number };

let app: TestApp;
let worker: Worker;
const authority = createAuthority();

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  worker = await startWorker(app.deps, { sender: createLocalSender(authority.cert) });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

/** Checks the signature from the contract alone, as an integrator would write it. */
const isSignedWith = (header: string, body: string, secrets: string[]): boolean => {
  const parts = header.split(",");
  const t = parts.find((part) => part.startsWith("t="))?.slice(2);
  const given = parts.filter((part) => part.startsWith("v1=")).map((part) => Buffer.from(part.slice(3)));
  const mine = secrets.map((secret) => Buffer.from(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")));
  return given.some((signature) => mine.some((own) => timingSafeEqual(own, signature)));
};

const openSignatureChecker = async (venue: TestVenue, policy: Policy): Promise<SignatureChecker> => {
  const receiver = await startReceiver({ authority });
  const { endpoint, secret } = await forVenue(app.deps, venue.slug, (ctx) =>
    addEndpoint(ctx, { url: receiver.url, events: ["order.created"], description: null }, app.deps.config.encryptionKeys),
  );
  const judge: SignatureChecker = { policy, receiver, shown: [secret], endpointId: endpoint.id, accepted: 0, refused: 0 };
  receiver.behave((request, response) => {
    const { body = "" } = receiver.received.at(-1) ?? {};
    const isGood = isSignedWith(String(request.headers["service-signature"]), body, POLICIES[policy](judge.shown));
    judge[isGood ? "accepted" : "refused"]++;
    setTimeout(() => response.writeHead(isGood ? 200 : 401).end(), ANSWER_MS);
  });
  return judge;
};

/** The receiver changes in the moment in which its owner is shown the secret. */
const rotate = async (deps: Deps, venue: TestVenue, judge: SignatureChecker): Promise<void> => {
  const { secret } = await forVenue(deps, venue.slug, (ctx) => rotateSecret(ctx, judge.endpointId, deps.config.encryptionKeys));
  await sleep(SECRET_SHOWN_AFTER_MS);
  judge.shown.push(secret);
};

type Rotations = { seconds: number; count: number; deps: Deps };

const rotateUnderLoad = async (slug: string, { seconds, count, deps }: Rotations): Promise<SignatureChecker[]> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = slug;
  });
  const judges: SignatureChecker[] = [];
  for (const policy of Object.keys(POLICIES) as Policy[]) judges.push(await openSignatureChecker(venue, policy));
  const events: Promise<void>[] = [];
  const inVenue = asSystem(app.deps, venue.id);
  const tell = () => inVenue(async (ctx) => emit(ctx, "order.created", EVENT_SAMPLES["order.created"].data));
  const timer = setInterval(() => events.push(tell()), 1000 / EVENTS_PER_SECOND);
  for (let turn = 0; turn < count; turn++) {
    await sleep((seconds * 1000) / (count + 1));
    await Promise.all(judges.map((judge) => rotate(deps, venue, judge)));
  }
  await sleep((seconds * 1000) / (count + 1));
  clearInterval(timer);
  await Promise.all(events);
  const isAnswered = ({ accepted, refused }: SignatureChecker): boolean => accepted + refused >= events.length;
  for (const deadline = Date.now() + 100_000; !judges.every(isAnswered) && Date.now() < deadline; ) await sleep(50);
  for (const { receiver } of judges) await receiver.close();
  const told = judges.map(({ policy, accepted, refused }) => `${policy} ${accepted} accepted, ${refused} refused`).join("; ");
  console.info(`${slug}: ${events.length} events in ${seconds} s and more, ${count} rotations: ${told}`);
  expect(judges.map(({ accepted, refused }) => accepted + refused)).toEqual(judges.map(() => events.length));
  return judges;
};

test(`R6.1-05 ${EVENTS_PER_SECOND} events a second for ${SECONDS} s, the secret replaced twice: no receiver refuses a delivery`, {
  timeout: SECONDS * 1000 + 60_000,
}, async () => {
  const judges = await rotateUnderLoad("rotated", { seconds: SECONDS, count: 2, deps: app.deps });
  expect(judges.map(({ policy, refused }) => ({ policy, refused }))).toEqual([
    { policy: "old", refused: 0 },
    { policy: "new", refused: 0 },
    { policy: "both", refused: 0 },
  ]);
});

test("planted: a rotation without an overlap is found by the receiver that knows only the old secret", async () => {
  const pool = faultInjectingPool((statement) => {
    if (!statement.text.includes("update webhook_secrets set expires_at")) return null;
    return { ...statement, values: [app.clock.now(), ...(statement.values ?? []).slice(1)] };
  })(app.deps.config);
  const [old, fresh, both] = await rotateUnderLoad("planted", { seconds: 2, count: 1, deps: { ...app.deps, pool } });
  await pool.end();
  expect(old?.refused).toBeGreaterThan(0);
  expect(fresh?.refused).toBeGreaterThan(0);
  expect(both?.refused).toBeGreaterThan(0);
});

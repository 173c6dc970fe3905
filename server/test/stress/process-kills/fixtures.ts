/** The venues of a scenario and their receivers: two endpoints each, and a till in the first, over real TLS. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { connectPos } from "#venue/kitchen/pos/service.ts";
import { type Authority, createAuthority } from "../../support/certificates.ts";
import type { TestDatabase } from "../../support/database.ts";
import { random } from "../../support/seeded-random.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../support/test-app.ts";
import { answer, hang, type ReceivedRequest, type ReceiverReply, startReceiver } from "../../support/webhook-receiver.ts";

/** A message as its receiver saw it; accepted means that it was answered with a 2xx. */
export type ReceivedEvent = { eventId: string; body: string; isGenuine: boolean; isAccepted: boolean };

/** `moody`: some answers are bad. `slow`: every answer comes late. `dead`: nothing is answered at all. */
type ReceiverState = "well" | "moody" | "slow" | "dead";

export type EventReceiver = {
  id: number;
  events: string[];
  receipts: ReceivedEvent[];
  /** Whether a request waits for an answer. */
  isAwaited(): boolean;
  feel(mood: ReceiverState): void;
  close(): Promise<void>;
};

export type KillVenue = TestVenue & { itemId: number; endpoints: EventReceiver[]; till: EventReceiver | null };

export type KillFixtures = { all: KillVenue[]; endpoints: EventReceiver[]; authority: string; close(): Promise<void> };

export type KillFixtureSettings = {
  database: TestDatabase;
  encryptionKeys: string;
  /** Distinguishes the venues of one scenario from those of another. */
  name: string;
  count: number;
  seed: number;
  /** What the workers take for now. */
  nowMs(): number;
};

/** The first endpoint of each venue gets every event of a scenario, the second only status changes. */
const CHOICES = [["order.created", "order.status_changed"], ["order.status_changed"]];

export const openKillFixtures = async (wanted: KillFixtureSettings): Promise<KillFixtures> => {
  const app = await startApp({ database: wanted.database, environment: { ENCRYPTION_KEYS: wanted.encryptionKeys } });
  app.clock.set(new Date().toISOString());
  const authority = createAuthority();
  const all: KillVenue[] = [];
  for (let number = 0; number < wanted.count; number++) all.push(await openKillVenue(app, { ...wanted, authority, number }));
  await app.close();
  const endpoints = all.flatMap((venue) => venue.endpoints);
  const listeners = all.flatMap((venue) => [...venue.endpoints, ...(venue.till ? [venue.till] : [])]);
  return {
    all,
    endpoints,
    authority: authority.cert,
    close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
  };
};

type VenueSettings = KillFixtureSettings & { authority: Authority; number: number };

const openKillVenue = async (app: TestApp, place: VenueSettings): Promise<KillVenue> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = `${place.name}-${place.number}`;
  });
  const { encryptionKeys } = app.deps.config;
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  const itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const endpoints: EventReceiver[] = [];
  for (const events of CHOICES)
    endpoints.push(
      await listen(place, events, (url) =>
        forVenue(app.deps, venue.slug, async (ctx) => {
          const { endpoint, secret } = await addEndpoint(ctx, { url, events, description: null }, encryptionKeys);
          return { id: endpoint.id, secret };
        }),
      ),
    );
  if (place.number > 0) return { ...venue, itemId, endpoints, till: null };
  const till = await listen(place, ["order.created"], (url) =>
    forVenue(app.deps, venue.slug, async (ctx) => ({ id: 0, ...(await connectPos(ctx, url, encryptionKeys)) })),
  );
  return { ...venue, itemId, endpoints, till };
};

type Register = (url: string) => Promise<{ id: number; secret: string }>;

const listen = async ({ authority, seed, number, nowMs }: VenueSettings, events: string[], register: Register): Promise<EventReceiver> => {
  const receiver = await startReceiver({ authority });
  const { id, secret } = await register(receiver.url);
  const receipts: ReceivedEvent[] = [];
  const awaited = new Set<ReceivedEvent>();
  const pick = random(seed + number * 10 + events.length);
  let mood: ReceiverState = "well";
  receiver.behave((request, response) => {
    const [got] = receiver.received.splice(0);
    if (!got) return;
    const isGenuine = isSignedWith(secret, got, nowMs());
    const receipt: ReceivedEvent = { eventId: String(got.headers["service-delivery"]), body: got.body, isGenuine, isAccepted: false };
    receipts.push(receipt);
    const accept = (): void => {
      awaited.delete(receipt);
      // A process that was killed while it waited never reads the answer.
      receipt.isAccepted = !request.socket.destroyed;
      response.end("ok");
    };
    if (mood === "well" || (mood === "moody" && pick(100) >= FAULT_PERCENT)) return accept();
    if (mood === "slow") {
      awaited.add(receipt);
      return void setTimeout(accept, SLOW_MS);
    }
    const fault = mood === "dead" ? hang : (FAULTS[pick(FAULTS.length)] ?? hang);
    if (fault === slow) setTimeout(accept, 200 + pick(1500));
    else fault(request, response);
  });
  const feel = (wanted: ReceiverState): void => {
    mood = wanted;
  };
  return { id, events, receipts, isAwaited: () => awaited.size > 0, feel, close: receiver.close };
};

const FAULT_PERCENT = 15;
/** Long enough to be seen waiting. */
const SLOW_MS = 300;
const cutOff: ReceiverReply = (request) => void request.socket.destroy();
/** Late, but in time. */
const slow: ReceiverReply = () => undefined;
const FAULTS = [answer(500), answer(302, { Location: "/elsewhere" }), cutOff, hang, slow];

const TOLERANCE_SECONDS = 300;

/** Checks the signature from the contract alone, as an integrator would write it. */
const isSignedWith = (secret: string, { headers, body }: ReceivedRequest, nowMs: number): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  const mine = Buffer.from(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex"));
  const isSigned = parts.some((part) => part.startsWith("v1=") && timingSafeEqual(Buffer.from(part.slice(3)), mine));
  return isSigned && Math.abs(nowMs / 1000 - t) <= TOLERANCE_SECONDS;
};

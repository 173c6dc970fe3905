/** The venues of a storm and those who listen to them: two addresses each, and a till in the first, over real TLS. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { addEndpoint } from "#platform/webhooks/service.ts";
import { connectPos } from "#venue/pos/service.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../app.ts";
import { type Authority, createAuthority } from "../certificates.ts";
import type { TestDatabase } from "../database.ts";
import { answer, hang, type Manners, type Received, startReceiver } from "../receiver.ts";
import { random } from "../seed.ts";

/** A message as its receiver saw it; accepted means that it was answered with a 2xx. */
export type Receipt = { eventId: string; body: string; isGenuine: boolean; isAccepted: boolean };

/** `moody`: some answers are bad. `dead`: nothing is answered at all. */
type Mood = "well" | "moody" | "dead";

export type Listener = { id: number; events: string[]; receipts: Receipt[]; feel(mood: Mood): void; close(): Promise<void> };

export type House = TestVenue & { itemId: number; endpoints: Listener[]; till: Listener | null };

export type Houses = { all: House[]; endpoints: Listener[]; authority: string; close(): Promise<void> };

export type HousesWanted = {
  database: TestDatabase;
  secretKeys: string;
  /** Tells the venues of one storm from those of another. */
  name: string;
  count: number;
  seed: number;
  /** What the workers take for now. */
  nowMs(): number;
};

/** The first address of each venue hears of everything that a storm does, the second of moves alone. */
const CHOICES = [["order.created", "order.status_changed"], ["order.status_changed"]];

export const openHouses = async (wanted: HousesWanted): Promise<Houses> => {
  const app = await startApp({ database: wanted.database, environment: { SECRET_KEYS: wanted.secretKeys } });
  app.clock.set(new Date().toISOString());
  const authority = createAuthority();
  const all: House[] = [];
  for (let number = 0; number < wanted.count; number++) all.push(await openHouse(app, { ...wanted, authority, number }));
  await app.close();
  const endpoints = all.flatMap((house) => house.endpoints);
  const listeners = all.flatMap((house) => [...house.endpoints, ...(house.till ? [house.till] : [])]);
  return {
    all,
    endpoints,
    authority: authority.cert,
    close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
  };
};

type Place = HousesWanted & { authority: Authority; number: number };

const openHouse = async (app: TestApp, place: Place): Promise<House> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = `${place.name}-${place.number}`;
  });
  const { secretKeys } = app.deps.config;
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  const itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const endpoints: Listener[] = [];
  for (const events of CHOICES)
    endpoints.push(
      await listen(place, events, (url) =>
        forVenue(app.deps, venue.slug, async (ctx) => {
          const { endpoint, secret } = await addEndpoint(ctx, { url, events, description: null }, secretKeys);
          return { id: endpoint.id, secret };
        }),
      ),
    );
  if (place.number > 0) return { ...venue, itemId, endpoints, till: null };
  const till = await listen(place, ["order.created"], (url) =>
    forVenue(app.deps, venue.slug, async (ctx) => ({ id: 0, ...connectPos(ctx, url, secretKeys) })),
  );
  return { ...venue, itemId, endpoints, till };
};

type Register = (url: string) => Promise<{ id: number; secret: string }>;

const listen = async ({ authority, seed, number, nowMs }: Place, events: string[], register: Register): Promise<Listener> => {
  const receiver = await startReceiver({ authority });
  const { id, secret } = await register(receiver.url);
  const receipts: Receipt[] = [];
  const pick = random(seed + number * 10 + events.length);
  let mood: Mood = "well";
  receiver.behave((request, response) => {
    const [got] = receiver.received.splice(0);
    if (!got) return;
    const isGenuine = isSignedWith(secret, got, nowMs());
    const receipt: Receipt = { eventId: String(got.headers["service-delivery"]), body: got.body, isGenuine, isAccepted: false };
    receipts.push(receipt);
    const accept = (): void => {
      // Who was killed while it waited never reads the answer.
      receipt.isAccepted = !request.socket.destroyed;
      response.end("ok");
    };
    if (mood === "well" || (mood === "moody" && pick(100) >= FAULT_PERCENT)) return accept();
    const fault = mood === "dead" ? hang : (FAULTS[pick(FAULTS.length)] ?? hang);
    if (fault === slow) setTimeout(accept, 200 + pick(1500));
    else fault(request, response);
  });
  const feel = (wanted: Mood): void => {
    mood = wanted;
  };
  return { id, events, receipts, feel, close: receiver.close };
};

const FAULT_PERCENT = 15;
const cutOff: Manners = (request) => void request.socket.destroy();
/** Late, but in time. */
const slow: Manners = () => undefined;
const FAULTS = [answer(500), answer(302, { Location: "/elsewhere" }), cutOff, hang, slow];

const TOLERANCE_SECONDS = 300;

/** From the contract alone, as an integrator would write it. */
const isSignedWith = (secret: string, { headers, body }: Received, nowMs: number): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  const mine = Buffer.from(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex"));
  const isSigned = parts.some((part) => part.startsWith("v1=") && timingSafeEqual(Buffer.from(part.slice(3)), mine));
  return isSigned && Math.abs(nowMs / 1000 - t) <= TOLERANCE_SECONDS;
};

/** Everything that the service sends to: a mail server, a text gateway, a webhook receiver and a till, and what arrived there. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../src/deps.ts";
import { addEndpoint } from "../src/platform/webhooks/service.ts";
import { connectPos } from "../src/venue/pos/service.ts";
import { forVenue } from "./app.ts";
import { openPostOffice } from "./post-office.ts";
import { createLocalSender, startReceiver } from "./receiver.ts";

export const SECRET_KEYS = `test:${Buffer.alloc(32, 9).toString("base64")}`;

export type Arrived = { mails: number; texts: number; deliveries: number; pushes: number };
export const NOTHING: Arrived = { mails: 0, texts: 0, deliveries: 0, pushes: 0 };

export type OutsideWorld = Awaited<ReturnType<typeof openOutsideWorld>>;

export const openOutsideWorld = async () => {
  const office = await openPostOffice();
  const receiver = await startReceiver();
  const till = await startReceiver({ authority: receiver.authority });
  const arrived = (): Arrived => ({
    mails: office.mails.length,
    texts: office.texts.length,
    deliveries: receiver.received.length,
    pushes: till.received.length,
  });
  return {
    /** For processes and for applications under test; `AUTHORITY` is for the worker's process. */
    environment: {
      SECRET_KEYS,
      SMTP_URL: office.smtpUrl,
      SMS_GATEWAY_URL: office.gatewayUrl,
      AUTHORITY: receiver.authority.cert,
    },
    arrived,
    /** Event ids and message bodies, so that a repetition shows. */
    received: () => ({ deliveries: receiver.received.map(idOf), pushes: till.received.map(idOf), mails: office.mails.map(({ to }) => to) }),
    sender: () => createLocalSender(receiver.authority.cert),
    /** Connects the venue to the webhook receiver and to the till. */
    connect: (deps: Deps, slug: string): Promise<number> =>
      forVenue(deps, slug, async (ctx) => {
        const wanted = { url: receiver.url, events: ["order.created"], description: null };
        connectPos(ctx, till.url, deps.config.secretKeys);
        return (await addEndpoint(ctx, wanted as never, deps.config.secretKeys)).endpoint.id;
      }),
    /** Waits until so much has arrived, and a moment longer: more than that must not come. */
    async until(wanted: Arrived, ms = 60_000): Promise<Arrived> {
      const isThere = () => Object.entries(wanted).every(([name, count]) => arrived()[name as keyof Arrived] >= count);
      for (const deadline = Date.now() + ms; !isThere() && Date.now() < deadline; await sleep(20));
      await sleep(500);
      return arrived();
    },
    reset(): void {
      office.reset();
      receiver.received.length = 0;
      till.received.length = 0;
    },
    async close(): Promise<void> {
      await Promise.all([office.close(), receiver.close(), till.close()]);
    },
  };
};

const idOf = ({ body }: { body: string }): string => (JSON.parse(body) as { id: string }).id;

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** An order, of which the webhook receiver and the till are told, and two bookings: one guest gets a mail, the other a text message. */
export const causeSends = async (call: Call): Promise<void> => {
  const items = (await call("GET", "/items?per_page=100")).body as { data: { id: number; name: { en: string } }[] };
  const item = items.data.find(({ name }) => name.en === "Plain Plate");
  const lines = [{ item_id: item?.id, quantity: 1 }];
  const date = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const booking = { name: "Ada", phone: "+1 555 0100", party_size: 2, date, time: "19:00" };
  const answers = [
    await call("POST", "/orders", { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines }),
    await call("POST", "/reservations", { ...booking, email: "ada@example.test" }),
    await call("POST", "/reservations", { ...booking, phone: "+1 555 0111" }),
  ];
  const refused = answers.find(({ status }) => status !== 201);
  if (refused) throw new Error(`Not placed: ${refused.status} ${JSON.stringify(refused.body)}`);
};

export const ONE_OF_EACH: Arrived = { mails: 1, texts: 1, deliveries: 1, pushes: 1 };

/** Everything that the service sends to: a mail server, a text gateway, a webhook receiver and a till, and what arrived there. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../src/deps.ts";
import { addEndpoint } from "../../src/platform/events/webhooks/service/endpoints.ts";
import { connectPos } from "../../src/venue/kitchen/pos/service.ts";
import { startFakeMailAndSms } from "./fake-smtp-and-sms.ts";
import { forVenue } from "./test-app.ts";
import { createLocalSender, startReceiver } from "./webhook-receiver.ts";

export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 9).toString("base64")}`;

export type OutboundArrivals = { mails: number; texts: number; deliveries: number; pushes: number };
export const NOTHING: OutboundArrivals = { mails: 0, texts: 0, deliveries: 0, pushes: 0 };

export type OutboundReceivers = Awaited<ReturnType<typeof openOutboundReceivers>>;

export const openOutboundReceivers = async () => {
  const mailAndSms = await startFakeMailAndSms();
  const receiver = await startReceiver();
  const till = await startReceiver({ authority: receiver.authority });
  const arrived = (): OutboundArrivals => ({
    mails: mailAndSms.mails.length,
    texts: mailAndSms.texts.length,
    deliveries: receiver.received.length,
    pushes: till.received.length,
  });
  return {
    /** Settings of processes and of applications under test; `AUTHORITY` is for the worker's process. */
    environment: {
      ENCRYPTION_KEYS,
      SMTP_URL: mailAndSms.smtpUrl,
      SMS_GATEWAY_URL: mailAndSms.gatewayUrl,
      AUTHORITY: receiver.authority.cert,
    },
    arrived,
    /** Event ids and message bodies, so that a repetition shows. */
    received: () => ({
      deliveries: receiver.received.map(idOf),
      pushes: till.received.map(idOf),
      mails: mailAndSms.mails.map(({ to }) => to),
    }),
    sender: () => createLocalSender(receiver.authority.cert),
    /** Connects the venue to the webhook receiver and to the till. */
    connect: (deps: Deps, slug: string): Promise<number> =>
      forVenue(deps, slug, async (ctx) => {
        const wanted = { url: receiver.url, events: ["order.created"], description: null };
        await connectPos(ctx, till.url, deps.config.encryptionKeys);
        return (await addEndpoint(ctx, wanted as never, deps.config.encryptionKeys)).endpoint.id;
      }),
    /** Waits until so much has arrived, and a moment longer: more than that must not come. */
    async until(wanted: OutboundArrivals, ms = 60_000): Promise<OutboundArrivals> {
      const isThere = () => Object.entries(wanted).every(([name, count]) => arrived()[name as keyof OutboundArrivals] >= count);
      for (const deadline = Date.now() + ms; !isThere() && Date.now() < deadline; await sleep(20));
      await sleep(500);
      return arrived();
    },
    reset(): void {
      mailAndSms.reset();
      receiver.received.length = 0;
      till.received.length = 0;
    },
    async close(): Promise<void> {
      await Promise.all([mailAndSms.close(), receiver.close(), till.close()]);
    },
  };
};

const idOf = ({ body }: { body: string }): string => (JSON.parse(body) as { id: string }).id;

type CallVenue = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** An order, whose events go to the webhook receiver and the till, and two bookings: one guest gets a mail, the other a text message. */
export const causeSends = async (call: CallVenue): Promise<void> => {
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

export const ONE_OF_EACH: OutboundArrivals = { mails: 1, texts: 1, deliveries: 1, pushes: 1 };

/**
 * A printer in the kitchen, driven by webhooks: prints a ticket for each new order, once, and a slip when it is called off.
 * WEBHOOK_SECRET of an address that wants order.created and order.status_changed; PORT. Put TLS before it: the service sends to https only.
 */
import { createServer, type IncomingMessage } from "node:http";
import { deduplicate, type Order, type Translations, verifyWebhook, WebhookError, type WebhookEvent } from "@comanda/sdk";

const { WEBHOOK_SECRET = "", PORT = "4200", LANGUAGE = "en" } = process.env;
const BODY_BYTES_MAX = 1024 * 1024;
const WIDTH = 32;

// The ids are kept in memory. A printer that must not repeat itself after a restart keeps them in a file or a table, written after the
// ticket.
const handleOnce = deduplicate();

/** What a guest wrote must not command the printer, so nothing but text gets through. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ");
const nameOf = (name: Translations): string => plain(name[LANGUAGE] ?? Object.values(name).find((text) => text !== null) ?? "?");
const centred = (text: string): string => text.padStart(Math.floor((WIDTH + text.length) / 2));

/** Here it is the terminal; ESC/POS bytes to a socket would go the same way. */
const print = (lines: string[]): void => void process.stdout.write(`${["=".repeat(WIDTH), ...lines, "=".repeat(WIDTH)].join("\n")}\n`);

const headOf = ({ id, type, table, customer, placed_at }: Order): string[] => [
  centred(`${type.replace("_", " ").toUpperCase()} ${plain(table?.name ?? customer.name ?? "")}`),
  centred(`${id.slice(-8)}  ${placed_at.slice(11, 16)}`),
];

const ticketOf = (order: Order): string[] => [
  ...headOf(order),
  "-".repeat(WIDTH),
  ...order.items
    .filter(({ voided }) => !voided)
    .flatMap(({ quantity, name, variant_name, modifiers }) => [
      `${quantity} x ${nameOf(name)}${variant_name ? `, ${nameOf(variant_name)}` : ""}`,
      ...modifiers.map((modifier) => `    + ${nameOf(modifier.name)}`),
    ]),
  ...(order.scheduled_for ? [`FOR ${order.scheduled_for.slice(0, 16).replace("T", " ")}`] : []),
  ...(order.note ? [`! ${plain(order.note)}`] : []),
];

const handle = (event: WebhookEvent): void => {
  if (event.type === "order.created") print(ticketOf(event.data.order));
  if (event.type !== "order.status_changed") return;
  const { order } = event.data;
  if (order.status === "cancelled" || order.status === "rejected") print([centred("*** STOP ***"), ...headOf(order)]);
};

const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const receive = async (request: IncomingMessage): Promise<number> => {
  if (request.method !== "POST") return 405;
  const body = await readBody(request);
  if (!body) return 413;
  const header = request.headers["service-signature"];
  try {
    const event = await verifyWebhook({ body, header: typeof header === "string" ? header : null, secret: WEBHOOK_SECRET });
    // The service repeats an event when our response was lost. An event that was printed is acknowledged and not printed again.
    await handleOnce(event.id, () => handle(event));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    process.stderr.write(`Refused: ${error.message}\n`);
    return 401;
  }
};

const server = createServer((request, response) => {
  receive(request).then(
    (status) => void response.writeHead(status).end(),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      // 500 makes the service send the event again.
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(PORT), () => process.stderr.write(`The printer listens on port ${PORT}\n`));

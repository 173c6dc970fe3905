/**
 * The server of a web shop at checkout: shows what the cart costs now, places its order, then follows it until it is over.
 * COMANDA_URL and COMANDA_TOKEN (menu:read, orders:read, orders:write). CART names the cart, so that a second run places no second order.
 */
import { type Answer, ApiError, createClient, type Item, idempotencyKey, type NewOrder, type Order } from "@comanda/sdk";

const { COMANDA_URL = "http://127.0.0.1:4000", COMANDA_TOKEN = "", CART, POLL_MS = "2000" } = process.env;
const comanda = createClient({ rootUrl: COMANDA_URL, token: COMANDA_TOKEN });
const ENDINGS: Order["status"][] = ["completed", "rejected", "cancelled"];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A currency has 0, 2 or 3 decimals: an amount is never simply divided by 100. */
const formatPrice = (minor: number, currency: string): string => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

/** Two dishes that need no choice; a shop would have asked its guest. */
const fillCart = async (): Promise<NewOrder["lines"]> => {
  const lines: NewOrder["lines"] = [];
  const isSimple = ({ show_online, price_minor, variants, modifier_groups }: Item): boolean =>
    show_online && price_minor !== null && price_minor > 0 && variants.length + modifier_groups.length === 0;
  for await (const item of comanda.items.list({ available: true, per_page: 50 })) {
    if (isSimple(item)) lines.push({ item_id: item.id, quantity: lines.length + 1 });
    if (lines.length === 2) break;
  }
  return lines;
};

/**
 * The key is the cart's name and a hash of its content. A guest who presses twice, or a server that starts again in between, sends the same
 * key, and there is one order. A corrected cart has another key, so the refusal of the first does not stand in its way.
 * A refusal is kept for a day as well: when it only comes back, the next number asks again, because the dish may be there again.
 */
const place = async (order: NewOrder): Promise<Answer<Order, object>> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await comanda.orders.create(order, CART ? { idempotencyKey: await idempotencyKey(`cart-${CART}-${attempt}`, order) } : {});
    } catch (error) {
      if (!(error instanceof ApiError && error.isReplay)) throw error;
    }
  }
};

/** What the guest sees before ordering. The order decides: a refusal here would only be said earlier. */
const showQuote = async (order: NewOrder): Promise<void> => {
  const quote = await comanda.orders.quote(order).catch(() => null);
  if (quote?.data.ok && quote.data.amounts) say(`The cart comes to ${formatPrice(quote.data.amounts.total_minor, quote.data.currency)}`);
};

const checkOut = async (): Promise<Order> => {
  const lines = await fillCart();
  const order: NewOrder = { type: "pickup", channel: "web", customer_name: "Ada", customer_phone: "+39 06 1234", lines };
  await showQuote(order);
  const placed = await place(order);
  const { id, total_minor, currency } = placed.data;
  say(`${placed.isReplay ? "Already placed" : "Placed"} ${id}: ${formatPrice(total_minor, currency)}`);
  return placed.data;
};

/** One order is asked for now and then; a shop with many has a webhook instead, as the kitchen printer does. */
const follow = async ({ id }: Order): Promise<Order> => {
  for (let last = ""; ; await new Promise((resolve) => setTimeout(resolve, Number(POLL_MS)))) {
    const { data: order } = await comanda.orders.get(id);
    if (order.status !== last) say(`${order.status}${order.cancel_reason ? `: ${order.cancel_reason}` : ""}`);
    if (ENDINGS.includes(order.status)) return order;
    last = order.status;
  }
};

try {
  const { status } = await follow(await checkOut());
  process.exitCode = status === "completed" ? 0 : 1;
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  say(`Refused: ${error.code}. ${error.message}`);
  for (const [field, faults] of Object.entries(error.fields)) say(`  ${field}: ${faults.join(" ")}`);
  if (error.requiredScope) say(`  The token needs ${error.requiredScope}.`);
  process.exitCode = 2;
}

/** Clients that place orders at a venue whatever happens to it, and the accounts that must agree afterwards. */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "./database.ts";
import { sendCall } from "./raw-http.ts";
import type { TestVenue } from "./test-app.ts";

const WRITERS = 4;

type OrderTarget = { token: string; itemId: number };
type WrittenOrder = { key: string; id: string; wasReplay: boolean };
export type OrderLog = {
  written: WrittenOrder[];
  refused: Map<number, number>;
  slowestMs: number;
  takenMs: { at: number; ms: number; fault?: string }[];
  failures: string[];
};

export const orderOf = (itemId: number, phone = "+39 06 1234") => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: phone,
  lines: [{ item_id: itemId, quantity: 1 }],
});

/** Orders one after the other, each tried again with its key until it is answered, as a client library does. */
const write = async (port: number, order: OrderTarget, orderLog: OrderLog, isOver: () => boolean): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver()) {
    const key = randomUUID();
    const begin = performance.now();
    for (;;) {
      const body = orderOf(order.itemId);
      const answer = await sendCall({
        port,
        agent,
        token: order.token,
        method: "POST",
        path: "/orders",
        headers: { "idempotency-key": key },
        body,
      }).catch((error: unknown) => error as Error);
      if (!(answer instanceof Error) && answer.status === 201) {
        const { data } = answer.body as { data: { id: string } };
        orderLog.written.push({ key, id: data.id, wasReplay: answer.headers.get("idempotent-replayed") === "true" });
        break;
      }
      const status = answer instanceof Error ? 0 : answer.status;
      orderLog.refused.set(status, (orderLog.refused.get(status) ?? 0) + 1);
      if (![0, 503, 409].includes(status)) {
        orderLog.failures.push(`${status} ${answer instanceof Error ? answer.message : answer.text}`);
        break;
      }
      if (isOver()) {
        orderLog.failures.push(`an order was never answered: ${status}`);
        break;
      }
      await sleep(100);
    }
    orderLog.takenMs.push({ at: begin, ms: performance.now() - begin });
    orderLog.slowestMs = Math.max(orderLog.slowestMs, performance.now() - begin);
    await sleep(5);
  }
  agent.destroy();
};

export const newOrderLog = (): OrderLog => ({ written: [], refused: new Map(), slowestMs: 0, takenMs: [], failures: [] });

/** A cell that is too busy to say that it is ready is asked again. */
const askUntilReady = async (call: Parameters<typeof sendCall>[0]): ReturnType<typeof sendCall> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await sendCall(call);
    if (answer.status !== 503) return answer;
    await sleep(200);
  }
  return sendCall(call);
};

export const itemOf = async (port: number, at: TestVenue): Promise<number> => {
  const answer = await askUntilReady({ port, token: at.token, method: "GET", path: "/items?available=true&per_page=50" });
  const { data } = answer.body as { data: { id: number; variants?: unknown[]; modifier_groups?: { min_select: number }[] }[] };
  const plain = data.find(
    ({ variants = [], modifier_groups = [] }) => variants.length === 0 && modifier_groups.every(({ min_select }) => min_select === 0),
  );
  return plain?.id ?? data[0]?.id ?? 0;
};

/** While the work goes on, writers write at these venues. */
export const underLoad = async <T>(port: number, at: TestVenue[], work: () => Promise<T>): Promise<{ result: T; diaries: OrderLog[] }> => {
  let isOver = false;
  const diaries = at.map(newOrderLog);
  const writers: Promise<void>[] = [];
  for (const [place, one] of at.entries()) {
    const order = { token: one.token, itemId: await itemOf(port, one) };
    for (let count = 0; count < WRITERS; count++) writers.push(write(port, order, diaries[place] as OrderLog, () => isOver));
  }
  await sleep(300);
  try {
    return { result: await work(), diaries };
  } finally {
    await sleep(1000);
    isOver = true;
    await Promise.all(writers);
  }
};

/** Against the database of the venue's cell: every answered key is one order, and there are no others. */
export const faultsOf = async (
  cell: { database: TestDatabase },
  id: number,
  { written, failures }: OrderLog,
  before: number,
): Promise<string[]> => {
  const rows = await cell.database.asOwner<{ key: string; order_id: string | null; count: string }>(
    `select k.key, o.id::text as order_id, count(o.id)::text as count from idempotency_keys k
     left join orders o on o.restaurant_id = $1 and o.id = (k.body::jsonb -> 'data' ->> 'id')::uuid
     where k.restaurant_id = $1 and k.key not like 'filled-%' group by 1, 2`,
    [id],
  );
  const stored = new Map(rows.map((row) => [row.key, row]));
  const faults = [...failures];
  for (const { key, id: orderId } of written) {
    const row = stored.get(key);
    if (row?.order_id !== orderId || row.count !== "1") faults.push(`order ${orderId} is there ${row?.count ?? 0} times`);
  }
  const [{ orders, audits, events } = { orders: "", audits: "", events: "" }] = await cell.database.asOwner<
    Record<"orders" | "audits" | "events", string>
  >(
    `select (select count(*) from orders where restaurant_id = $1)::text as orders,
       (select count(*) from audit_entries where restaurant_id = $1 and action = 'order.placed')::text as audits,
       (select count(*) from events where restaurant_id = $1 and type = 'order.created')::text as events`,
    [id],
  );
  if (Number(orders) !== before + written.length) faults.push(`${orders} orders, but ${before} + ${written.length} were answered`);
  if (Number(events) !== written.length) faults.push(`${events} events for ${written.length} orders (${audits} audit entries)`);
  return faults;
};

/** History of its own, written straight into the database. */
export const fill = async (cell: { database: TestDatabase }, id: number, count: number): Promise<void> => {
  await cell.database.asOwner(
    `insert into orders (restaurant_id, id, status, type, channel, branch_id, customer_name, customer_phone, currency, subtotal_minor, discount_minor,
       service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at)
     select r.id, gen_random_uuid(), 'completed', 'pickup', 'api', (select b.id from branches b where b.restaurant_id = r.id limit 1), 'Guest ' || n, '+39 ' || n, r.currency,
       1000, 0, 0, 0, 0, 1000, '[{"name":{"en":"Dish"},"quantity":1,"unit_price_minor":1000,"total_minor":1000,"modifiers":[]}]', now() - n * interval '1 minute', now() - n * interval '1 minute'
     from restaurants r cross join generate_series(1, $2::integer) n where r.id = $1`,
    [id, count],
  );
  await cell.database.asOwner(
    `insert into tickets (restaurant_id, order_id, station, state, lines, created_at, updated_at)
     select restaurant_id, id, 'kitchen', 'fired', '[]', placed_at, placed_at from orders where restaurant_id = $1`,
    [id],
  );
  await cell.database.asOwner(
    `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id, after)
     select restaurant_id, placed_at, 'token', 'website', 'order.filled', 'order', id::text, jsonb_build_object('status', status) from orders where restaurant_id = $1`,
    [id],
  );
  await cell.database.asOwner(
    `insert into events (restaurant_id, id, type, created_at, body)
     select restaurant_id, gen_random_uuid(), 'order.filled', placed_at, jsonb_build_object('id', id, 'data', to_jsonb(o))::text from orders o where restaurant_id = $1`,
    [id],
  );
  await cell.database.asOwner(
    `insert into idempotency_keys (restaurant_id, caller, key, fingerprint, status, body, created_at)
     select restaurant_id, 'token:1', 'filled-' || id, sha256(id::text::bytea), 201, '{"data":{}}', now() from orders where restaurant_id = $1`,
    [id],
  );
};

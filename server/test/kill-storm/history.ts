/** What the database holds after a storm, as plain lists for the judge. */
import type { TestDatabase } from "../database.ts";
import type { House } from "./houses.ts";

export type OrderRow = { id: string; restaurant_id: string; customer_name: string; status: string };
/** `step` is where an order went: `→placed` for placing it, `placed→accepted` for a move. */
export type EntryRow = { order_id: string; step: string };
export type EventRow = { id: string; restaurant_id: string; type: string; order_id: string | null; step: string; body: string };
export type DeliveryRow = {
  event_id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  logged: number;
  succeeded: number;
};
export type PushRow = { order_id: string; state: string };

export type History = {
  orders: OrderRow[];
  entries: EntryRow[];
  events: EventRow[];
  deliveries: DeliveryRow[];
  pushes: PushRow[];
  /** Lanes that somebody still holds, and jobs that have not ended. */
  stuck: string[];
  /** Visits counted on guests, which only a completed order adds to. */
  visits: number;
};

export const readHistory = async ({ asOwner }: TestDatabase, houses: House[]): Promise<History> => {
  const ids = [houses.map(({ id }) => id)];
  const [visits] = await asOwner<{ count: number }>(
    "select coalesce(sum(visits_count), 0)::integer as count from guests where restaurant_id = any($1)",
    ids,
  );
  return {
    orders: await asOwner("select id, restaurant_id::text, customer_name, status from orders where restaurant_id = any($1)", ids),
    entries: await asOwner(
      `select subject_id as order_id, concat(before ->> 'status', '→', coalesce(after ->> 'status', 'placed')) as step
       from audit_entries where restaurant_id = any($1) and action in ('order.placed', 'order.moved')`,
      ids,
    ),
    events: await asOwner(
      `select id, restaurant_id::text, type, body, body::jsonb #>> '{data,order,id}' as order_id,
         concat(body::jsonb #>> '{data,previous_status}', '→', body::jsonb #>> '{data,order,status}') as step
       from events where restaurant_id = any($1) order by created_at, id`,
      ids,
    ),
    deliveries: await asOwner(
      `select d.event_id, d.endpoint_id::text, d.state, d.attempts, count(a.attempt)::integer as logged,
         count(a.attempt) filter (where a.failure is null)::integer as succeeded
       from deliveries d left join delivery_attempts a on (a.restaurant_id, a.delivery_id) = (d.restaurant_id, d.id)
       where d.restaurant_id = any($1) group by d.restaurant_id, d.id`,
      ids,
    ),
    pushes: await asOwner("select order_id, state from pos_pushes where restaurant_id = any($1)", ids),
    stuck: await listStuck(asOwner, houses),
    visits: visits?.count ?? 0,
  };
};

const listStuck = async (asOwner: TestDatabase["asOwner"], houses: House[]): Promise<string[]> => {
  const rows = await asOwner<{ what: string }>(
    `select concat('the lane of endpoint ', endpoint_id, ' is held by worker ', worker) as what
       from webhook_lanes where restaurant_id = any($1) and (worker is not null or leased_until is not null)
     union all
     select concat('a job of ', name, ' is ', state) from jobs.job
       where (data ->> 'restaurant_id')::bigint = any($1) and state <> 'completed'`,
    [houses.map(({ id }) => id)],
  );
  return rows.map(({ what }) => what);
};

export type Backlog = {
  /** What is due or under way. */
  busy: number;
  /** When the last of what waits for its next attempt is due; null when nothing waits. */
  waitsUntil: Date | null;
  /** Jobs that are not due yet. */
  jobsLater: number;
};

export const readBacklog = async ({ asOwner }: TestDatabase, houses: House[]): Promise<Backlog> => {
  const [backlog] = await asOwner<Backlog>(
    `with job as (select state, start_after from jobs.job
       where (data ->> 'restaurant_id')::bigint = any($1) and state in ('created', 'retry', 'active'))
     select (select count(*) from deliveries where restaurant_id = any($1) and state in ('ready', 'held'))::integer
         + (select count(*) from job where state = 'active' or start_after <= now())::integer as busy,
       (select max(due_at) from deliveries where restaurant_id = any($1) and state = 'waiting') as "waitsUntil",
       (select count(*) from job where state <> 'active' and start_after > now())::integer as "jobsLater"`,
    [houses.map(({ id }) => id)],
  );
  if (!backlog) throw new Error("No backlog");
  return backlog;
};

/** The job engine goes by the database's clock, which nobody can move: so its dates are. */
export const bringJobsForward = async ({ asOwner }: TestDatabase, houses: House[]): Promise<void> => {
  await asOwner(
    `update jobs.job set start_after = now()
     where (data ->> 'restaurant_id')::bigint = any($1) and state in ('created', 'retry') and start_after > now()`,
    [houses.map(({ id }) => id)],
  );
};

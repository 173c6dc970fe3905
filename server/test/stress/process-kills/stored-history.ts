/** What the database holds after a scenario, as plain lists for the verifier. */
import type { TestDatabase } from "../../support/database.ts";
import type { KillVenue } from "./fixtures.ts";

export type StoredOrder = { id: string; restaurant_id: string; customer_name: string; status: string };
/** `step` is where an order went: `→placed` for placing it, `placed→accepted` for a move. */
export type EntryRow = { order_id: string; step: string };
export type EventRow = { id: string; restaurant_id: string; type: string; order_id: string | null; step: string; body: string };
export type StoredDelivery = {
  event_id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  logged: number;
  succeeded: number;
};
export type PushRow = { order_id: string; state: string };

export type History = {
  orders: StoredOrder[];
  entries: EntryRow[];
  events: EventRow[];
  deliveries: StoredDelivery[];
  pushes: PushRow[];
  /** Endpoints that a worker still holds a lease on, and jobs that have not ended. */
  stuck: string[];
  /** Visits counted on guests, which only a completed order adds to. */
  visits: number;
};

export const readHistory = async ({ asOwner }: TestDatabase, venues: KillVenue[]): Promise<History> => {
  const ids = [venues.map(({ id }) => id)];
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
       from deliveries d join webhook_endpoints e on (e.restaurant_id, e.id) = (d.restaurant_id, d.endpoint_id) and e.kind = 'webhook'
         left join delivery_attempts a on (a.restaurant_id, a.delivery_id) = (d.restaurant_id, d.id)
       where d.restaurant_id = any($1) group by d.restaurant_id, d.id`,
      ids,
    ),
    pushes: await asOwner(
      `select v.body::jsonb #>> '{data,order,id}' as order_id, d.state
       from deliveries d join webhook_endpoints e on (e.restaurant_id, e.id) = (d.restaurant_id, d.endpoint_id) and e.kind = 'pos'
         join events v on (v.restaurant_id, v.id) = (d.restaurant_id, d.event_id)
       where d.restaurant_id = any($1)`,
      ids,
    ),
    stuck: await listStuck(asOwner, venues),
    visits: visits?.count ?? 0,
  };
};

const listStuck = async (asOwner: TestDatabase["asOwner"], venues: KillVenue[]): Promise<string[]> => {
  const rows = await asOwner<{ what: string }>(
    `select concat('the lease of endpoint ', endpoint_id, ' is held by worker ', worker) as what
       from webhook_endpoint_state where restaurant_id = any($1) and (worker is not null or leased_until is not null)
     union all
     select concat('a job of ', name, ' is ', state) from jobs.job
       where (data ->> 'restaurant_id')::bigint = any($1) and state <> 'completed'`,
    [venues.map(({ id }) => id)],
  );
  return rows.map(({ what }) => what);
};

export type PendingWork = {
  /** What is due or under way. */
  busy: number;
  /** When the last of what waits for its next attempt is due; null when nothing waits. */
  waitsUntil: Date | null;
  /** Jobs that are not due yet. */
  jobsLater: number;
};

export const readPendingWork = async ({ asOwner }: TestDatabase, venues: KillVenue[]): Promise<PendingWork> => {
  const [backlog] = await asOwner<PendingWork>(
    `with job as (select state, start_after from jobs.job
       where (data ->> 'restaurant_id')::bigint = any($1) and state in ('created', 'retry', 'active'))
     select (select count(*) from deliveries where restaurant_id = any($1) and state in ('ready', 'held'))::integer
         + (select count(*) from job where state = 'active' or start_after <= now())::integer as busy,
       (select max(due_at) from deliveries where restaurant_id = any($1) and state = 'waiting') as "waitsUntil",
       (select count(*) from job where state <> 'active' and start_after > now())::integer as "jobsLater"`,
    [venues.map(({ id }) => id)],
  );
  if (!backlog) throw new Error("No backlog");
  return backlog;
};

/** The job engine uses the database's clock, which cannot be moved, so the jobs' dates are moved. */
export const bringJobsForward = async ({ asOwner }: TestDatabase, venues: KillVenue[]): Promise<void> => {
  await asOwner(
    `update jobs.job set start_after = now()
     where (data ->> 'restaurant_id')::bigint = any($1) and state in ('created', 'retry') and start_after > now()`,
    [venues.map(({ id }) => id)],
  );
};

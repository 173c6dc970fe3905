/** What runs besides requests: the one list of all jobs, and the recurring upkeep. */
import { sql } from "kysely";
import { PgBoss } from "pg-boss";
import { JOBS_SCHEMA, onConnection, QUEUE_NAMES, type QueueName } from "#db/job-engine.ts";
import { openDb, openPool, transaction } from "#db/pool.ts";
import { only } from "#db/query.ts";
import { WINDOW_MS } from "#http/idempotency.ts";
import type { InVenue, JobHandlers } from "#platform/jobs/service.ts";
import { noticeJobs } from "#platform/notices/jobs.ts";
import { createPost, type Post } from "#platform/notices/send.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import { createSender, type Sender } from "#platform/webhooks/send.ts";
import { kitchenJobs } from "#venue/kitchen/jobs.ts";
import { posJobs } from "#venue/pos/jobs.ts";
import type { Deps } from "./deps.ts";

const UPKEEP_EVERY_MS = 60_000;
const BATCH_ROWS = 5000;
const STOP_MS_MAX = 15_000;

/** The engine's own few connections: heartbeats must get through when requests hold all the others. */
const ENGINE_CONNECTIONS = 3;
/** Longer than a request may take, for deleting what is done; short enough not to hold up those who list changes. */
const ENGINE_STATEMENT_MS_MAX = 20_000;

/** How many jobs of a queue this process runs at once, and of those how many for one group. */
const HANDS: Record<QueueName, { all: number; perGroup: number }> = {
  "release-held-tickets": { all: 2, perGroup: 2 },
  "push-order": { all: 8, perGroup: 2 },
  "send-message": { all: 2, perGroup: 2 },
};

export type Worker = { stop(): Promise<void> };

/** The one list of all jobs; a queue without a handler does not compile. */
const jobsFor = (deps: Deps, sender: Sender, post: Post): JobHandlers => ({
  ...noticeJobs(post),
  ...kitchenJobs,
  ...posJobs({ sender, secretKeys: deps.config.secretKeys }),
});

export const startWorker = async (deps: Deps, given: { sender?: Sender } = {}): Promise<Worker> => {
  const sender = given.sender ?? createSender();
  const post = createPost(deps.config);
  const stopJobs = await startJobs(deps, jobsFor(deps, sender, post));
  let upkeep: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    upkeep = forgetOldKeys(deps).catch((error: unknown) => deps.log.warn({ err: error }, "upkeep failed; it runs again in a minute"));
  }, UPKEEP_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all([upkeep, stopJobs()]);
      await sender.close();
      post.close();
    },
  };
};

const startJobs = async (deps: Deps, handlers: JobHandlers): Promise<() => Promise<void>> => {
  const { config, log } = deps;
  const pool = openPool({
    url: config.databaseUrl,
    connectionsMax: ENGINE_CONNECTIONS,
    log,
    statementTimeoutMs: ENGINE_STATEMENT_MS_MAX,
  });
  const boss = new PgBoss({
    schema: JOBS_SCHEMA,
    db: onConnection(pool),
    // The application's role owns nothing: it cannot change the schema, nor rebuild an index. No cron job exists yet.
    migrate: false,
    createSchema: false,
    reindex: false,
    schedule: false,
    // Together with the heartbeat of ten seconds: a killed worker's jobs run again about fifteen seconds later.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: 5,
    maintenanceIntervalSeconds: 600,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job engine met an error; it goes on"));
  boss.on("warning", ({ message, data }) => log.warn({ data }, message));
  try {
    await boss.start();
    for (const queue of QUEUE_NAMES) await serve({ boss, deps, queue, handlers });
  } catch (error) {
    await boss.stop({ graceful: false });
    await pool.end();
    throw error;
  }
  return async () => {
    await boss.stop({ graceful: true, timeout: STOP_MS_MAX });
    await pool.end();
  };
};

type Service = { boss: PgBoss; deps: Deps; queue: QueueName; handlers: JobHandlers };

/**
 * Every hand looks for a job once a second. One of them looks again at once after each job, and all of them while more
 * jobs are waiting than there are hands: a rush, such as the opening, is not served one job a second.
 */
const serve = async ({ boss, deps, queue, handlers }: Service): Promise<void> => {
  const { all, perGroup } = HANDS[queue];
  const options = { pollingIntervalSeconds: 1, localConcurrency: all, localGroupConcurrency: perGroup, burstWhenReadyExceeds: all };
  const firstHand: string = await boss.work<JobRow>(queue, options, async ([job]) => {
    if (!job) return;
    const { restaurant_id, ...data } = job.data;
    try {
      await (handlers[queue] as AnyHandler)(asSystem(deps, restaurant_id), data);
    } catch (error) {
      deps.log.error({ err: error, queue, job: job.id, restaurant: restaurant_id }, "a job failed; it is tried again");
      throw error;
    } finally {
      boss.notifyWorker(firstHand);
    }
  });
};

type JobRow = { restaurant_id: number } & Record<string, unknown>;
type AnyHandler = (inVenue: InVenue, data: Record<string, unknown>) => Promise<void>;

/** A transaction for a venue in which nobody but the service itself acts. */
export const asSystem =
  (deps: Deps, restaurantId: number): InVenue =>
  (work) =>
    transaction(deps.pool, restaurantId, async ({ db, startedAt }) => {
      const [restaurant, moment] = await Promise.all([readRestaurant(db, restaurantId), startedAt]);
      return work({
        tenant: tenantOf(restaurant),
        actor: { kind: "system", id: null, name: "Comanda", scopes: [], caller: "system" },
        now: deps.clock.ofChange(moment),
        db,
        log: deps.log,
        origin: { requestId: null, address: null },
        cursorKey: deps.cursorKey,
      });
    });

/** In bounded batches, so that a day's keys never make one long transaction. */
export const forgetOldKeys = async ({ pool, clock }: Deps): Promise<void> => {
  const db = openDb(pool);
  const before = new Date(clock.now().getTime() - WINDOW_MS);
  let forgotten: number;
  do {
    ({ forgotten } = await only(
      db.query(sql<{ forgotten: number }>`select forget_idempotency_keys(${before}, ${BATCH_ROWS}::integer) as forgotten`),
    ));
  } while (forgotten === BATCH_ROWS);
};

/** What runs besides requests: the one list of all jobs, and the deliveries. */
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { enterVenue } from "#db/entrance.ts";
import { inHouse } from "#db/house.ts";
import { JOBS_SCHEMA, onConnection, QUEUE_NAMES, type QueueName, SENDING_QUEUES } from "#db/job-engine.ts";
import { isLeaving } from "#db/moves.ts";
import { openDb, openPool, transaction } from "#db/pool.ts";
import { holdPresence, type Presence } from "#db/presence.ts";
import { alertJobs } from "#platform/alerts/jobs.ts";
import { startDeliveries } from "#platform/deliveries/jobs.ts";
import type { InHouse, InVenue, JobHandlers } from "#platform/jobs/service.ts";
import { linkJobs } from "#platform/links/jobs.ts";
import { linkUrlOf } from "#platform/links/rules.ts";
import { noticeJobs } from "#platform/notices/jobs.ts";
import type { Post } from "#platform/notices/send.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import type { Sender } from "#platform/webhooks/send.ts";
import { kitchenJobs } from "#venue/kitchen/jobs.ts";
import { posJobs } from "#venue/pos/jobs.ts";
import { sandboxJobs } from "#venue/sandbox/jobs.ts";
import type { Deps } from "./deps.ts";
import { type OutboundState, openPost, openSender } from "./outbound.ts";
import { startUpkeep } from "./upkeep.ts";

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
  "send-link": { all: 2, perGroup: 2 },
  "prepare-link": { all: 2, perGroup: 2 },
  "send-alert": { all: 2, perGroup: 2 },
  "reset-sandbox": { all: 2, perGroup: 2 },
};
const RETRY_MS = 1000;

export type Worker = {
  /** False while others cannot see it, because it then claims nothing. */
  isServing(): boolean;
  stop(): Promise<void>;
};

/** The one list of all jobs; a queue without a handler does not compile. */
const jobsFor = (deps: Deps, sender: Sender, post: Post): JobHandlers => ({
  ...noticeJobs(post, { smsPerVenue: deps.config.smsPerVenueMax, mailsPerVenue: deps.config.mailsPerVenueMax }),
  ...kitchenJobs,
  ...posJobs({ sender, secretKeys: deps.config.secretKeys }),
  ...sandboxJobs,
  ...linkJobs({
    post,
    linkUrl: linkUrlOf(deps.config.publicUrl ?? `http://${deps.config.host}:${deps.config.port}`, deps.config.cell),
    inHouse: globally(deps),
  }),
  ...alertJobs({ post, inHouse: globally(deps) }),
});

const globally =
  (deps: Deps): InHouse =>
  (work) =>
    inHouse(deps, { log: deps.log, origin: { requestId: null, address: null } }, work);

export const startWorker = async (deps: Deps, given: { sender?: Sender } = {}): Promise<Worker> => {
  const sender = openSender(deps, given.sender);
  const post = openPost(deps);
  const presence = holdPresence(deps.config.databaseUrl, deps.log);
  const stopWork = await followOutbound(deps, (state) => startWork(deps, state, { sender, post, presence })).catch(
    async (error: unknown) => {
      await presence.close();
      throw error;
    },
  );
  return {
    isServing: () => presence.number() !== null,
    async stop() {
      await stopWork();
      await presence.close();
      await sender.close();
      post.close();
    },
  };
};

type Stop = () => Promise<void>;
type Means = { sender: Sender; post: Post; presence: Presence };

/** What the state allows: all work, or only what sends nothing, or none. Work that is not begun stays due as it is. */
const startWork = async (deps: Deps, state: OutboundState, { sender, post, presence }: Means): Promise<Stop> => {
  if (state === "held") return async () => undefined;
  const queues = QUEUE_NAMES.filter((name) => state === "on" || !SENDING_QUEUES.includes(name));
  const stopJobs = await startJobs(deps, jobsFor(deps, sender, post), queues);
  const stopUpkeep = startUpkeep(deps);
  if (state !== "on") return async () => void (await Promise.all([stopUpkeep(), stopJobs()]));
  const deliveries = startDeliveries({
    ...deps,
    db: openDb(deps.pool),
    sender,
    secretKeys: deps.config.secretKeys,
    inVenueOf: (restaurantId) => asSystem(deps, restaurantId),
    worker: presence.number,
    onAttempt: deps.metrics.countAttempt,
  });
  return async () => void (await Promise.all([stopUpkeep(), stopJobs(), deliveries.stop()]));
};

/** Ends what runs and begins what may run whenever the state changes. The first start fails like any other; a later one is tried again. */
const followOutbound = async ({ outbound, log }: Deps, begin: (state: OutboundState) => Promise<Stop>): Promise<Stop> => {
  const ending = new AbortController();
  const idle = { state: "held" as OutboundState, stop: async () => undefined };
  let running: { state: OutboundState; stop: Stop } = idle;
  const change = async (): Promise<void> => {
    const state = outbound.state();
    await running.stop();
    running = idle;
    running = { state, stop: await begin(state) };
  };
  const follow = async (): Promise<void> => {
    while (!ending.signal.aborted && running.state !== outbound.state())
      await change().catch(async (error: unknown) => {
        log.warn({ err: error }, "the work could not be begun; it is tried again");
        await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      });
  };
  const first = change();
  let turn: Promise<void> = first;
  outbound.onChange(() => {
    turn = turn.then(follow, follow);
  });
  await first;
  return async () => {
    ending.abort();
    await turn;
    await running.stop();
  };
};

const startJobs = async (deps: Deps, handlers: JobHandlers, queues: readonly QueueName[]): Promise<Stop> => {
  const { config, log, outbound } = deps;
  const pool = openPool({
    url: config.databaseUrl,
    connectionsMax: ENGINE_CONNECTIONS,
    log,
    statementTimeoutMs: ENGINE_STATEMENT_MS_MAX,
    onConnect: outbound.onConnect,
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
    for (const queue of queues) await serve({ boss, deps, queue, handlers });
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
      if (await isLeaving(openDb(deps.pool), restaurant_id)) throw new Error("The venue is moving to another cell; its jobs go with it");
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
  (work, entrance) =>
    transaction(deps.pool, restaurantId, async ({ db, startedAt }) => {
      const [restaurant, moment] = await Promise.all([readRestaurant(db, restaurantId), startedAt]);
      const tenant = tenantOf(restaurant);
      enterVenue(db, tenant, entrance);
      return work({
        tenant,
        actor: { kind: "system", id: null, name: "Comanda", scopes: [], caller: "system" },
        now: deps.clock.ofChange(moment),
        db,
        log: deps.log,
        origin: { requestId: null, address: null },
        cursorKey: deps.cursorKey,
      });
    });

/** Runs the background work: jobs, webhook deliveries and the retention purge. */
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { inGlobalTransaction } from "#db/global-transaction.ts";
import { JOBS_SCHEMA, onConnection, QUEUE_NAMES, type QueueName, SENDING_QUEUES } from "#db/pg-boss.ts";
import { openDb, openPool } from "#db/pool.ts";
import { isLeaving } from "#db/venue-moves.ts";
import { holdWorkerLock, type WorkerLock } from "#db/worker-lock.ts";
import { tellableError } from "#lib/described-error.ts";
import { REVIEW_PATH, signReviewToken } from "#lib/review-links.ts";
import { startDeliveries } from "#platform/events/webhook-deliveries/jobs/delivery-engine.ts";
import type { Sender } from "#platform/events/webhooks/send/sender.ts";
import { BECAME_DUE, type InGlobalTransaction, type InVenue, type JobHandlers } from "#platform/jobs/service.ts";
import { notificationJobs } from "#platform/messages/notifications/jobs.ts";
import type { MessageSender } from "#platform/messages/notifications/send.ts";
import { linkJobs } from "#platform/sign-in/one-time-links/jobs.ts";
import { linkUrlOf } from "#platform/sign-in/one-time-links/rules/link-policy.ts";
import { alertJobs } from "#platform/sign-in/security-alerts/jobs.ts";
import { experienceJobs } from "#venue/bookings/experiences/jobs.ts";
import { menuJobs } from "#venue/menu/jobs.ts";
import { menuTodayJobs } from "#venue/menu/menu-today/jobs.ts";
import { giftCardJobs } from "#venue/orders/gift-cards/jobs.ts";
import { orderJobs } from "#venue/orders/jobs.ts";
import { sandboxJobs } from "#venue/sandbox/jobs.ts";
import { signUpJobs } from "#venue/setup/sign-up/jobs.ts";
import { signUpUrlOf } from "#venue/setup/sign-up/rules/link-policy.ts";
import { stockJobs } from "#venue/stock/jobs.ts";
import type { Deps } from "../deps.ts";
import { asSystem } from "./as-system.ts";
import { startCountingEarlierSales } from "./earlier-sales.ts";
import { type OutboundState, openMessageSender, openSender } from "./outbound-switch.ts";
import { startRetention } from "./retention.ts";
import { catchUpJobs } from "./sandbox-catch-up.ts";
import { startVenueRounds } from "./venue-rounds.ts";

const STOP_MS_MAX = 15_000;

/** The job engine has its own connections, so that its heartbeats do not wait for requests. */
const ENGINE_CONNECTIONS = 3;
/** Longer than a request's limit, because the engine deletes finished jobs; short, because lists by `updated_since` wait for it. */
const ENGINE_STATEMENT_MS_MAX = 20_000;

/** Concurrent jobs of a queue in this process, in total and for one group. */
const CONCURRENCY: Record<QueueName, { all: number; perGroup: number }> = {
  "release-held-tickets": { all: 2, perGroup: 2 },
  "finish-cooking": { all: 2, perGroup: 2 },
  "end-sold-out": { all: 2, perGroup: 2 },
  "apply-scheduled-prices": { all: 2, perGroup: 1 },
  "expire-gift-card": { all: 2, perGroup: 2 },
  "follow-stock": { all: 4, perGroup: 1 },
  "expire-ticket-hold": { all: 2, perGroup: 2 },
  "send-message": { all: 2, perGroup: 2 },
  "send-link": { all: 2, perGroup: 2 },
  "prepare-link": { all: 2, perGroup: 2 },
  "send-sign-up": { all: 2, perGroup: 2 },
  "send-alert": { all: 2, perGroup: 2 },
  "reset-sandbox": { all: 2, perGroup: 2 },
  "catch-up-sandbox": { all: 2, perGroup: 1 },
};
const RETRY_MS = 1000;
/** A program waits for what becomes due by its move of the clock. */
const SHORTEST_POLL_SECONDS = 0.5;

export type Worker = {
  /** False without the worker lock, because the worker then claims nothing. */
  isServing(): boolean;
  stop(): Promise<void>;
};

/** The one list of all jobs; a queue without a handler does not compile. */
const jobsFor = (deps: Deps, messageSender: MessageSender): JobHandlers => {
  const handlers = venueJobs(deps, messageSender);
  return { ...handlers, ...catchUpJobs(handlers) };
};

const venueJobs = (deps: Deps, messageSender: MessageSender): Omit<JobHandlers, "catch-up-sandbox"> => ({
  ...notificationJobs(
    messageSender,
    { smsPerVenue: deps.config.smsPerVenueMax, mailsPerVenue: deps.config.mailsPerVenueMax },
    (link) => `${rootUrlIn(deps)}${REVIEW_PATH}/${signReviewToken(deps.config.encryptionKeys, link)}`,
  ),
  ...orderJobs,
  ...menuJobs,
  ...menuTodayJobs,
  ...giftCardJobs,
  ...stockJobs,
  ...experienceJobs,
  ...sandboxJobs,
  ...linkJobs({ sender: messageSender, linkUrl: linkUrlOf(rootUrlIn(deps), deps.config.cell), inGlobalTransaction: globally(deps) }),
  ...signUpJobs({ sender: messageSender, signUpUrl: signUpUrlOf(rootUrlIn(deps), deps.config.cell), inGlobalTransaction: globally(deps) }),
  ...alertJobs({ sender: messageSender, inGlobalTransaction: globally(deps) }),
});

/** The address in the links of mails. */
const rootUrlIn = ({ config }: Deps): string => config.publicUrl ?? `http://${config.host}:${config.port}`;

const globally =
  (deps: Deps): InGlobalTransaction =>
  (work) =>
    inGlobalTransaction(deps, { log: deps.log, origin: { requestId: null, address: null } }, work);

type WorkerSenders = { sender?: Sender; messageSender?: MessageSender };

export const startWorker = async (deps: Deps, given: WorkerSenders = {}): Promise<Worker> => {
  const sender = openSender(deps, given.sender);
  const messageSender = given.messageSender ?? openMessageSender(deps);
  const workerLock = holdWorkerLock(deps.config.databaseUrl, deps.log);
  const stopWork = await followOutbound(deps, (state) => startWork(deps, state, { sender, messageSender, workerLock })).catch(
    async (error: unknown) => {
      await workerLock.close();
      throw error;
    },
  );
  return {
    isServing: () => workerLock.number() !== null,
    async stop() {
      await stopWork();
      await workerLock.close();
      await sender.close();
      messageSender.close();
    },
  };
};

type Stop = () => Promise<void>;
type WorkerResources = { sender: Sender; messageSender: MessageSender; workerLock: WorkerLock };

/** Starts all work (`on`), only work that sends nothing (`off`), or none (`held`). Other work stays due. */
const startWork = async (deps: Deps, state: OutboundState, { sender, messageSender, workerLock }: WorkerResources): Promise<Stop> => {
  if (state === "held") return async () => undefined;
  const queues = QUEUE_NAMES.filter((name) => state === "on" || !SENDING_QUEUES.includes(name));
  const stopJobs = await startJobs(deps, jobsFor(deps, messageSender), queues);
  const [stopRetention, stopCounting] = [startRetention(deps), startCountingEarlierSales(deps)];
  if (state !== "on") return async () => void (await Promise.all([stopRetention(), stopCounting(), stopJobs()]));
  const deliveries = startDeliveries({
    ...deps,
    db: openDb(deps.pool),
    sender,
    encryptionKeys: deps.config.encryptionKeys,
    inVenueOf: (restaurantId) => asSystem(deps, restaurantId),
    worker: workerLock.number,
    onAttempt: deps.metrics.countAttempt,
  });
  const stops = [stopRetention, stopCounting, stopJobs, startVenueRounds(deps), () => deliveries.stop()];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};

/** Restarts the work whenever the state changes. The first start throws its error; a later one is retried. */
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
        log.warn({ err: error }, "the work could not be started; it is tried again");
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
    // The application's role owns nothing, so it can neither change the schema nor rebuild an index. No job runs on a schedule.
    migrate: false,
    createSchema: false,
    reindex: false,
    schedule: false,
    // The heartbeat takes ten seconds, so a killed worker's jobs run again after about fifteen seconds.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: 5,
    maintenanceIntervalSeconds: 600,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job engine reported an error and continues"));
  // A slow statement comes with its values.
  boss.on("warning", ({ message, data }) => log.warn({ data: { ...data, values: undefined } }, message));
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

type QueueService = { boss: PgBoss; deps: Deps; queue: QueueName; handlers: JobHandlers };

/**
 * Each consumer polls once a second. The first one polls again right after each job, and all of them do while more jobs wait than there
 * are consumers, so that a rush is not served at one job a second.
 */
const serve = async ({ boss, deps, queue, handlers }: QueueService): Promise<void> => {
  const { all, perGroup } = CONCURRENCY[queue];
  const pollingIntervalSeconds = queue === "catch-up-sandbox" ? SHORTEST_POLL_SECONDS : 1;
  const options = { pollingIntervalSeconds, localConcurrency: all, localGroupConcurrency: perGroup, burstWhenReadyExceeds: all };
  const firstConsumer: string = await boss.work<JobRow>(queue, options, async ([job]) => {
    if (!job) return;
    const { restaurant_id, [BECAME_DUE]: _, ...data } = job.data;
    try {
      if (await isLeaving(openDb(deps.pool), restaurant_id)) throw new Error("The venue is moving to another cell; its jobs go with it");
      await (handlers[queue] as AnyJobHandler)(asSystem(deps, restaurant_id), data);
    } catch (error) {
      deps.log.error({ err: error, queue, job: job.id, restaurant: restaurant_id }, "a job failed; it is tried again");
      // The job engine stores what it gets.
      throw tellableError(error);
    } finally {
      boss.notifyWorker(firstConsumer);
    }
  });
};

type JobRow = { restaurant_id: number } & Record<string, unknown>;
type AnyJobHandler = (inVenue: InVenue, data: Record<string, unknown>) => Promise<void>;

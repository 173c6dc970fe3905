/** Prometheus metrics: requests, database connections, outbound state and webhook deliveries. */
import type pg from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { schedulerOf } from "../db/connection-scheduler.ts";
import { openDb } from "../db/pool.ts";
import type { EndedSocket } from "../http/ops/socket-limits.ts";
import { type DeliveryBacklog, readBacklog } from "../platform/events/webhook-deliveries/store/queue.ts";
import type { AskOutcome } from "../venue/setup/sign-up/service/links.ts";
import type { Outbound } from "./outbound-switch.ts";

export type Metrics = {
  registry: Registry;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  countEndedSocket(reason: EndedSocket): void;
  countAsk(outcome: AskOutcome): void;
  /** Null for a success. */
  countAttempt(failure: string | null): void;
};

export const createMetrics = (pool: pg.Pool, outbound: Pick<Outbound, "state">): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "comanda_request_seconds",
    help: "Time to answer, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const attempts = new Counter({
    name: "comanda_delivery_attempts_total",
    help: "Attempts to deliver an event made by this process, by outcome",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const endedSockets = new Counter({
    name: "comanda_sockets_ended_total",
    help: "Connections of clients that this process ended, by limit: address, process or slow",
    labelNames: ["limit"],
    registers: [registry],
  });
  const asks = new Counter({
    name: "comanda_sign_up_requests_total",
    help: "Requests for a sign-up link, by outcome: sent, or not because of the limit of its mailbox or of the hour",
    labelNames: ["outcome"],
    registers: [registry],
  });
  addConnectionGauges(registry, pool);
  addOutboundGauge(registry, outbound);
  addBacklogGauges(registry, pool);
  return {
    registry,
    observeRequest: (labels, seconds) => requests.observe(labels, seconds),
    countEndedSocket: (limit) => endedSockets.inc({ limit }),
    countAsk: (outcome) => asks.inc({ outcome }),
    countAttempt: (failure) => attempts.inc({ outcome: failure ?? "delivered" }),
  };
};

const addConnectionGauges = (registry: Registry, pool: pg.Pool): void => {
  const counts = { total: () => pool.totalCount, idle: () => pool.idleCount, waiting: () => schedulerOf(pool).waiting() };
  for (const [state, read] of Object.entries(counts))
    new Gauge({
      name: `comanda_database_connections_${state}`,
      help: `Database connections: ${state}`,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
};

const addOutboundGauge = (registry: Registry, outbound: Pick<Outbound, "state">): void => {
  const labels = ["on", "off", "held"] as const;
  new Gauge({
    name: "comanda_outbound_state",
    help: "1 for the state that this process is in. on: it sends; off: OUTBOUND is off; held: a restored copy that was not released",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const state of labels) this.set({ state }, outbound.state() === state ? 1 : 0);
    },
  });
};

/** Adds the gauges of the whole cell, in every process. If the database does not answer, they are left out; /readyz reports it. */
const addBacklogGauges = (registry: Registry, pool: pg.Pool): void => {
  const registers = [registry];
  let asked: Promise<DeliveryBacklog | null> | null = null;
  /** The gauges are collected in parallel and share one query. */
  const backlog = (): Promise<DeliveryBacklog | null> => {
    asked ??= readBacklog(openDb(pool), null)
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    return asked;
  };
  new Gauge({
    name: "comanda_delivery_oldest_due_seconds",
    help: "How long the oldest due delivery has been due",
    registers,
    async collect() {
      const found = await backlog();
      if (found !== null) this.set(found.oldest_due_seconds ?? 0);
    },
  });
  new Gauge({
    name: "comanda_deliveries_pending",
    help: "Deliveries that are due now (ready) or later (waiting)",
    labelNames: ["state"],
    registers,
    async collect() {
      const found = await backlog();
      if (found === null) return;
      this.set({ state: "ready" }, found.ready);
      this.set({ state: "waiting" }, found.waiting);
    },
  });
};

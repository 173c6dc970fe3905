/**
 * Decides whether this process sends messages and webhooks. The setting `OUTBOUND` or a restored copy of the database turns sending off.
 * Nothing is claimed meanwhile, so nothing is lost and no attempt is counted.
 */
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { hasNoIdentity, type Identity, readIdentity } from "../db/database-identity.ts";
import { apiError } from "../lib/errors.ts";
import { createSender, type Sender } from "../platform/events/webhooks/send/sender.ts";
import { createMessageSender, type MessageSender } from "../platform/messages/notifications/send.ts";

/** The delay after which a release by `comanda-admin restored` takes effect. */
const CHECK_EVERY_MS = 1000;

/** `on`: everything is sent. `off`: nothing is sent, requests are answered. `held`: nothing is sent and no venue is served. */
export type OutboundState = "on" | "off" | "held";

export type Outbound = {
  state(): OutboundState;
  /** The reason for the operator; null when sending is on. */
  reason(): string | null;
  /** Reads the state from the database. */
  check(pool: pg.Pool): Promise<void>;
  /** Reads the state for every new connection before its first use, because it may lead to another database. */
  onConnect(client: pg.ClientBase): Promise<void>;
  /** Called after every change of the state. */
  onChange(listener: () => void): void;
  /** Checks repeatedly while the state is `held`. */
  watch(pool: pg.Pool): void;
  close(): void;
};

type Settings = Pick<Config, "outbound" | "cell" | "cells">;

const RELEASE = "see `comanda-admin restored`";

export const decideOutbound = (settings: Settings, identity: Identity): { state: OutboundState; reason: string | null } => {
  if (!identity.isRecorded)
    return {
      state: "held",
      reason: `this database is a restored copy of ${identity.recordedName} and was not released: ${RELEASE}`,
    };
  if (settings.outbound === "on") return { state: "on", reason: null };
  const isOneOfSeveral = settings.cells > 1 || settings.cell > 0;
  if (isOneOfSeveral && !identity.isCompared)
    return { state: "held", reason: `OUTBOUND is off, and the venues were not compared with the other cells: ${RELEASE}` };
  return { state: "off", reason: "OUTBOUND is off" };
};

/** Nothing is sent before the first check of the database. */
const AT_START = { state: "held", reason: "the database was not checked yet" } as const;

export const createOutbound = (settings: Settings, log: Pick<Logger, "warn" | "info">): Outbound => {
  const listeners: (() => void)[] = [];
  let current: ReturnType<typeof decideOutbound> = AT_START;
  let timer: NodeJS.Timeout | undefined;
  const change = (next: typeof current): void => {
    const isFirst = current === AT_START;
    const hasChanged = next.state !== current.state;
    current = next;
    if (next.state !== "on" && (isFirst || hasChanged)) log.warn({ outbound: next.state }, `sending is off: ${next.reason}`);
    if (next.state === "on" && hasChanged && !isFirst) log.info({ outbound: next.state }, "sending is on");
    if (hasChanged) for (const listen of listeners) listen();
  };
  const check = async (connection: Pick<pg.ClientBase, "query">): Promise<void> =>
    change(decideOutbound(settings, await readIdentity(connection)));
  return {
    state: () => current.state,
    reason: () => current.reason,
    check,
    onConnect: (client) =>
      check(client).catch((error: unknown) => {
        if (!hasNoIdentity(error)) throw error;
      }),
    onChange: (listener) => void listeners.push(listener),
    watch(pool) {
      timer = setInterval(() => {
        // The health check reports a database that does not answer.
        if (current.state === "held") check(pool).catch(() => undefined);
      }, CHECK_EVERY_MS).unref();
    },
    close: () => clearInterval(timer),
  };
};

/** Throws before the attempt; the caller must not record this error as an outcome. */
const rejectUnlessOn = (outbound: Outbound): void => {
  if (outbound.state() !== "on") throw apiError("service_unavailable", { sending: "off" });
};

type SenderDeps = { config: Config; outbound: Outbound };

/** Senders are created only here, so that each message passes the check. */
export const openSender = ({ outbound }: SenderDeps, sender: Sender = createSender()): Sender => ({
  send: async (request) => {
    rejectUnlessOn(outbound);
    return sender.send(request);
  },
  close: () => sender.close(),
});

export const openMessageSender = ({ config, outbound }: SenderDeps): MessageSender => {
  const messages = createMessageSender(config);
  return {
    send: async (message, venueName) => {
      rejectUnlessOn(outbound);
      return messages.send(message, venueName);
    },
    close: () => messages.close(),
  };
};

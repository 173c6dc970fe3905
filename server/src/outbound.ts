/**
 * Whether this process sends anything to the world outside. One switch in front of every sender: the operator's `OUTBOUND`, and a
 * database that is a restored copy. While it is off, nothing is claimed, so nothing is lost and no attempt is counted.
 */
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { hasNoIdentity, type Identity, readIdentity } from "./db/identity.ts";
import { fail } from "./lib/errors.ts";
import { createPost, type Post } from "./platform/notices/send.ts";
import { createSender, type Sender } from "./platform/webhooks/send.ts";

/** A release by `comanda restored` is noticed this soon. */
const LOOK_EVERY_MS = 1000;

/** `on`: everything is sent. `off`: nothing is sent, requests are answered. `held`: nothing is sent and no venue is served. */
export type OutboundState = "on" | "off" | "held";

export type Outbound = {
  state(): OutboundState;
  /** Why it is not on, for the operator; null when it is. */
  reason(): string | null;
  /** Looks at the database, at the start and while it is held. */
  check(pool: pg.Pool): Promise<void>;
  /** The same for every new connection before its first use: it may lead to another database than the one before it. */
  onConnect(client: pg.ClientBase): Promise<void>;
  /** Called after every change of the state. */
  onChange(listener: () => void): void;
  /** Looks again while it is held, until it is released or closed. */
  watch(pool: pg.Pool): void;
  close(): void;
};

type Settings = Pick<Config, "outbound" | "cell" | "cells">;

const RELEASE = "see `comanda restored`";

/** Pure: what follows from the settings and from the database. */
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

/** Nothing is sent before the database was looked at. */
const AT_START = { state: "held", reason: "the database was not looked at yet" } as const;

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
        // A database that does not answer is reported by the health check.
        if (current.state === "held") check(pool).catch(() => undefined);
      }, LOOK_EVERY_MS).unref();
    },
    close: () => clearInterval(timer),
  };
};

/** The refusal is no outcome of an attempt: whoever sends must not record one. */
const refuseUnlessOn = (outbound: Outbound): void => {
  if (outbound.state() !== "on") throw fail("service_unavailable", { sending: "off" });
};

type Given = { config: Config; outbound: Outbound };

/** The only places that make senders: each message passes the switch. */
export const openSender = ({ outbound }: Given, sender: Sender = createSender()): Sender => ({
  send: async (parcel) => {
    refuseUnlessOn(outbound);
    return sender.send(parcel);
  },
  close: () => sender.close(),
});

export const openPost = ({ config, outbound }: Given): Post => {
  const post = createPost(config);
  return {
    send: async (letter, venueName) => {
      refuseUnlessOn(outbound);
      return post.send(letter, venueName);
    },
    close: () => post.close(),
  };
};

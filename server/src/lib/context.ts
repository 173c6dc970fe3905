/** What every service is handed first: for whom, by whom, when, and through which door to the database. */
import type { Scope } from "@comanda/contract/scopes.ts";
import type { BaseLogger } from "pino";
import type { Db } from "#db/query.ts";

/** The part of a logger that services use. */
export type Log = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

export type Tenant = {
  id: number;
  slug: string;
  kind: "live" | "sandbox";
  currency: string;
  zone: string;
  default_language: string;
};

/** How a transaction comes into a venue: with others at the same time, or, to reset a sandbox, with nobody else writing. */
export type Entrance = "beside others" | "alone";

/** Who acts; an audit entry names it. `caller` is what rate limits and idempotency keys are counted by. */
export type Actor = {
  kind: "token" | "app" | "staff" | "operator" | "system";
  id: number | null;
  name: string;
  /** Of a person, who may change the name but not this. */
  email?: string;
  scopes: readonly Scope[];
  caller: string;
  /** The door it came through when that was the agents' one: the hand was a machine's, whoever owns the token. */
  via?: "mcp";
};

export type Origin = { requestId: string | null; address: string | null };

export type Ctx = {
  tenant: Tenant;
  actor: Actor;
  now: Date;
  db: Db;
  log: Log;
  origin: Origin;
  cursorKey: Buffer;
};

/** What services for people are handed: a person signs in to the house, not to a venue. */
export type HouseCtx = Pick<Ctx, "now" | "db" | "log" | "origin">;

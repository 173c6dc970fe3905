/** The first argument of every service function: tenant, actor, time and database. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
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
  /** How far the clock of a sandbox is ahead; 0 in a live venue. */
  clock_offset_ms: number;
};

/** A tenant of which only the id is known. It is read in its transaction, in the round trip of the begin. */
export type TenantById = { id: number; read(db: Db): Promise<Tenant> };

export type LockMode = "shared" | "exclusive";

/** The actor that an audit entry names. `caller` is the key of rate limits and idempotency keys. */
export type Actor = {
  kind: "token" | "app" | "staff" | "screen" | "operator" | "system";
  id: number | null;
  name: string;
  /** Set for a user. The name can change, the e-mail address cannot. */
  email?: string;
  /** Set for a user in a venue. Every call checks it; a step that a call allows by the state of its subject asks again. */
  role?: Role;
  scopes: readonly Scope[];
  /** Set for a token: what the venue's plan includes. */
  features?: readonly Feature[];
  caller: string;
  /** Set when an agent made the request through MCP. */
  via?: "mcp";
};

export type Origin = { requestId: string | null; address: string | null };

export type Ctx = {
  tenant: Tenant;
  actor: Actor;
  /** The time on the venue's clock; `realNow` of lib/venue-clock.ts gives the real time. */
  now: Date;
  db: Db;
  log: Log;
  origin: Origin;
  cursorKey: Buffer;
};

/** The context without a tenant: users sign in to the service, not to a venue. */
export type GlobalContext = Pick<Ctx, "now" | "db" | "log" | "origin">;

/** Queries that need neither a tenant nor the time take only this. */
export type WithDb = Pick<Ctx, "db">;

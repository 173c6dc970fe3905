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

/** Who acts; an audit entry names it. `caller` is what rate limits and idempotency keys are counted by. */
export type Actor = {
  kind: "token" | "app" | "staff" | "operator" | "system";
  id: number | null;
  name: string;
  scopes: readonly Scope[];
  caller: string;
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

/** The tokens of a venue, and its sandbox. */
import { type Static, Type } from "typebox";
import { ALL_SCOPES } from "../scopes.ts";
import { Id, Literals, Nullable } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Done, GracePeriod, HourlyRequests, Instant, SomeScopes } from "./operation.ts";

export const TokenRow = Type.Object({
  id: Id,
  name: Type.String(),
  kind: Literals(["api", "sandbox", "oauth"]),
  /** The number in front and the last four characters: never the secret. */
  hint: Type.String(),
  scopes: Type.Array(Literals(ALL_SCOPES)),
  state: Literals(["active", "expired", "revoked"]),
  rate_per_minute: Nullable(Count),
  created_by: Type.String(),
  /** Null when no person made it, or it is from before this was written down. */
  created_by_email: Nullable(Type.String()),
  created_at: Instant,
  last_used_at: Nullable(Instant),
  expires_at: Nullable(Instant),
  hours: HourlyRequests,
  /** Left in the running minute; null when nothing was asked in it. */
  remaining: Nullable(Count),
});
export type TokenRow = Static<typeof TokenRow>;

/** Shown once. */
export const NewTokenText = Type.Object({ id: Id, token: Type.String() });

const TokenName = Type.String({ minLength: 1, maxLength: 80 });

export const tokenOperations = {
  listTokens: {
    method: "GET",
    path: "/venues/{venue}/tokens",
    worksInSandbox: true,
    who: "manager",
    success: { status: 200, body: Data(Type.Array(TokenRow)) },
  },
  createToken: {
    method: "POST",
    path: "/venues/{venue}/tokens",
    who: "manager",
    isIdempotent: true,
    showsSecret: true,
    needsRecentPassword: true,
    body: Type.Object({
      name: TokenName,
      scopes: SomeScopes,
      expires_in_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
    }),
    success: { status: 201, body: Data(NewTokenText) },
  },
  /** A new secret with the same scopes; the old token ends after the overlap. */
  rollToken: {
    method: "POST",
    path: "/venues/{venue}/tokens/{id}/roll",
    who: "manager",
    isIdempotent: true,
    showsSecret: true,
    revokes: "venue",
    needsRecentPassword: true,
    body: Type.Object({ overlap: GracePeriod }),
    success: { status: 201, body: Data(NewTokenText) },
  },
  revokeToken: {
    method: "DELETE",
    path: "/venues/{venue}/tokens/{id}",
    who: "manager",
    isIdempotent: true,
    worksInSandbox: true,
    revokes: "venue",
    success: { status: 200, body: Done },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const Sandbox = Type.Object({
  created_at: Instant,
  reset_at: Nullable(Instant),
  next_reset_at: Nullable(Instant),
  token: Nullable(Type.Object({ hint: Type.String(), created_at: Instant, last_used_at: Nullable(Instant) })),
  contents: Type.Object({ dishes: Count, tables: Count, guests: Count, reservations: Count, orders: Count }),
});
export type Sandbox = Static<typeof Sandbox>;

export const sandboxOperations = {
  readSandbox: {
    method: "GET",
    path: "/venues/{venue}/sandbox",
    who: "manager",
    isMultiTransaction: true,
    success: { status: 200, body: Data(Nullable(Sandbox)) },
  },
  /** Makes the sandbox where there is none; a new token replaces the old one. */
  openSandbox: {
    method: "POST",
    path: "/venues/{venue}/sandbox",
    who: "manager",
    isMultiTransaction: true,
    isIdempotent: true,
    showsSecret: true,
    revokes: "sandbox",
    success: { status: 201, body: Data(NewTokenText) },
  },
  resetSandbox: {
    method: "POST",
    path: "/venues/{venue}/sandbox/reset",
    who: "manager",
    isMultiTransaction: true,
    isIdempotent: true,
    success: { status: 200, body: Done },
  },
} as const satisfies Record<string, ConsoleOperation>;

/** What was changed in a venue, and what was asked of it. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable } from "../shared.ts";
import { Before, type ConsoleOperation, Count, Instant, Rows } from "./operation.ts";

const ACTORS = ["token", "app", "staff", "screen", "operator", "system"] as const;

export const ActivityEntry = Type.Object({
  id: Id,
  at: Instant,
  actor_kind: Literals(ACTORS),
  actor_id: Nullable(Id),
  actor_name: Type.String(),
  /** The person's address at that time. A name can be changed, this cannot. */
  actor_email: Nullable(Type.String()),
  /** Set when the change came through MCP. */
  via: Nullable(Literals(["mcp"])),
  action: Type.String(),
  subject_kind: Type.String(),
  subject_id: Type.String(),
  /** What the venue calls it now: a dish's name, a token's, an app's, the address of a webhook. Null when it has none or is gone. */
  subject_name: Nullable(Type.String()),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  reason: Nullable(Type.String()),
  address: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
});
export type ActivityEntry = Static<typeof ActivityEntry>;

/** What refused a request, in the order of the checks. `fields`: the shape of the input. `rules`: a rule of the restaurant. */
export const REQUEST_GATES = [
  "token",
  "rate",
  "plan",
  "scope",
  "path",
  "size",
  "key",
  "lookup",
  "fields",
  "rules",
  "status",
  "service",
] as const;
export type RequestGate = (typeof REQUEST_GATES)[number];

/** A field as the contract names it, never its value. */
export const RequestReason = Type.Object({
  field: Type.String(),
  reason: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
});
export type RequestReason = Static<typeof RequestReason>;

export const RequestRow = Type.Object({
  id: Id,
  at: Instant,
  token_id: Id,
  token_name: Type.String(),
  method: Type.String(),
  /** The path as the contract writes it, ids left out; `/…` stands for what it does not know, null for a path of which it knows nothing. */
  route: Nullable(Type.String()),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  /** The fields for which a request was refused, as the contract names them; null when it was not. */
  fields: Nullable(Type.Array(Type.String())),
  /** Null when the code is the reason. */
  reasons: Nullable(Type.Array(RequestReason)),
  /** Null when nothing refused it. */
  gate: Nullable(Literals(REQUEST_GATES)),
  ms: Count,
  address: Type.String(),
  client: Nullable(Type.String()),
  request_id: Type.String(),
});
export type RequestRow = Static<typeof RequestRow>;

export const logOperations = {
  listActivity: {
    method: "GET",
    path: "/venues/{venue}/activity",
    who: "manager",
    worksInSandbox: true,
    query: Type.Object({
      area: Type.Optional(Type.String({ maxLength: 40 })),
      actor: Type.Optional(Literals(ACTORS)),
      subject: Type.Optional(Type.String({ maxLength: 80 })),
      from: Type.Optional(Instant),
      /** Entries before this moment are listed. */
      until: Type.Optional(Instant),
      ...Before,
    }),
    // The answer names the currency of the amounts in the entries.
    success: {
      status: 200,
      body: Type.Object({ data: Type.Array(ActivityEntry), next: Nullable(Type.Integer()), currency: Type.String() }),
    },
  },
  listRequests: {
    method: "GET",
    path: "/venues/{venue}/requests",
    who: "manager",
    worksInSandbox: true,
    query: Type.Object({
      token: Type.Optional(Type.Integer({ minimum: 1 })),
      status: Type.Optional(Literals(["2xx", "4xx", "5xx", "429"])),
      /** One request by its whole id. */
      request: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      ...Before,
    }),
    success: { status: 200, body: Rows(RequestRow) },
  },
} as const satisfies Record<string, ConsoleOperation>;

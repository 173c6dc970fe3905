/** The requests of a sandbox as they come (decision 0074), for a program that follows its own calls. */
import { type Static, Type } from "typebox";
import { REQUEST_GATES } from "../console/logs.ts";
import { Wait } from "../events/event-feed.ts";
import { DateTime, Literals, Nullable, Shape, UUID_PATTERN } from "../shared.ts";

export const REQUEST_PAGE_MAX = 100;

export const SandboxRequest = Shape("SandboxRequest", {
  id: Type.String({ pattern: UUID_PATTERN }),
  at: DateTime,
  method: Type.String(),
  path: Nullable(Type.String()),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  gate: Nullable(Literals(REQUEST_GATES)),
  fields: Type.Array(Type.String()),
  reasons: Type.Array(Type.String()),
  ms: Type.Integer(),
});
export type SandboxRequest = Static<typeof SandboxRequest>;

export const RequestTailQuery = Type.Object({
  after: Type.Optional(
    Type.String({ maxLength: 64, description: "The last `meta.cursor`, or `latest`. Without it the oldest that is kept comes first." }),
  ),
  wait: Type.Optional(Wait),
});

export const RequestTail = Type.Object({
  data: Type.Array(SandboxRequest),
  meta: Type.Object({
    count: Type.Integer({ minimum: 0 }),
    cursor: Type.String({ minLength: 1, description: "Send it as `after` of the next call." }),
    has_more: Type.Boolean({ description: "Ask again at once." }),
  }),
  links: Type.Object({}, { maxProperties: 0 }),
});

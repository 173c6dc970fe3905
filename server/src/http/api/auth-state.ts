import type { FastifyRequest } from "fastify";
import type { Principal, TokenEnding } from "#lib/principal.ts";
import { type ForwardedAuth, takeForwardedAuth } from "../mcp/forwarded-auth.ts";
import type { Quota } from "../rate-limit.ts";

/** The state of a request's authentication. */
export type RequestAuth = {
  /** Set as soon as the token is known, also when the request is rejected afterwards. */
  principal: Principal | null;
  /** Set for a token that was valid once. */
  ending: TokenEnding | null;
  /** The quota after this request was counted; null before that. */
  quota: Quota | null;
  /** The principal comes from the cache or from an earlier lookup: a read is admitted again in the round trip of its rows. */
  mustBeAdmittedAgain: boolean;
  /** The request took a fault of its sandbox, or went on without one. */
  isFaultDecided: boolean;
  /** Set for a tool call that the MCP endpoint injected. */
  readonly forwarded: ForwardedAuth | null;
};

declare module "fastify" {
  interface FastifyRequest {
    auth: RequestAuth;
  }
}

export const startAuth = (request: FastifyRequest): void => {
  request.auth = {
    principal: null,
    ending: null,
    quota: null,
    mustBeAdmittedAgain: false,
    isFaultDecided: false,
    forwarded: takeForwardedAuth(),
  };
};

/** Returns the principal to code that runs after authentication. */
export const requirePrincipal = ({ auth }: FastifyRequest): Principal => {
  if (auth.principal === null) throw new Error("The request is not authenticated");
  return auth.principal;
};

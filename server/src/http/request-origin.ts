/** Where a request comes from, whether our own page sent it, and by which address it reached the service. */
import type { FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { isPlainJson } from "./api/body.ts";

export const requestOrigin = (request: FastifyRequest): Pick<Ctx, "log" | "origin"> => ({
  log: request.log,
  origin: { requestId: request.id, address: request.ip },
});

/** A name or an address, with a port or without. URL allows quotes and braces in a name, which would end up in pages and documents. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/** The service's address, for links: from the settings, else from the Host header, else localhost when that header is invalid. */
export const rootUrlOf = ({ config }: Deps, request: FastifyRequest): string => {
  if (request.auth.forwarded) return request.auth.forwarded.rootUrl;
  const asked = `${request.protocol}://${request.host}`;
  return config.publicUrl ?? (HOST.test(request.host) && URL.canParse(asked) ? new URL(asked).origin : `http://localhost:${config.port}`);
};

/** Whether the call comes from our own page, as a write must: by Sec-Fetch-Site, or by Origin in browsers without that header. */
export const isSameOrigin = (deps: Deps, request: FastifyRequest): boolean => {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = request.headers;
  return origin !== undefined && origin === new URL(rootUrlOf(deps, request)).origin;
};

export const rejectCrossSite = (deps: Deps, request: FastifyRequest): void => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (!isSameOrigin(deps, request)) throw apiError("cross_site");
  // A form of another site cannot send JSON.
  if (!isPlainJson(request.headers["content-type"])) throw apiError("cross_site");
};

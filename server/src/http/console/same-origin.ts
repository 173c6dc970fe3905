import type { FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { isPlainJson } from "../api/body.ts";
import { rootUrlOf } from "../root-url.ts";

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

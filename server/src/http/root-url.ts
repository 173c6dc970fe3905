import type { FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";

/** Where this service is reached, and where links point. A Host header may be missing or no host at all; then there is nothing to build on. */
export const rootUrlOf = ({ config }: Deps, request: FastifyRequest): string => {
  if (request.handed) return request.handed.rootUrl;
  const asked = `${request.protocol}://${request.host}`;
  return config.publicUrl ?? (URL.canParse(asked) ? new URL(asked).origin : `http://localhost:${config.port}`);
};

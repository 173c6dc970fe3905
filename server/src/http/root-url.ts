import type { FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";

/** The service's address, for links: from the settings, else from the Host header, else localhost when that header is invalid. */
export const rootUrlOf = ({ config }: Deps, request: FastifyRequest): string => {
  if (request.auth.forwarded) return request.auth.forwarded.rootUrl;
  const asked = `${request.protocol}://${request.host}`;
  return config.publicUrl ?? (URL.canParse(asked) ? new URL(asked).origin : `http://localhost:${config.port}`);
};

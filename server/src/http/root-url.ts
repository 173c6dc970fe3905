import type { FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";

/** A name or an address, with a port or without. URL allows quotes and braces in a name, which would end up in pages and documents. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/** The service's address, for links: from the settings, else from the Host header, else localhost when that header is invalid. */
export const rootUrlOf = ({ config }: Deps, request: FastifyRequest): string => {
  if (request.auth.forwarded) return request.auth.forwarded.rootUrl;
  const asked = `${request.protocol}://${request.host}`;
  return config.publicUrl ?? (HOST.test(request.host) && URL.canParse(asked) ? new URL(asked).origin : `http://localhost:${config.port}`);
};

/** What the path of a console call names: a venue or its sandbox, and the subject. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { isSandboxSlug, liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import type { FastifyRequest } from "fastify";
import { apiError } from "#lib/errors.ts";

/** The slug in the path. PostgreSQL rejects U+0000, so such a slug becomes the empty one, which no venue has. */
const slugIn = (request: FastifyRequest): string | null => {
  const { venue = null } = request.params as { venue?: string };
  return venue?.includes("\0") ? "" : venue;
};

/** The slug of the venue in the path, or of the venue whose sandbox is in the path. */
export const venueOf = (request: FastifyRequest): string | null => {
  const slug = slugIn(request);
  return slug && liveSlugOf(slug);
};

export const isOfSandbox = (request: FastifyRequest): boolean => isSandboxSlug(slugIn(request) ?? "");

/** The cookie of a user is not read on these paths, and that of a screen is not read on all others. */
export const isOfScreen = ({ path }: ConsoleOperation): boolean => path === "/screen" || path.startsWith("/screen/");

/** A path has at most one UUID. Its name says what it is of. */
const UUID_NAMES = ["order", "reservation", "block", "entry", "bill"];

export const uuidOf = (request: FastifyRequest): string => {
  const params = request.params as Record<string, string | undefined>;
  const uuid = UUID_NAMES.map((name) => params[name]).find((value) => value !== undefined) ?? "";
  if (uuid !== "" && !new RegExp(UUID_PATTERN).test(uuid)) throw apiError("not_found");
  return uuid;
};

export const idOf = (request: FastifyRequest): number => {
  const { id } = request.params as { id?: string };
  if (id === undefined) return 0;
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : 0;
  if (!Number.isSafeInteger(number) || number === 0) throw apiError("not_found");
  return number;
};

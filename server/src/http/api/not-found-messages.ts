/** What an error says where a path leads to nothing: no such operation, an id that is none, an id that this restaurant does not have. */
import { ERRORS } from "@comanda/contract/errors.ts";
import { PATH_PARAMETERS, type PathParameter, pathParameters } from "@comanda/contract/operation.ts";
import { API_PREFIX, apiOperationEntries } from "@comanda/contract/operations.ts";
import type { FastifyRequest } from "fastify";
import { isOfSandbox } from "#lib/authorization.ts";
import { ApiError, apiError } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { Principal } from "#lib/principal.ts";

type OperationEntries = typeof apiOperationEntries;

export const pathOf = (request: FastifyRequest): string =>
  new URL(request.url, "http://x").pathname.slice(API_PREFIX.length).replace(/\/+$/, "");

/** A caller that must not know of an operation gets the same answer as if there were none. */
export const reachableBy = (principal: Principal | null): OperationEntries =>
  apiOperationEntries.filter(([, { onlyInSandbox }]) => !onlyInSandbox || (principal !== null && isOfSandbox(principal)));

export const methodsOf = (operations: OperationEntries): string[] => [
  ...new Set(operations.flatMap(([, { method }]): string[] => (method === "GET" ? ["GET", "HEAD"] : [method]))),
];

/** Longer paths and deeper ones are near to none. */
const [PATH_LENGTH_MAX, SEGMENTS_MAX] = [120, 6];

/** The prefix sent once more, or a part of it, is no part of the path that was meant. */
const PREFIX = /^\/(?:api\/)?(?:v1(?=\/|$))?\/?/;

const segmentsOf = (path: string): string[] =>
  path
    .replaceAll(/\/{2,}/g, "/")
    .replace(PREFIX, "/")
    .split("/")
    .filter(Boolean);

/** The operations whose path is nearest to the one that was sent, as in `GET, POST /orders`; null when none is near. */
const nearestOperation = (path: string, operations: OperationEntries = apiOperationEntries): string | null => {
  const sent = segmentsOf(path.slice(0, PATH_LENGTH_MAX + 1));
  if (path.length > PATH_LENGTH_MAX || sent.length === 0 || sent.length > SEGMENTS_MAX) return null;
  const written = new Map(operations.map(([, { path: template }]) => [withSentIds(template, sent), template]));
  const nearest = nearestName(`/${sent.join("/")}`, [...written.keys()]);
  const template = nearest === null ? undefined : written.get(nearest);
  if (template === undefined) return null;
  return `${methodsOf(operations.filter(([, operation]) => operation.path === template)).join(", ")} ${template}`;
};

/** Any text may stand where the path of an operation has an id. */
const withSentIds = (template: string, sent: readonly string[]): string =>
  template
    .split("/")
    .map((part, index) => (part.startsWith("{") ? (sent[index - 1] ?? part) : part))
    .join("/");

export const unknownPathMessage = (path: string, operations: OperationEntries): string => {
  const nearest = nearestOperation(path, operations);
  return nearest === null
    ? "No operation has this path. GET /openapi.json lists all of them."
    : `No operation has this path. The nearest one is ${nearest}, below /api/v1.`;
};

/** Added to the refusal of a preflight request of CORS, which browsers send before a call from another site. */
export const FOR_BROWSERS =
  "Browsers ask this before they call another site. The API is not for browsers, because a token is a secret: call it from a server of your own.";

export const wrongMethodMessage = (method: string, allowed: readonly string[]): string => {
  const rule = `This path takes ${allowed.join(", ")}, not ${method}.`;
  return method === "OPTIONS" ? `${rule} ${FOR_BROWSERS}` : rule;
};

const NAMES: Record<PathParameter, { one: string; many: string; list: string }> = {
  menu: { one: "menu", many: "menus", list: "GET /menus" },
  item: { one: "dish", many: "dishes", list: "GET /items" },
  order: { one: "order", many: "orders", list: "GET /orders" },
  reservation: { one: "booking", many: "bookings", list: "GET /reservations" },
  guest: { one: "guest", many: "guests", list: "GET /guests" },
};

const FORMS = {
  integer: "whole numbers from 1",
  uuid: "UUIDs, such as 01a1db39-58b8-75e1-8860-a981f2727a6a",
} as const;

export const malformedId = (name: PathParameter): ApiError => {
  const { many, list } = NAMES[name];
  return apiError("not_found", {}, {}, `Ids of ${many} are ${FORMS[PATH_PARAMETERS[name]]}. ${list} has the ids.`);
};

/**
 * Names what is missing. A missing resource and another restaurant's read alike, and so do an operation that the caller must not know and one
 * that does not exist.
 */
export const namedNotFound = (request: FastifyRequest, error: unknown): unknown => {
  const { operation } = request.routeOptions.config;
  const { principal } = request.auth;
  if (!(error instanceof ApiError && error.code === "not_found" && error.message === ERRORS.not_found.message) || !operation) return error;
  const reachable = reachableBy(principal);
  if (!reachable.some(([, { path }]) => path === operation.path))
    return apiError("not_found", {}, {}, unknownPathMessage(pathOf(request), reachable));
  const [name] = pathParameters(operation.path);
  if (name === undefined) return error;
  const { one, list } = NAMES[name];
  const [world, other] = principal?.tenant.kind === "sandbox" ? ["sandbox", "the live restaurant"] : ["restaurant", "a sandbox"];
  const message = `This ${world} has no ${one} with this id. ${list} lists those that it has; ids of ${other} are unknown here.`;
  return apiError("not_found", {}, {}, message);
};

/** Answers outside of the API. The answer to a path of the API without its prefix names the prefix. */
export const unknownPageError = ({ url }: FastifyRequest): ApiError => {
  const [path = ""] = url.split("?");
  const nearest = nearestOperation(path);
  const hint = nearest === null ? "" : ` The operations of the API are below ${API_PREFIX}: the nearest one is ${nearest}.`;
  return apiError("not_found", {}, {}, `There is nothing at this path.${hint}`);
};

/** Matches a request's path against the contract's: path parameters, 404 and 405, the route's name for the request log. */
import { type Operation, PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { API_PREFIX, apiOperationEntries } from "@comanda/contract/operations.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isOfSandbox } from "#lib/authorization.ts";
import { type ApiError, apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";

export type PathParams = { id: number; uuid: string };

const UUID = new RegExp(UUID_PATTERN, "i");

/** Anything but a well-formed id names no resource (D18). */
export const paramsReader = ({ path }: Operation): ((request: FastifyRequest) => PathParams) => {
  const [name] = pathParameters(path);
  if (name === undefined) return () => ({ id: 0, uuid: "" });
  const read = PATH_PARAMETERS[name] === "uuid" ? readUuid : readId;
  return (request) => read((request.params as Record<string, string>)[name] ?? "");
};

const readUuid = (text: string): PathParams => {
  if (!UUID.test(text)) throw apiError("not_found");
  return { id: 0, uuid: text.toLowerCase() };
};

const readId = (text: string): PathParams => {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw apiError("not_found");
  return { id, uuid: "" };
};

const pathOf = (request: FastifyRequest): string => new URL(request.url, "http://x").pathname.slice(API_PREFIX.length).replace(/\/+$/, "");

/** The part of the operation's path that the given path matches: all of it, its beginning with an ellipsis, or null. */
const matchedPart = (template: string, path: string): string | null => {
  const [wanted, given] = [template.split("/"), path.split("/")];
  const differsAt = wanted.findIndex((part, index) => (part.startsWith("{") ? !given[index] : part !== given[index]));
  const matched = differsAt === -1 ? wanted : wanted.slice(0, differsAt);
  if (matched.length === given.length && differsAt === -1) return template;
  return matched.length > 1 ? `${matched.join("/")}/…` : null;
};

/**
 * The route in words of the contract, because a path from a client may hold a secret where an id belongs. An unknown path gives the part
 * that is known, or an empty text.
 */
export const routeOf = (request: FastifyRequest): string => {
  const { operation } = request.routeOptions.config;
  if (operation) return operation.path;
  const path = pathOf(request);
  const matches = apiOperationEntries.map(([, { path: template }]) => ({ template, part: matchedPart(template, path) ?? "" }));
  const depthOf = (part: string): number => part.split("/").length;
  return (
    matches.find(({ template, part }) => part === template)?.template ??
    matches.reduce((deepest, { part }) => (depthOf(part) > depthOf(deepest) ? part : deepest), "")
  );
};

/** For a path under the API's prefix that no operation answers: 404, or 405 when the path is known with another method (D16). */
export const unknownRouteError = (request: FastifyRequest, reply: FastifyReply): ApiError => {
  const path = pathOf(request);
  const isReachable = ({ onlyInSandbox }: Operation): boolean =>
    !onlyInSandbox || (request.auth.principal !== null && isOfSandbox(request.auth.principal));
  const methods = apiOperationEntries
    .filter(([, operation]) => isReachable(operation) && matchedPart(operation.path, path) === operation.path)
    .flatMap(([, { method }]): string[] => (method === "GET" ? ["GET", "HEAD"] : [method]));
  // The method matches, so the router rejected the path for an id that is too long.
  if (methods.length === 0 || methods.includes(request.method)) return apiError("not_found");
  writeHeaders(reply, { Allow: [...new Set(methods)].join(", ") });
  return apiError("method_not_allowed");
};

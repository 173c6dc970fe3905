/** Matches a request's path against the contract's: path parameters, 404 and 405, the route's name for the request log. */
import { type Operation, PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ApiError, apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";
import { malformedId, methodsOf, pathOf, reachableBy, unknownPathMessage, wrongMethodMessage } from "./not-found-messages.ts";

export type PathParams = { id: number; uuid: string };

const UUID = new RegExp(UUID_PATTERN, "i");

/** Anything but a well-formed id names no resource (D18). */
export const paramsReader = (operation: Operation): ((request: FastifyRequest) => PathParams) => {
  const [name] = pathParameters(operation.path);
  if (name === undefined) return () => ({ id: 0, uuid: "" });
  const read = PATH_PARAMETERS[name] === "uuid" ? readUuid : readId;
  return (request) => {
    const params = read((request.params as Record<string, string>)[name] ?? "");
    if (params === null) throw malformedId(name);
    return params;
  };
};

const readUuid = (text: string): PathParams | null => (UUID.test(text) ? { id: 0, uuid: text.toLowerCase() } : null);

const readId = (text: string): PathParams | null => {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id > 0 ? { id, uuid: "" } : null;
};

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

/** The error of a path under the API's prefix that no operation answers: 404, or 405 when the path is known with another method (D16). */
export const unknownRouteError = (request: FastifyRequest, reply: FastifyReply): ApiError => {
  const path = pathOf(request);
  const reachable = reachableBy(request.auth.principal);
  const methods = methodsOf(reachable.filter(([, operation]) => matchedPart(operation.path, path) === operation.path));
  if (methods.length === 0) return apiError("not_found", {}, {}, unknownPathMessage(path, reachable));
  // The method matches, so the router rejected the path for an id that is too long.
  if (methods.includes(request.method)) return idTooLong(reachable, path);
  writeHeaders(reply, { Allow: methods.join(", ") });
  return apiError("method_not_allowed", {}, {}, wrongMethodMessage(request.method, methods));
};

const idTooLong = (reachable: typeof apiOperationEntries, path: string): ApiError => {
  const operation = reachable.find(([, { path: template }]) => matchedPart(template, path) === template)?.[1];
  const [name] = pathParameters(operation?.path ?? "");
  return name ? malformedId(name) : apiError("not_found");
};

/** A path of the contract, `/items/{item}`, as Fastify writes it. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

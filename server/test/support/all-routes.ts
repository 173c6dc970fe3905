/** Every route of the service, as the application itself adds them, and requests that reach them, unauthenticated and authenticated. */

import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { RevokeRequest, TokenRequest } from "@comanda/contract/oauth.ts";
import { NewOrder } from "@comanda/contract/venue/orders.ts";
import type { RouteOptions } from "fastify";
import { routePath } from "#http/api/path-matching.ts";
import { SMALL_BODY_BYTES_MAX } from "../../src/http/api/body.ts";
import { type KnownValues, type WorstBody, type WorstCaseSchema, worstBodies, worstQueries } from "./worst-requests.ts";

export type RouteGroup = "API" | "agents" | "OAuth" | "console" | "pages";
export type Route = {
  name: string;
  group: RouteGroup;
  method: string;
  url: string;
  bytesMax: number;
  body: WorstCaseSchema | undefined;
  query: readonly string[];
};

/** The caller, and the ids that it asks for: they exist, so that a request gets as far as its body. */
export type RouteCaller = { token: string; cookie: string; screen: string; slug: string; ids: Record<string, string> };

export type RouteRequest = { method: string; path: string; headers: Record<string, string>; payload: Buffer | null };

/** Without a body that anybody would read. */
export const BODILESS = ["GET", "HEAD", "TRACE"];

export const collectRoutes = (): { onRoute: (route: RouteOptions) => void; routes(): Route[] } => {
  const seen: RouteOptions[] = [];
  return {
    onRoute: (route) => void seen.push(route),
    routes: () =>
      seen.flatMap((route) =>
        [route.method]
          .flat()
          .filter((method) => method !== "HEAD")
          .map((method) => describe(method, route)),
      ),
  };
};

const describe = (method: string, { url, config, bodyLimit }: RouteOptions): Route => {
  const group = groupOf(url, config?.countedBy);
  const operation = config?.operation ?? consoleOperation(method, url);
  const oauth = url.endsWith("/token") ? TokenRequest : url.endsWith("/revoke") ? RevokeRequest : undefined;
  return {
    name: `${method} ${url}`,
    group,
    method,
    url,
    bytesMax: bodyLimit ?? SMALL_BODY_BYTES_MAX,
    body: (group === "OAuth" ? oauth : operation?.body) as WorstCaseSchema | undefined,
    query: Object.keys(operation?.query?.properties ?? {}),
  };
};

const groupOf = (url: string, countedBy: string | undefined): RouteGroup => {
  if (countedBy === "token") return url === "/mcp" ? "agents" : "API";
  if (countedBy === "oauth") return "OAuth";
  return countedBy === "console" ? "console" : "pages";
};

const consoleOperation = (method: string, url: string) =>
  consoleEntries.find(([, entry]) => entry.method === method && `${CONSOLE_PREFIX}${routePath(entry.path)}` === url)?.[1];

const pathOf = (url: string, { slug, ids }: RouteCaller): string =>
  url.replace("*", "x").replaceAll(/:(\w+)(\([^)]*\))?/g, (_, name: string) => (name === "venue" ? slug : (ids[name] ?? "1")));

const headersFor = ({ group }: Route, who: RouteCaller | null): Record<string, string> => {
  if (group === "OAuth") return { "content-type": "application/x-www-form-urlencoded" };
  const json = { "content-type": "application/json", "sec-fetch-site": "same-origin", accept: "application/json, text/event-stream" };
  if (who === null) return json;
  return group === "console"
    ? { ...json, cookie: `__Host-comanda=${who.cookie}; __Host-comanda-screen=${who.screen}` }
    : { ...json, authorization: `Bearer ${who.token}` };
};

/** The head of a request that reaches the route; what follows it is up to the caller. */
export const requestTo = (route: Route, everybody: RouteCaller, who: RouteCaller | null): RouteRequest => ({
  method: route.method,
  path: pathOf(route.url, everybody),
  headers: headersFor(route, who),
  payload: null,
});

export type NamedRequest = { name: string; request: RouteRequest };

/** `turn`: the short form takes some of the shapes, in turn. */
export const worstRequests = (route: Route, everybody: RouteCaller, who: RouteCaller | null, turn: number): NamedRequest[] => {
  const plain = requestTo(route, everybody, who);
  const named = `${route.name}${who === null ? " (unauthenticated)" : ""}`;
  if (BODILESS.includes(route.method))
    return worstQueries(route.query, turn).map(({ name, search }) => ({
      name: `${named} ${name}`,
      request: { ...plain, path: plain.path + search },
    }));
  return bodiesFor(route, knownValues(everybody), turn).map(({ name, payload }, index) => {
    const headers = { ...plain.headers, ...(route.group === "API" ? { "idempotency-key": `${route.url} ${index}` } : {}) };
    return { name: `${named} ${name}`, request: { ...plain, headers, payload } };
  });
};

const knownValues = ({ ids: { item = "1", category = "1" } }: RouteCaller): KnownValues => ({ item_id: item, category_id: category });

const bodiesFor = ({ group, body, bytesMax }: Route, known: KnownValues, turn: number): WorstBody[] => {
  if (group === "OAuth") return [...forms(bytesMax), ...worstBodies(body, bytesMax, turn)];
  if (group === "agents") return messages(bytesMax, known);
  return worstBodies(body, bytesMax, turn, known);
};

const forms = (bytes: number): WorstBody[] =>
  [
    ["many pairs", "a=1&".repeat(bytes / 4)],
    ["the same pair again and again", "token=1&".repeat(bytes / 8)],
    ["a long value", `token=${"%00".repeat(bytes / 3 - 5)}`],
  ].map(([name = "", text = ""]) => ({ name, payload: Buffer.from(text).subarray(0, bytes) }));

/** The worst bodies as arguments of the tool that takes the most, and in place of the parameters of another message. */
const messages = (bytes: number, known: KnownValues): WorstBody[] =>
  worstBodies(NewOrder as WorstCaseSchema, bytes - 200, null, known).flatMap(({ name, payload }) =>
    [
      [`${name}, as arguments`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":${payload}}}`],
      [`${name}, as parameters`, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${payload}}`],
    ].map(([label = "", text = ""]) => ({ name: label, payload: Buffer.from(text).subarray(0, bytes) })),
  );

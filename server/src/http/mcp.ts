/**
 * The agents' door: the Model Context Protocol over HTTP, without sessions. It finds out who asks and shows the tools which that token
 * may use; a call then enters the operation's own route, so that every gate, limit and record of the API holds for it.
 */
import { type AgentTool, agentTools } from "@comanda/contract/agent-tools.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, validateOriginHeader } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { fail, invalid, Refusal } from "#lib/errors.ts";
import { requestOf, resultOf, resultOfRefusal } from "./agent-call.ts";
import { INSTRUCTIONS } from "./agent-instructions.ts";
import { BODY_BYTES_MAX, isPlainJson, type JsonObject, parseBody, softenType } from "./body.ts";
import { toRefusal } from "./errors.ts";
import type { Admitted, Gate } from "./gate.ts";
import { handOver } from "./handed.ts";
import type { Places } from "./places.ts";
import { sendJson, writeHeaders } from "./reply.ts";
import { rootUrlOf } from "./root-url.ts";

export const MCP_PATH = "/mcp";
/** RFC 9728 §3.1: the well-known part stands before the resource's own path. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
const SERVER = { name: "comanda", title: "Comanda", version: "1.0.0" };
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

declare module "fastify" {
  interface FastifyRequest {
    admitted: Admitted | null;
  }
}

type Mode = "read" | "all";

/** One message of one agent: who it is, what it may use, and the way into the API. */
type Connection = { tools: ReadonlyMap<string, AgentTool>; call(tool: AgentTool): Promise<ReturnType<typeof resultOf>> };

/** What a test takes away to see that it is missed. */
export type McpParts = {
  visible(tools: readonly AgentTool[], admitted: Admitted, mode: Mode): AgentTool[];
  /** The client's true address, which no header of the inner request can change. */
  addressOf(request: FastifyRequest): string;
};

type Doors = { gate: Gate; places: Places };

export const addMcp = (app: FastifyInstance, deps: Deps, { gate, places }: Doors, given: Partial<McpParts> = {}): void => {
  const tools = agentTools();
  const parts: McpParts = { visible: visibleTools, addressOf: ({ ip }) => ip, ...given };
  app.decorateRequest("admitted", null);
  places.guard(app);
  app.setErrorHandler((error, request, reply) =>
    request.asker.isCrowdedOut ? places.refuse(request, reply) : gate.refuse(request, reply, error),
  );
  app.get(METADATA_PATH, async (request, reply) => sendJson(reply, 200, JSON.stringify(resourceMetadata(rootUrlOf(deps, request)))));
  const onRequest = [
    async (request: FastifyRequest) => softenType(request),
    async (request: FastifyRequest) => refuseForeignPage(deps, request),
    async (request: FastifyRequest, reply: FastifyReply) => {
      request.admitted = await gate.admit(request, reply, challenge(rootUrlOf(deps, request), request));
      request.visitor = request.admitted.visitor;
      if (request.admitted.quota.isOver && !isShort(request)) throw fail("rate_limited");
    },
  ];
  const options = { onRequest, bodyLimit: BODY_BYTES_MAX, config: { countedBy: "gate", entersOwnRoutes: true } } as const;
  app.post(MCP_PATH, options, async (request, reply) => {
    const admitted = request.admitted as Admitted;
    const visible = new Map(parts.visible(tools, admitted, readMode(request)).map((tool) => [tool.name, tool]));
    const read = readMessage(request);
    if (read instanceof RpcFault) return sendRpcFault(reply, read);
    const { message, given } = read;
    if (!isCallOf(message, visible)) hold(deps, admitted);
    let hasEntered = false;
    let isTokenEnded = false;
    const connection: Connection = {
      tools: visible,
      call: async (tool) => {
        hasEntered = true;
        const { result, status } = await callTool({ app, deps, request, admitted, parts }, tool, given);
        isTokenEnded ||= status === 401;
        return result;
      },
    };
    const response = await answer(request, message, connection);
    // Whole before it is sent: no answer is longer than the operation's own.
    const text = await response.text();
    // The token ended while the call was on its way: a client learns that from HTTP, as if it had ended a moment earlier.
    if (isTokenEnded) await gate.admit(request, reply, challenge(rootUrlOf(deps, request), request));
    // It looked like a call, and none came of it: the gates that a call meets on its way are still to be met.
    if (!hasEntered) hold(deps, admitted);
    return relay(reply, response, text);
  });
  refuseOtherMethods(app, onRequest);
};

type OnRequest = ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[];

/** A server without sessions has no stream to open and none to end (2025-11-25, Streamable HTTP). */
const refuseOtherMethods = (app: FastifyInstance, onRequest: OnRequest): void => {
  app.route({
    method: ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"],
    url: MCP_PATH,
    onRequest,
    config: { countedBy: "gate" },
    handler: async (_request, reply) => {
      writeHeaders(reply, { Allow: "POST" });
      throw fail("method_not_allowed");
    },
  });
};

const resourceMetadata = (rootUrl: string) => ({
  resource: `${rootUrl}${MCP_PATH}`,
  resource_name: SERVER.title,
  authorization_servers: [rootUrl],
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ["header"],
});

/** RFC 9728 §5.1, and RFC 6750 §3: an error is named only to whoever brought a token. */
const challenge = (rootUrl: string, { headers }: FastifyRequest): string =>
  `Bearer ${headers.authorization === undefined ? "" : 'error="invalid_token", '}resource_metadata="${rootUrl}${METADATA_PATH}"`;

/**
 * A page in a browser always names its origin on a POST. The names that are ours are taken from the settings, not from the Host
 * header, because a name that was bound to our address by somebody else stands in both.
 */
const refuseForeignPage = ({ config }: Deps, { headers }: FastifyRequest): void => {
  const ours = config.publicUrl === null ? LOCAL : [new URL(config.publicUrl).hostname];
  if (!validateOriginHeader(headers.origin, ours).ok) throw fail("cross_site");
};

/** A misspelt switch, in its name or its value, must not open what it was meant to shut. */
const readMode = (request: FastifyRequest): Mode => {
  const { searchParams } = new URL(request.url, "http://x");
  const modes = searchParams.getAll("mode");
  for (const name of searchParams.keys()) if (name !== "mode") throw invalid({ [name]: ["Is not known here; mode=read is."] });
  if (modes.length === 0) return "all";
  if (modes.length === 1 && modes[0] === "read") return "read";
  throw invalid({ mode: ["Must be read, given once, or left out."] });
};

const visibleTools: McpParts["visible"] = (tools, { visitor }, mode) =>
  tools.filter(({ operation }) => visitor.includes(operation) && (mode === "all" || operation.method === "GET"));

/** An agent that asks too often is told so in the result of its call, for which the call must be read; a long one is not read. */
const isShort = ({ headers }: FastifyRequest): boolean =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= ENVELOPE_LENGTH_MAX;

class RpcFault extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Everything of a message but the arguments of a tool: it is repeated to the agent, and the library looks at every member. */
const ENVELOPE_LENGTH_MAX = 16 * 1024;

type Message = { message: JsonObject; given: JsonObject };

/** One message each: a list of them would be counted as one request. */
const readMessage = (request: FastifyRequest): Message | RpcFault => {
  const type = request.headers["content-type"];
  if (!isPlainJson(type)) return new RpcFault(415, -32_000, "The body must be sent as application/json.");
  try {
    const read = withoutArguments(parseBody(request.body as Buffer | undefined, type));
    if (JSON.stringify(read.message).length <= ENVELOPE_LENGTH_MAX) return read;
    return new RpcFault(400, ProtocolErrorCode.InvalidRequest, "The message is too large: only the arguments of a tool may be long.");
  } catch (error) {
    const [sentence] = error instanceof Refusal ? ((error.details.body as string[] | undefined) ?? []) : [];
    return new RpcFault(400, ProtocolErrorCode.ParseError, sentence ?? "The body cannot be read.");
  }
};

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** The arguments go past the library to the operation's own checks. */
const withoutArguments = (message: JsonObject): Message => {
  const { method, params } = message;
  if (method !== "tools/call" || !isObject(params) || !isObject(params.arguments)) return { message, given: {} };
  return { message: { ...message, params: { ...params, arguments: {} } }, given: params.arguments };
};

const sendRpcFault = (reply: FastifyReply, { status, code, message }: RpcFault): FastifyReply =>
  sendJson(reply, status, JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));

const isCallOf = ({ method, params }: JsonObject, visible: ReadonlyMap<string, AgentTool>): boolean =>
  method === "tools/call" && visible.has((params as { name?: string } | undefined)?.name ?? "");

/** Everything but a call, which meets the same gates on its way, so that the agent is told in the result. */
const hold = ({ clock }: Deps, { visitor, quota }: Admitted): void => {
  if (quota.isOver) throw fail("rate_limited");
  const refusal = visitor.refusalOf(null, clock.now());
  if (refusal) throw refusal;
};

const answer = (request: FastifyRequest, message: JsonObject, connection: Connection): Promise<Response> => {
  const handler = createMcpHandler(() => agentServer(connection), {
    legacy: "stateless",
    // Nothing changes while somebody listens, and a stream would outlive the token and the process's drain.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => request.log.debug({ err: error }, "a message of an agent was refused"),
  });
  return handler.fetch(new Request("http://agents.invalid/", { method: "POST", headers: protocolHeaders(request) }), {
    parsedBody: message,
  });
};

const PROTOCOL_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** The library sees what the protocol needs, and no token. */
const protocolHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(PROTOCOL_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

const relay = (reply: FastifyReply, response: Response, text: string): FastifyReply => {
  writeHeaders(reply, { "Cache-Control": "no-store" });
  const type = response.headers.get("content-type");
  if (type !== null) reply.header("Content-Type", type);
  return reply.code(response.status).send(text);
};

const agentServer = ({ tools, call }: Connection): Server => {
  const server = new Server(SERVER, { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(shown) }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return call(tool);
  });
  return server;
};

const shown = ({ name, title, description, inputSchema, outputSchema, annotations }: AgentTool) => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations: { title, ...annotations },
});

type Caller = { app: FastifyInstance; deps: Deps; request: FastifyRequest; admitted: Admitted; parts: McpParts };
type Called = { result: ReturnType<typeof resultOf>; status: number };

/** Whatever goes wrong becomes a refusal here: the library would tell the agent what was thrown. */
const callTool = async ({ app, deps, request, admitted, parts }: Caller, tool: AgentTool, given: JsonObject): Promise<Called> => {
  try {
    const sent = requestOf(tool, given);
    const handed = { ...admitted, requestId: request.id, rootUrl: rootUrlOf(deps, request) };
    const headers = { ...sent.headers, "User-Agent": request.headers["user-agent"] ?? "mcp" };
    const answered = await handOver(handed, async () => app.inject({ ...sent, headers, remoteAddress: parts.addressOf(request) }));
    return { result: resultOf(answered, sent), status: answered.statusCode };
  } catch (error) {
    const isClosing = (error as { code?: string }).code === "FST_ERR_REOPENED_CLOSE_SERVER";
    const refusal = isClosing ? fail("service_unavailable", {}, { "Retry-After": "2" }) : toRefusal(error);
    if (refusal.status >= 500) request.log.error({ err: error }, "a tool call failed");
    return { result: resultOfRefusal(refusal), status: refusal.status };
  }
};

/** Reads one JSON-RPC message from a request's body. */
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "#lib/errors.ts";
import { type BodyObject, isPlainJson, parseBody } from "../api/body.ts";
import { sendJson } from "../reply.ts";

/** The limit of a message without the tool's arguments: parts of it are repeated to the agent, and the library checks every member. */
const ENVELOPE_LENGTH_MAX = 16 * 1024;

/** A short message over the quota is still read, because the agent gets the error as the result of its call. A long one is rejected unread. */
export const isShort = ({ headers }: FastifyRequest): boolean =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= ENVELOPE_LENGTH_MAX;

export class RpcError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type ParsedMcpMessage = { message: BodyObject; given: BodyObject };

/** A batch is rejected: it would count as one request. */
export const readMessage = (request: FastifyRequest): ParsedMcpMessage | RpcError => {
  const type = request.headers["content-type"];
  if (!isPlainJson(type)) return new RpcError(415, -32_000, "The body must be sent as application/json.");
  try {
    const read = withoutArguments(parseBody(request.body as Buffer | undefined, request.headers));
    if (JSON.stringify(read.message).length <= ENVELOPE_LENGTH_MAX) return read;
    return new RpcError(400, ProtocolErrorCode.InvalidRequest, "The message is too large: only the arguments of a tool may be long.");
  } catch (error) {
    const [sentence] = error instanceof ApiError ? ((error.details.body as string[] | undefined) ?? []) : [];
    return new RpcError(400, ProtocolErrorCode.ParseError, sentence ?? "The body cannot be read.");
  }
};

const isObject = (value: unknown): value is BodyObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** The operation validates the arguments; the MCP library does not see them. */
const withoutArguments = (message: BodyObject): ParsedMcpMessage => {
  const { method, params } = message;
  if (method !== "tools/call" || !isObject(params) || !isObject(params.arguments)) return { message, given: {} };
  return { message: { ...message, params: { ...params, arguments: {} } }, given: params.arguments };
};

export const sendRpcError = (reply: FastifyReply, { status, code, message }: RpcError): FastifyReply =>
  sendJson(reply, status, JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));

/** Agents for tests: the official client over a real socket, in either generation of the protocol. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { App } from "../../src/compose/api.ts";
import type { TestAnswer } from "./test-app.ts";

export type ProtocolVersion = "auto" | "legacy";

/** What tests read of a result; the client has checked it against the tool's own schema. */
export type AgentAnswer = {
  isError: boolean;
  structured: TestAnswer["body"];
  refusal: TestAnswer["body"];
  text: string;
  meta: Record<string, unknown>;
};

export type Agent = {
  client: Client;
  tools(): Promise<string[]>;
  call(name: string, given?: Record<string, unknown>): Promise<AgentAnswer>;
  close(): Promise<void>;
};

export type AgentOptions = { era?: ProtocolVersion; search?: string; headers?: Record<string, string>; fetch?: typeof fetch };

export const listen = async (app: App): Promise<string> => app.http.listen({ port: 0, host: "127.0.0.1" });

export const connectAgent = async (address: string, token: string, options: AgentOptions = {}): Promise<Agent> => {
  const { era = "auto", search = "", headers = {}, fetch: send } = options;
  const client = new Client({ name: "test-agent", version: "1" }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp${search}`), {
    requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
    ...(send ? { fetch: send } : {}),
  });
  await client.connect(transport);
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const { isError = false, structuredContent, content, _meta } = await client.callTool({ name, arguments: given });
      const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
      return { isError, structured: structuredContent, refusal: refusalOf({ isError, content }), text, meta: _meta ?? {} };
    },
    close: () => client.close(),
  };
};

export type McpAnswer = { status: number; headers: Record<string, unknown>; body: TestAnswer["body"] };

export type McpRequestOptions = { search?: string; headers?: Record<string, string>; raw?: string; remoteAddress?: string };

/** One message without a client around it, as the protocol of 2025 writes it. */
export const sendMessage = async (app: App, token: string | null, message: object, options: McpRequestOptions = {}): Promise<McpAnswer> => {
  const { search = "", headers = {}, raw, remoteAddress } = options;
  const response = await app.http.inject({
    method: "POST",
    url: `/mcp${search}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    payload: raw ?? JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  const [, streamed] = /^data: (.*)$/m.exec(response.payload) ?? [];
  const text = streamed ?? response.payload;
  return { status: response.statusCode, headers: response.headers, body: text === "" ? null : (JSON.parse(text) as unknown) };
};

export const callMessage = (name: string, given: object = {}) => ({ method: "tools/call", params: { name, arguments: given } });

export const LIST = { method: "tools/list" };

/** The error that a refused call carries as its first text; undefined when the call was not refused. */
export const refusalOf = (result: TestAnswer["body"]): TestAnswer["body"] =>
  result?.isError ? JSON.parse(result.content[0].text).error : undefined;

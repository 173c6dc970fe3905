/** A proxy between a guide's blocks and the service: records every call and checks request and answer against the contract. */
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiOperationId, apiOperations } from "@comanda/contract/operations.ts";
import { REASONS_HEADER, REASONS_WANTED } from "@comanda/contract/reasons.ts";
import { answerProblems, type CheckedAnswer, type JsonValue, operationAt } from "../../conformance/answer-check.ts";
import { strictCheck } from "../../conformance/strict-schema.ts";

/** The part of a page that makes the call; the test's curl sends it. */
export const PART_HEADER = "x-guide-part";

export type CheckedCall = { part: string; method: string; path: string; status: number; problems: string[] };
export type CheckingProxy = { rootUrl: string; calls: CheckedCall[]; close(): Promise<void> };

const API = "/api/v1";

export const startCheckingProxy = async (servicePort: number): Promise<CheckingProxy> => {
  const calls: CheckedCall[] = [];
  const server = createServer((request, response) => void pass(request, response, servicePort).then((call) => calls.push(call)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    rootUrl: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const pass = async (request: IncomingMessage, response: ServerResponse, port: number): Promise<CheckedCall> => {
  const { [PART_HEADER]: part = "", ...headers } = request.headers;
  const { method = "GET", url = "/" } = request;
  const body = await bytesOf(request);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    requestHttp({ host: "127.0.0.1", port, method, path: url, headers }, resolve).on("error", reject).end(body);
  });
  const bytes = await bytesOf(answer);
  const call = {
    method,
    path: url,
    token: /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1] ?? null,
    asksForReasons: headers[REASONS_HEADER.toLowerCase()] === REASONS_WANTED,
    body: body.toString(),
    status: answer.statusCode ?? 0,
    headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text: bytes.toString(),
  };
  const checked = { part: String(part), method, path: url, status: call.status, problems: url.startsWith(API) ? problemsOf(call) : [] };
  response.writeHead(call.status, answer.rawHeaders).end(bytes);
  return checked;
};

type ProxiedCall = {
  method: string;
  path: string;
  token: string | null;
  asksForReasons: boolean;
  body: string;
  status: number;
  headers: Headers;
  text: string;
};

/** The service ignores unknown names, so that clients may be newer; in a guide an unknown name is a fault. */
const problemsOf = ({ method, path: url, token, asksForReasons, body, status, headers, text }: ProxiedCall): string[] => {
  const path = url.slice(API.length);
  const answer: CheckedAnswer = { status, headers, text, body: text === "" ? null : (JSON.parse(text) as JsonValue) };
  const problems = answerProblems({ token, method, path, asksForReasons }, answer);
  const id = operationAt({ method, path });
  if (!id || status >= 400) return problems;
  const operation: (typeof apiOperations)[typeof id] & { query?: { properties: object }; body?: object } = apiOperations[id];
  for (const name of new URL(url, "http://service").searchParams.keys())
    if (!Object.hasOwn(operation.query?.properties ?? {}, name)) problems.push(`${id} has no parameter ${name}`);
  if (operation.body) problems.push(...bodyCheck(id, operation.body)(JSON.parse(body)));
  else if (body !== "") problems.push(`${id} takes no body`);
  return problems;
};

const bodyChecks = new Map<ApiOperationId, ReturnType<typeof strictCheck>>();

const bodyCheck = (id: ApiOperationId, schema: object): ReturnType<typeof strictCheck> => {
  const known = bodyChecks.get(id) ?? strictCheck(withoutFormats(schema));
  bodyChecks.set(id, known);
  return known;
};

/** The service has checked the formats; this check is about names only. */
const withoutFormats = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === "format" ? undefined : value))) as object;

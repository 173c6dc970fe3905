/** Calls that fetch cannot make: a header sent twice, a body of a size or framing of our choosing. Checked like any other. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { CheckedAnswer } from "./answer-check.ts";
import { addressOf, checked } from "./client.ts";

export type RawCall = {
  /** A list sends the header once for each of its values. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** Without a Content-Length, in chunks of this many bytes. */
  readonly chunkBytes?: number;
};

export const callRaw = async (token: string, method: string, path: string, options: RawCall): Promise<CheckedAnswer> => {
  const received = await send(addressOf(path), method, {
    ...options,
    headers: { ...options.headers, authorization: `Bearer ${token}` },
  });
  return checked({ token, method, path }, received);
};

const send = (url: string, method: string, { headers, body, chunkBytes }: RawCall): Promise<Omit<CheckedAnswer, "body">> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const request = (url.startsWith("https:") ? requestHttps : requestHttp)(url, { method, agent: false });
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    if (chunkBytes === undefined) request.setHeader("content-length", bytes.length);
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      const answer = () => ({
        status: response.statusCode ?? 0,
        headers: new Headers(response.headersDistinct ? distinct(response.headersDistinct) : []),
        text: Buffer.concat(parts).toString(),
      });
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("close", () => resolve(answer()));
    });
    // A server may refuse a large body and close the connection before all of it is sent: then the answer counts, not the close.
    request.on("error", reject);
    for (const chunk of chunksOf(bytes, chunkBytes ?? bytes.length)) request.write(chunk);
    request.end();
  });

const distinct = (headers: NodeJS.Dict<string[]>): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) => (values ?? []).map((value): [string, string] => [name, value]));

const chunksOf = (bytes: Buffer, size: number): Buffer[] =>
  bytes.length === 0
    ? []
    : Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

/** Passes requests on to the service, counts them, and lets a test change what goes either way. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type PassedRequest = { method: string; url: URL; atMs: number };

export type MeddlingProxy = {
  rootUrl: string;
  requests: PassedRequest[];
  /** Runs before a request is passed on. Its result is the answer; undefined passes it on, `url` may be changed. Null never answers. */
  meddle(before: (request: PassedRequest) => Response | undefined | null, after?: (headers: Headers) => void): void;
  close(): Promise<void>;
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat((await request.toArray()) as Buffer[]);

export const startMeddlingProxy = async (serviceUrl: string): Promise<MeddlingProxy> => {
  const requests: PassedRequest[] = [];
  let before: Parameters<MeddlingProxy["meddle"]>[0] = () => undefined;
  let after: (headers: Headers) => void = () => undefined;
  const pass = async (request: IncomingMessage): Promise<Response | null> => {
    const { method = "", headers } = request;
    const passed = { method, url: new URL(request.url ?? "/", serviceUrl), atMs: performance.now() };
    requests.push(passed);
    const answer = before(passed);
    if (answer !== undefined) return answer;
    const body = await bodyOf(request);
    const kept = Object.entries(headers).filter((entry): entry is [string, string] =>
      /^(authorization|content-type|idempotency-key)$/.test(entry[0]),
    );
    return fetch(passed.url, { method, headers: Object.fromEntries(kept), ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) });
  };
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await pass(request);
      if (answer === null) return;
      const headers = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"]) headers.delete(name);
      after(headers);
      response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    rootUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    meddle(next, change = () => undefined) {
      [before, after] = [next, change];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

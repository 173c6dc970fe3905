/** What the deliveries are held against: the same bytes to the same receivers with the same HTTP client, and nothing else. */
import { Agent, request } from "node:https";
import type { LookupFunction } from "node:net";

export type BaselineEndpoint = { url: string; bodies: readonly string[] };
export type BaselineOptions = { ca: string; endpointsMax: number; requestsPerEndpoint: number };

const lookup: LookupFunction = (_host, { all }, callback) => {
  if (all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};

const HEADERS = {
  "Content-Type": "application/json",
  "User-Agent": "Service-Webhooks/1",
  "Service-Event": "order.created",
  "Service-Delivery": "01a1db39-58b8-75e1-8860-a981f2727a6a",
  "Service-Signature": `t=1794657600,v1=${"0".repeat(64)}`,
};

/** Posts all of it, with as many endpoints and requests in flight as the worker would have; gives back milliseconds. */
export const postBaseline = async (
  endpoints: readonly BaselineEndpoint[],
  { ca, endpointsMax, requestsPerEndpoint }: BaselineOptions,
): Promise<number> => {
  const agent = new Agent({ ca, lookup, keepAlive: true, maxFreeSockets: 256, ALPNProtocols: ["http/1.1"] });
  const post = (url: string, body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const call = request(url, { agent, method: "POST", headers: { ...HEADERS, "Content-Length": Buffer.byteLength(body) } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`The receiver answered ${answer.statusCode}`));
        answer.resume().once("end", resolve).once("error", reject);
      });
      call.once("error", reject);
      call.end(body);
    });
  const queue = endpoints[Symbol.iterator]();
  const serve = async (): Promise<void> => {
    for (const { url, bodies } of queue) {
      const rest = bodies[Symbol.iterator]();
      const postNext = async (): Promise<void> => {
        for (const body of rest) await post(url, body);
      };
      await Promise.all(Array.from({ length: Math.min(requestsPerEndpoint, bodies.length) }, postNext));
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: endpointsMax }, serve));
  const ms = performance.now() - startedAt;
  agent.destroy();
  return ms;
};

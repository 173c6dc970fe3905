/** A running service with one venue, and a fetch whose answers a test may lose, delay or replace. */
import type { AddressInfo } from "node:net";
import { startApp, type TestApp, type TestVenue } from "../../server/test/app.ts";

export type Shop = { app: TestApp; venue: TestVenue; rootUrl: string; close(): Promise<void> };

export const openShop = async (environment: Record<string, string> = {}): Promise<Shop> => {
  const app = await startApp({ environment });
  const venue = await app.venue("lab");
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.app.http.server.address() as AddressInfo;
  return { app, venue, rootUrl: `http://127.0.0.1:${port}`, close: () => app.close() };
};

export type Seen = { method: string; url: string; headers: Headers };

/** `meddle` is asked before each call: what it gives back is the answer; nothing lets the call through. */
export const meddling = (
  meddle: (call: Seen, index: number) => Response | Promise<Response | undefined> | undefined,
): { fetch: typeof fetch; calls: Seen[] } => {
  const calls: Seen[] = [];
  return {
    calls,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const call = { method: request.method, url: request.url, headers: request.headers };
      calls.push(call);
      return (await meddle(call, calls.length - 1)) ?? fetch(input, init);
    },
  };
};

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: code, details: {} } }, { status, headers });

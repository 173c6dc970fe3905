/** A running service with one venue, and a fetch whose answers a test may lose, delay or replace. */
import type { AddressInfo } from "node:net";
import { startApp, type TestApp, type TestVenue } from "../../server/test/support/test-app.ts";

export type RunningService = { app: TestApp; venue: TestVenue; rootUrl: string; close(): Promise<void> };

export const startService = async (environment: Record<string, string> = {}): Promise<RunningService> => {
  const app = await startApp({ environment });
  const venue = await app.venue("lab");
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.app.http.server.address() as AddressInfo;
  return { app, venue, rootUrl: `http://127.0.0.1:${port}`, close: () => app.close() };
};

export type InterceptedCall = { method: string; url: string; headers: Headers };

/** `meddle` runs before each call: its result is the response; undefined forwards the call. */
export const interceptFetch = (
  meddle: (call: InterceptedCall, index: number) => Response | Promise<Response | undefined> | undefined,
): { fetch: typeof fetch; calls: InterceptedCall[] } => {
  const calls: InterceptedCall[] = [];
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

export const errorResponse = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: code, details: {} } }, { status, headers });

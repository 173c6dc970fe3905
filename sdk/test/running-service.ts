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

/** Another restaurant of the same menu, for a test that counts what happens in it. */
export const newLab = ({ app }: RunningService, slug: string): Promise<TestVenue> =>
  app.venue("lab", (file) => {
    file.restaurant.slug = slug;
  });

/** What it returns places an order and returns its id. */
export const orderPlacer = async ({ app }: RunningService, { token }: TestVenue): Promise<(name?: string) => Promise<string>> => {
  const { data } = (await app.call(token, "GET", "/items?available=true&per_page=100")).body;
  const dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  return async (name = "Ada") => {
    const body = { type: "pickup", customer_name: name, customer_phone: "+44 1", lines: [{ item_id: dishId, quantity: 1 }] };
    return (await app.call(token, "POST", "/orders", { body })).body.data.id;
  };
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

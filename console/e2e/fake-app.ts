/** A marketplace app on its own port: its redirect address, and a page that frames a given URL. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type FakeApp = { host: string; back: string; frame(address: string): string; close(): Promise<void> };

export const startFakeApp = async (): Promise<FakeApp> => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://app");
    const framed = searchParams.get("address") ?? "";
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      pathname === "/frame"
        ? `<!doctype html><title>Win a phone</title><h1>Win a phone</h1><iframe width="900" height="700" src="${framed}"></iframe>`
        : "<!doctype html><title>App</title><h1>Back at the app</h1>",
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    back: `http://${host}/back`,
    frame: (address) => `http://${host}/frame?address=${encodeURIComponent(address)}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** Receivers in a process of their own: one port, any host name, a short answer to every message. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

const server = createServer({ cert: process.env.CERT, key: process.env.KEY }, (request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200).end("ok"));
});
server.on("tlsClientError", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit(0));

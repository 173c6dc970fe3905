/**
 * Receivers in a process of their own, distinguished by path: `/hang…` never answers, `/slow…` takes its time, all others answer at once.
 * Asked by message, it says what has come since the last time and how many were in flight at most.
 */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

export type Arrival = { path: string; at: number; eventId: string; orderId: string | null };
export type ReceiversReport = { arrivals: Arrival[]; inFlightMax: Record<string, number>; inFlight: Record<string, number> };

const SLOW_MS = 50;
const ORDER_ID = /"order":\{"id":"([^"]+)"/;

let arrivals: Arrival[] = [];
let inFlightMax: Record<string, number> = {};
const inFlight: Record<string, number> = {};

const server = createServer({ cert: process.env.CERT, key: process.env.KEY }, (request, response) => {
  const path = request.url ?? "";
  const count = (inFlight[path] ?? 0) + 1;
  inFlight[path] = count;
  inFlightMax[path] = Math.max(inFlightMax[path] ?? 0, count);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) inFlight[path] = (inFlight[path] ?? 0) - 1;
    isOpen = false;
  };
  // Counted down before the answer leaves: the sender may use its hand again as soon as it has it.
  const answer = (): void => {
    close();
    response.writeHead(200).end("ok");
  };
  response.once("close", close);
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const orderId = ORDER_ID.exec(Buffer.concat(chunks).toString())?.[1] ?? null;
    arrivals.push({ path, at: Date.now(), eventId: String(request.headers["service-delivery"]), orderId });
    if (path.startsWith("/hang")) return;
    if (path.startsWith("/slow")) setTimeout(answer, SLOW_MS);
    else answer();
  });
});
server.on("tlsClientError", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => {
  process.send?.({ arrivals, inFlightMax, inFlight });
  arrivals = [];
  inFlightMax = { ...inFlight };
});
process.once("disconnect", () => process.exit(0));

/** Listeners that must never be reached: what an attacker would look for on the machine that the service runs on. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export type Canaries = {
  ports: number[];
  /** Connections since the last call. */
  hits(): number;
  close(): void;
};

/** What each would say; they are here to be found open, not to be talked to. */
const KINDS: { port: number; greet: (socket: Socket) => void }[] = [
  { port: 0, greet: (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n") },
  { port: 5432, greet: (socket) => void socket.once("data", () => socket.end("S")) },
  { port: 6379, greet: (socket) => void socket.once("data", () => socket.end("-ERR unknown command\r\n")) },
];

/** On all addresses of this machine, of IPv4 and of IPv6; a real PostgreSQL or Redis keeps its port. */
export const openCanaries = async (): Promise<Canaries> => {
  let hits = 0;
  const servers = await Promise.all(
    KINDS.map(async ({ port, greet }) => {
      const server = createServer((socket) => {
        hits++;
        socket.on("error", () => undefined);
        greet(socket);
      });
      await listenAt(server, "::", port)
        .catch(() => listenAt(server, "::", 0))
        .catch(() => listenAt(server, "0.0.0.0", 0));
      return server;
    }),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    hits: () => {
      const seen = hits;
      hits = 0;
      return seen;
    },
    close: () => {
      for (const server of servers) server.close();
    },
  };
};

const listenAt = async (server: Server, host: string, port: number): Promise<void> => {
  server.listen({ host, port, ipv6Only: false });
  await once(server, "listening");
};

/** An address in front of the server where the change stream of screens can fall silent, while every other request is answered. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const STREAM_PATH = "/console/api/screen/live";

export type SilentStreamProxy = {
  url: string;
  /** Streams stay open and send nothing from now on, the open ones and new ones. */
  silence(): void;
  /** Ends the silent streams. The next ones speak. */
  restore(): void;
  close(): void;
};

export const startSilentStreamProxy = async (target: string): Promise<SilentStreamProxy> => {
  const streams = new Set<{ answer: ServerResponse; from: IncomingMessage | null }>();
  let isSilent = false;
  const forward = (asked: IncomingMessage, answer: ServerResponse, onAnswer: (from: IncomingMessage) => void): void => {
    const sent = request(`${target}${asked.url}`, { method: asked.method, headers: asked.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
      onAnswer(from);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
  };
  const server = createServer((asked, answer) => {
    if (asked.url?.split("?")[0] !== STREAM_PATH) return forward(asked, answer, () => undefined);
    const stream: { answer: ServerResponse; from: IncomingMessage | null } = { answer, from: null };
    streams.add(stream);
    answer.on("close", () => streams.delete(stream));
    if (isSilent) return;
    forward(asked, answer, (from) => (stream.from = from));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence() {
      isSilent = true;
      for (const { answer, from } of streams) from?.unpipe(answer);
    },
    restore() {
      isSilent = false;
      for (const { answer } of streams) answer.destroy();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};

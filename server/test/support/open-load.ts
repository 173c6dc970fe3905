/** Clients that ask whether or not they were answered, as a crowd does, over sockets kept open; and some that wait their turn. */
import { connect, type Socket } from "node:net";

export type LoadRequest = { text: string; method: string; path: string };
export type LoadAnswer = { asked: LoadRequest; head: string; body: string; status: number; ms: number; at: number };

const HEAD_END = "\r\n\r\n";

type LoadConnection = { ask(asked: LoadRequest): Promise<LoadAnswer>; isOpen(): boolean; close(): void };

/** One socket, one request at a time. Rejects when the connection is lost. */
const openConnection = (port: number): Promise<LoadConnection> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let waiting: Buffer = Buffer.alloc(0);
    let pending: { asked: LoadRequest; at: number; resolve(told: LoadAnswer): void; reject(error: Error): void } | null = null;
    const lost = (error: Error): void => {
      reject(error);
      pending?.reject(error);
    };
    socket.once("error", lost);
    socket.once("close", () => lost(new Error("The server closed the connection")));
    socket.once("connect", () =>
      resolve({
        ask: (asked) =>
          new Promise((resolveAsk, rejectAsk) => {
            if (!socket.writable) return rejectAsk(new Error("The connection is closed"));
            pending = { asked, at: performance.now(), resolve: resolveAsk, reject: rejectAsk };
            socket.write(asked.text);
          }),
        isOpen: () => socket.writable,
        close: () => socket.destroy(),
      }),
    );
    socket.on("data", (chunk: Buffer) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const headEnd = waiting.indexOf(HEAD_END);
      if (headEnd === -1 || !pending) return;
      const head = waiting.toString("latin1", 0, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      const end = headEnd + HEAD_END.length + length;
      if (waiting.length < end) return;
      const { asked, at, resolve: answer } = pending;
      const body = waiting.toString("utf8", headEnd + HEAD_END.length, end);
      [waiting, pending] = [Buffer.alloc(0), null];
      answer({ asked, head, body, status: Number(head.slice(9, 12)), ms: performance.now() - at, at });
    });
  });

export type OpenLoad = {
  /** Connections that are open before they are needed, as those of a proxy are. */
  connect(count: number): Promise<void>;
  /** So many clients, each asking again as soon as it is answered. */
  inTurn(clients: number, ms: number): Promise<LoadAnswer[]>;
  /**
   * So many requests a second, however long the answers take, over the connections there are: who finds none free is crowded out.
   * At the end `patienceMs` are waited for the rest; what was asked and never answered is dropped.
   */
  atPace(perSecond: number, ms: number, patienceMs: number): Promise<{ told: LoadAnswer[]; crowdedOut: number; dropped: number }>;
  close(): void;
};

export const startOpenLoad = (port: number, next: () => LoadRequest): OpenLoad => {
  const idle: LoadConnection[] = [];
  const all = new Set<LoadConnection>();
  const open = async (): Promise<LoadConnection> => {
    const line = await openConnection(port);
    all.add(line);
    return line;
  };
  const ask = async (): Promise<LoadAnswer> => {
    let line = idle.pop();
    while (line && !line.isOpen()) line = idle.pop();
    line ??= await open();
    const told = await line.ask(next());
    idle.push(line);
    return told;
  };
  return {
    async connect(count) {
      // Each asks once: a connection on which nothing was ever asked is soon closed.
      const connectOne = async (): Promise<void> => {
        const line = await open();
        await line.ask(next());
        idle.push(line);
      };
      while (idle.length < count) await Promise.all(Array.from({ length: 16 }, connectOne));
    },
    async inTurn(clients, ms) {
      const [told, until] = [[] as LoadAnswer[], performance.now() + ms];
      const client = async (): Promise<void> => {
        while (performance.now() < until) told.push(await ask());
      };
      await Promise.all(Array.from({ length: clients }, client));
      return told;
    },
    async atPace(perSecond, ms, patienceMs) {
      const [told, begin] = [[] as LoadAnswer[], performance.now()];
      let [asked, lost, crowdedOut] = [0, 0, 0];
      while (performance.now() - begin < ms) {
        for (const due = ((performance.now() - begin) * perSecond) / 1000; asked < due; asked++)
          if (idle.length === 0) crowdedOut++;
          else
            void ask().then(
              (one) => told.push(one),
              () => lost++,
            );
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      for (const patient = performance.now() + patienceMs; performance.now() < patient && told.length + lost + crowdedOut < asked; )
        await new Promise((resolve) => setTimeout(resolve, 20));
      return { told: [...told], crowdedOut, dropped: asked - told.length - crowdedOut };
    },
    close() {
      for (const line of all) line.close();
    },
  };
};

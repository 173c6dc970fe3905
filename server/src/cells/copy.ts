/** Rows from one database straight into another, by COPY: neither side holds more of them than a few network buffers. */
import type pg from "pg";

const CHUNK_BYTES = 64 * 1024;

type Socket = { pause(): void; resume(): void; writableNeedDrain: boolean; once(event: "drain", listener: () => void): void };

/** The part of the driver's connection that COPY needs. */
type Wire = {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

type Handlers = { onData?: (chunk: Buffer, wire: Wire) => void; onReady?: (wire: Wire) => void };

/** One COPY as the driver's queue takes it; resolved with the number of rows when the server is done. */
const runCopy = (client: pg.ClientBase, text: string, { onData, onReady }: Handlers): Promise<number> =>
  new Promise((resolve, reject) => {
    let rows = 0;
    let failure: Error | null = null;
    client.query({
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => onReady?.(wire),
      handleCopyData: ({ chunk }: { chunk: Buffer }, wire: Wire) => onData?.(chunk, wire),
      handleCommandComplete: ({ text: tag }: { text: string }) => {
        rows = Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0);
      },
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => (failure === null ? resolve(rows) : undefined),
    } as unknown as pg.Submittable);
  });

/** `select` reads on one side what `into`, a table with its columns, takes on the other. */
export const copyRows = async (from: pg.ClientBase, select: string, to: pg.ClientBase, into: string): Promise<number> => {
  let open: (wire: Wire) => void = () => undefined;
  const opened = new Promise<Wire>((resolve) => {
    open = resolve;
  });
  const taken = runCopy(to, `copy ${into} from stdin`, { onReady: open });
  taken.catch(() => undefined);
  const target = await Promise.race([
    opened,
    taken.then((): never => {
      throw new Error("COPY ended before it began");
    }),
  ]);
  let parts: Buffer[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (bytes > 0) target.sendCopyFromChunk(Buffer.concat(parts, bytes));
    [parts, bytes] = [[], 0];
  };
  try {
    await runCopy(from, `copy (${select}) to stdout`, {
      onData: (chunk, source) => {
        // The driver will use these bytes again for the next message.
        parts.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes < CHUNK_BYTES) return;
        flush();
        if (!target.stream.writableNeedDrain) return;
        source.stream.pause();
        target.stream.once("drain", () => source.stream.resume());
      },
    });
  } catch (error) {
    target.sendCopyFail("the other side failed");
    await taken.catch(() => undefined);
    throw error;
  }
  flush();
  target.endCopyFrom();
  return taken;
};

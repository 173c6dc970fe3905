/**
 * A slow proxy to PostgreSQL or Redis that counts how often the client has to wait. Answers are held back until everything
 * that was asked has been answered, and a moment longer: what is sent by then was sent without waiting, and is the same trip.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** How many questions or answers end in these bytes; new for each connection, because bytes come in pieces. */
type Counter = (bytes: Buffer) => number;
export type WireProtocol = { questions(): Counter; answers(): Counter };

export type CountingProxy = { port: number; trips(): number; close(): Promise<void> };

/** Long enough for a client that needs a few turns of the event loop to send everything. */
const QUIET_MS = 10;

export const openCountingProxy = async (to: { host: string; port: number }, tongue: WireProtocol): Promise<CountingProxy> => {
  let trips = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    // A greeting goes back and forth more than once; for the count it is enough that it is never free.
    trips += 1;
    const far = connect(to);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true));
      socket.on("error", () => undefined).on("close", () => [near, far].map((end) => end.destroy()));
    }
    passOn(near, far, tongue, () => {
      trips += 1;
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    trips: () => trips,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
};

const passOn = (near: Socket, far: Socket, tongue: WireProtocol, onTrip: () => void): void => {
  const [questionsIn, answersIn] = [tongue.questions(), tongue.answers()];
  let open = 0;
  let isUnderWay = false;
  let held: Buffer[] = [];
  near.on("data", (bytes) => {
    const asked = questionsIn(bytes);
    if (asked > 0 && !isUnderWay) onTrip();
    isUnderWay ||= asked > 0;
    open += asked;
    far.write(bytes);
  });
  const deliver = (): void => {
    if (open > 0 || held.length === 0) return;
    near.write(Buffer.concat(held));
    held = [];
    isUnderWay = false;
  };
  far.on("data", (bytes) => {
    held.push(bytes);
    open -= answersIn(bytes);
    if (open === 0) setTimeout(deliver, QUIET_MS);
  });
};

/** Counts the whole messages in a stream: `lengthOf` says how long the first is, or null while that is not known. */
const messages = (lengthOf: (bytes: Buffer) => number | null, isMeant: (message: Buffer) => boolean): Counter => {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let count = 0;
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      if (isMeant(rest.subarray(0, length))) count += 1;
      rest = rest.subarray(length);
    }
    return count;
  };
};

const lettered = (bytes: Buffer): number | null => (bytes.length < 5 ? null : 1 + bytes.readInt32BE(1));
const letterOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** PostgreSQL is ready again once for each Query and each Sync, and once after the greeting, whose first message has no letter. */
export const POSTGRES: WireProtocol = {
  questions: () => {
    let isGreeted = false;
    const lengthOf = (bytes: Buffer): number | null => {
      if (isGreeted) return lettered(bytes);
      return bytes.length < 4 ? null : bytes.readInt32BE(0);
    };
    return messages(lengthOf, (message) => {
      const isQuestion = isGreeted && ["Q", "S"].includes(letterOf(message));
      isGreeted = true;
      return isQuestion;
    });
  },
  answers: () => {
    let isGreeted = false;
    return messages(lettered, (message) => {
      const isReady = letterOf(message) === "Z";
      const isAnswer = isReady && isGreeted;
      isGreeted ||= isReady;
      return isAnswer;
    });
  },
};

/** What follows a line of RESP: so many bytes, or so many values for each that it counts. */
const BYTES = ["$", "=", "!"];
const VALUES: Record<string, number> = { "*": 1, "~": 1, ">": 1, "%": 2 };

/** Commands and replies of Redis are written alike: a line, and what the line says will follow. */
const valueLength = (bytes: Buffer, from = 0): number | null => {
  const lineEnd = bytes.indexOf("\r\n", from);
  if (lineEnd === -1) return null;
  const kind = letterOf(bytes.subarray(from));
  const count = Number(bytes.toString("latin1", from + 1, lineEnd));
  let end = lineEnd + 2;
  if (BYTES.includes(kind) && count >= 0) return end - from + count + 2;
  for (let part = 0; part < count * (VALUES[kind] ?? 0); part++) {
    const length = valueLength(bytes, end);
    if (length === null) return null;
    end += length;
  }
  return end - from;
};

export const REDIS: WireProtocol = {
  questions: () => messages(valueLength, () => true),
  // What begins with this letter was not asked for.
  answers: () => messages(valueLength, (message) => letterOf(message) !== ">"),
};

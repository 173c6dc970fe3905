/** A name server on a real socket: A and AAAA over UDP, from whatever a test says. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/** Addresses; none of them if the name has none; null when the server is to stay silent. */
type AddressLookup = (name: string, family: 4 | 6) => string[] | null;

const HEADER_BYTES = 12;
const FAMILY_OF_TYPE: Record<number, 4 | 6> = { 1: 4, 28: 6 };
const NAME_UNKNOWN = 3;

export const startFakeDns = async (host: string, known: AddressLookup): Promise<{ close(): void }> => {
  const socket = createSocket("udp4");
  socket.on("message", (question, { address, port }) => {
    const answer = answerTo(question, known);
    if (answer) socket.send(answer, port, address);
  });
  socket.bind(53, host);
  await once(socket, "listening");
  return { close: () => socket.close() };
};

const answerTo = (question: Buffer, known: AddressLookup): Buffer | null => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = question.readUInt16BE(at + 1);
  const family = FAMILY_OF_TYPE[type];
  const addresses = family === undefined ? [] : known(labels.join("."), family);
  if (addresses === null) return null;
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NAME_UNKNOWN : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = ipaddr.parse(address).toByteArray();
    // The name of the question, class IN, and a TTL of 0 so that it is not cached.
    return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES, at + 5), ...records]);
};

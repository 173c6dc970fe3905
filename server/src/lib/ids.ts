import { randomBytes, randomInt } from "node:crypto";

const KEY_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** The key of a row that did not come from a venue file. It is too long to equal a key of a file. */
export const newKey = (kind: string): string => `${kind}-${randomName()}`;

const randomName = (): string => Array.from({ length: 12 }, () => KEY_CHARACTERS[randomInt(KEY_CHARACTERS.length)]).join("");

/** The code of a table for which none was chosen by hand. It cannot be guessed from the codes of other tables. */
export const newTableCode = (): string => randomName();

const RANDOM_BYTES = 4096;
let random = Buffer.alloc(0);
let spent = 0;

/** Random bytes are drawn for many ids at once, because each draw is a system call. */
const nextRandom = (count: number): Buffer => {
  if (spent + count > random.length) [random, spent] = [randomBytes(RANDOM_BYTES), 0];
  spent += count;
  return random.subarray(spent - count, spent);
};

let lastMs = 0;
let counter = 0;

/** UUID version 7 (RFC 9562 §5.7): ordered by time, so that new rows land at the end of an index. */
export const newUuid = (now: Date): string => {
  const bytes = nextRandom(16);
  const ms = now.getTime();
  // Within a millisecond a counter keeps the order in which ids were drawn (RFC 9562 §6.2, method 1).
  counter = ms === lastMs ? (counter + 1) & 0xfff : 0;
  lastMs = ms;
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Passwords as argon2id in the usual text form (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`), so that another tool can read them. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { fail } from "./errors.ts";
import { type Asker, createFairQueue } from "./fair-queue.ts";

const derive = promisify(argon2);

/** OWASP's smallest recommended setting: 19 MiB, two passes. About 30 ms of one core. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashing runs on Node's few threads, which name look-ups share: a rush of sign-ins must not take them all. */
const CONCURRENCY = 2;
/** About two seconds of work on a busy machine: who would wait longer is asked to come again. */
const WAITING_MAX = 50;
const WAIT_MS_MAX = 5000;
const RETRY_SECONDS = "2";

const queue = createFairQueue({
  concurrency: CONCURRENCY,
  waitingMax: WAITING_MAX,
  waitMsMax: WAIT_MS_MAX,
  refusal: () => fail("service_unavailable", {}, { "Retry-After": RETRY_SECONDS }),
});

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** `asker` decides whose turn it is. */
export const hashPassword = async (password: string, asker: Asker): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await queue.run(asker, () =>
    compute(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: 1, tagLength: HASH_BYTES }),
  );
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${plain(salt)}$${plain(hash)}`;
};

/** Compared against when nobody has that address, so that an unknown one takes as long as a wrong password. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${plain(Buffer.alloc(SALT_BYTES))}$${plain(Buffer.alloc(HASH_BYTES))}`;

/** What is stored is read when the turn has come: a flood that waits, or is refused, costs the database nothing. */
export const isPasswordOf = (readStored: () => Promise<string | null>, password: string, asker: Asker): Promise<boolean> =>
  queue.run(asker, async () => {
    const stored = await readStored();
    const [, memory, passes, parallelism, salt = "", hash = ""] = FORM.exec(stored ?? NOBODY) ?? [];
    const expected = Buffer.from(hash, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
    const found = await compute(password, Buffer.from(salt, "base64"), cost);
    return timingSafeEqual(found, expected) && stored !== null;
  });

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number };

/** Two ways to type the same letter are the same password. */
const compute = (password: string, nonce: Buffer, cost: Cost): Promise<Buffer> =>
  derive("argon2id", { message: Buffer.from(password.normalize("NFKC")), nonce, ...cost });

function plain(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

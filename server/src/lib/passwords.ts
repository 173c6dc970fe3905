/** Passwords as argon2id in the usual text form (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`), so that other tools can read it. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { apiError } from "./errors.ts";
import { type CallerIdentity, createFairQueue } from "./fair-queue.ts";

const derive = promisify(argon2);

/** OWASP's smallest recommended setting: 19 MiB, two passes. About 30 ms of one core. No setting changes it; tests about other things do. */
export const PASSWORD_COST = { memory: 19_456, passes: 2 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashing uses Node's thread pool, as DNS look-ups do. Sign-ins must not use all of its threads. */
const CONCURRENCY = 2;
/** About two seconds of work on a busy machine. Later calls get 503. */
const WAITING_MAX = 50;
const WAIT_MS_MAX = 5000;
const RETRY_SECONDS = "2";

const queue = createFairQueue({
  concurrency: CONCURRENCY,
  waitingMax: WAITING_MAX,
  waitMsMax: WAIT_MS_MAX,
  refusal: () => apiError("service_unavailable", {}, { "Retry-After": RETRY_SECONDS }),
});

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** `caller` chooses the queue. */
export const hashPassword = async (password: string, caller: CallerIdentity): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await queue.run(caller, () => compute(password, salt, { ...PASSWORD_COST, parallelism: 1, tagLength: HASH_BYTES }));
  return textOf(salt, hash);
};

const textOf = (salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${PASSWORD_COST.memory},t=${PASSWORD_COST.passes},p=1$${plain(salt)}$${plain(hash)}`;

/** Compared against for an unknown address, so that it takes as long as a wrong password. */
const dummyHash = (): string => textOf(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** The stored hash is read when the call starts, so that waiting or refused calls cost no query. */
export const isPasswordOf = (readStored: () => Promise<string | null>, password: string, caller: CallerIdentity): Promise<boolean> =>
  queue.run(caller, async () => {
    const stored = await readStored();
    const [, memory, passes, parallelism, salt = "", hash = ""] = FORM.exec(stored ?? dummyHash()) ?? [];
    const expected = Buffer.from(hash, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
    const found = await compute(password, Buffer.from(salt, "base64"), cost);
    return timingSafeEqual(found, expected) && stored !== null;
  });

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number };

/** Unicode normalization: two encodings of a letter are the same password. */
const compute = (password: string, nonce: Buffer, cost: Cost): Promise<Buffer> =>
  derive("argon2id", { message: Buffer.from(password.normalize("NFKC")), nonce, ...cost });

const plain = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/**
 * Answers that show a whole menu. Making one of a large menu takes the main thread as long as hundreds of other requests, so it is made
 * once for each numbered change of the venue. What the time decides is not kept. An answer of a usual size is made each time: that takes
 * one round trip less.
 *
 * An answer is
 * - unknown: made by the first request; others wait to learn whether it is large
 * - small: made by each request
 * - large and not made: known to be large, without bytes. The next request makes it
 * - being made: requests wait for it, and take it if it is as new as they are
 * - kept: sent until the venue changes, it is too old, or others need the memory. One that has become small is dropped
 */
import type { Ctx } from "#lib/context.ts";
import { type KeptJson, keptJson } from "#lib/kept-json.ts";
import { type ChangePosition, readChangePosition } from "./change-position.ts";
import { chargeSending } from "./watch-turns.ts";

/** An answer from this size on is kept. */
export const LARGE_BYTES = 128 * 1024;
const KEPT_BYTES_MAX = 96 * 1024 * 1024;
/** Answers that are known to be large, also those of which no bytes are kept now. */
const ANSWERS_MAX = 10_000;
/** Commands of an operator may change a venue without a number. */
const AGE_MS_MAX = 10 * 60 * 1000;

/** The venue's last change that an answer has, and when it was made. */
type MadeAt = ChangePosition & { atMs: number };
type Made<T extends object, B> = { data: KeptJson<T>; beside: B };
type LargeAnswer = { made: Made<object, unknown> | null; madeAt: MadeAt | null; making: Promise<unknown> | null };

/** The answers that were large when they were last made, the one that was used last at the end. */
const largeAnswers = new Map<string, LargeAnswer>();
let keptBytes = 0;
/** Answers that are being made for the first time, or were small before. */
const firstMakings = new Map<string, Promise<unknown>>();

/** What stands beside the bytes is about as large again. */
const bytesOf = ({ made }: LargeAnswer): number => (made ? made.data.keptJson.length * (made.beside === null ? 1 : 2) : 0);

const drop = (key: string): void => {
  const answer = largeAnswers.get(key);
  if (answer) keptBytes -= bytesOf(answer);
  largeAnswers.delete(key);
};

const keep = (key: string, answer: LargeAnswer): void => {
  drop(key);
  largeAnswers.set(key, answer);
  keptBytes += bytesOf(answer);
  for (const [oldest] of largeAnswers) {
    if ((keptBytes <= KEPT_BYTES_MAX && largeAnswers.size <= ANSWERS_MAX) || oldest === key) return;
    drop(oldest);
  }
};

const isFrom = (made: MadeAt | null, wanted: MadeAt): boolean =>
  made !== null && made.epoch === wanted.epoch && made.number >= wanted.number && wanted.atMs - made.atMs < AGE_MS_MAX;

const readMadeAt = async (ctx: Ctx): Promise<MadeAt> => ({
  ...(await readChangePosition(ctx)),
  atMs: performance.now(),
});

/**
 * `name` says which answer of the venue it is. `beside` is not sent with the bytes. The change is read before the rows, so what is kept is
 * never older than its number. A request waits for an answer that is being made, and takes it if it is as new as the request.
 */
export const keepAnswer = async <T extends object, B = null>(
  ctx: Ctx,
  name: string,
  make: () => Promise<{ data: T; beside: B }>,
): Promise<Made<T, B>> => {
  const key = `${ctx.tenant.id} ${name}`;
  const makeNow = async (): Promise<Made<T, B>> => {
    const { data, beside } = await make();
    return { data: keptJson(data), beside };
  };
  const first = firstMakings.get(key);
  if (!largeAnswers.has(key)) {
    if (!first) return makeFirst(key, makeNow);
    // A request for a large menu meanwhile gets the kept answer; one of a usual size is made by each.
    const isLarge = await first.then(() => largeAnswers.has(key)).catch(() => false);
    if (!isLarge) return makeNow();
  }
  const wanted = await readMadeAt(ctx);
  for (;;) {
    const known = largeAnswers.get(key);
    // It has become small meanwhile.
    if (!known) return makeNow();
    if (known.made && isFrom(known.madeAt, wanted)) {
      chargeSending(ctx.tenant.id, known.made.data.keptJson.length);
      keep(key, known);
      return known.made as Made<T, B>;
    }
    if (known.making === null) return makeAndKeep(key, wanted, makeNow);
    await known.making.catch(() => undefined);
  }
};

const makeFirst = async <M extends Made<object, unknown>>(key: string, makeNow: () => Promise<M>): Promise<M> => {
  const making = makeNow();
  firstMakings.set(key, making);
  try {
    const made = await making;
    if (made.data.keptJson.length >= LARGE_BYTES && !largeAnswers.has(key)) keep(key, { made: null, madeAt: null, making: null });
    return made;
  } finally {
    if (firstMakings.get(key) === making) firstMakings.delete(key);
  }
};

const makeAndKeep = async <T extends object, B>(key: string, madeAt: MadeAt, makeNow: () => Promise<Made<T, B>>): Promise<Made<T, B>> => {
  const making = makeNow();
  keep(key, { made: null, madeAt: null, making });
  try {
    const made = await making;
    if (made.data.keptJson.length >= LARGE_BYTES) keep(key, { made, madeAt, making: null });
    else drop(key);
    return made;
  } catch (error) {
    keep(key, { made: null, madeAt: null, making: null });
    throw error;
  }
};

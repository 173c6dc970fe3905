/** Chance that can be repeated: every random test prints SEED, and runs again the same way when it is given. */

export const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Whole numbers from 0 up to, not including, `limit` (mulberry32). */
export const random = (seed: number): ((limit: number) => number) => {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
};

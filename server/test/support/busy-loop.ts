/** Keeps the thread of venue files busy for so long. */
export const keepBusy = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

/** For the thread of venue files: keeps it busy for so long. */
export const keepBusy = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

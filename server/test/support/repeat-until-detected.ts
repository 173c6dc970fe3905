/**
 * A planted race is won or lost by chance, and by the machine's load. It gets run after run until the check finds it,
 * up to a bound; gives back the last run for the test to judge.
 */
export const repeatUntilDetected = async <T>(run: () => Promise<T>, isDetected: (result: T) => boolean, runsMax = 15): Promise<T> => {
  for (let runs = 1; ; runs++) {
    const result = await run();
    if (isDetected(result) || runs === runsMax) return result;
  }
};

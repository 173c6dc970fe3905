/** Only what keeps a write until its answer makes a key: one for each press would have a second effect when the first answer was lost. */
export const newKey = (): string => crypto.randomUUID();

const readCount = (sentence: string, pattern: RegExp): number | null => {
  const count = pattern.exec(sentence)?.[1];
  return count === undefined ? null : Number(count);
};

/** How many bookings keep a table or a branch, from the server's sentence. Null when the sentence is another one. */
export const readBookingsToCome = (sentence: string): number | null => readCount(sentence, / has (\d+) bookings? to come\.$/);

/** How many parties with tickets keep a branch, in the same way. */
export const readTicketsToCome = (sentence: string): number | null =>
  readCount(sentence, / has tickets of (\d+) (?:party|parties) to come\.$/);

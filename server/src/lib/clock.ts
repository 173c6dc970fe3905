/** The only source of "now" for code that decides something; tests hand in one they can move. */
export type Clock = {
  now(): Date;
  /** The moment of a change: the database's own clock in service, the moved clock in tests. */
  ofChange(databaseNow: Date): Date;
};

export const systemClock: Clock = { now: () => new Date(), ofChange: (databaseNow) => databaseNow };

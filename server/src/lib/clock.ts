/** The only source of "now" for code that decides something; tests hand in one they can move. */
export type Clock = {
  now(): Date;
  /** The moment of a change: the database's own clock in service, the moved clock in tests. */
  ofChange(databaseNow: Date): Date;
  /** What a statement should take for now; null: the database's own clock. */
  ofDatabase(): Date | null;
};

export const systemClock: Clock = { now: () => new Date(), ofChange: (databaseNow) => databaseNow, ofDatabase: () => null };

/** The source of "now" for code that decides by time. Tests pass a clock that they can advance. */
export type Clock = {
  now(): Date;
  /** The time of a change: the database's clock in production, the test's clock in tests. */
  ofChange(databaseNow: Date): Date;
  /** The time that a statement uses as now; null: the database's clock. */
  ofDatabase(): Date | null;
};

export const systemClock: Clock = { now: () => new Date(), ofChange: (databaseNow) => databaseNow, ofDatabase: () => null };

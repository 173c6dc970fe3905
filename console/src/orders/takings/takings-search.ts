/** The day of the takings, as a search parameter. Without one the server answers for today. */
export type TakingsSearch = { date?: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const readTakingsSearch = (search: Record<string, unknown>): TakingsSearch =>
  typeof search.date === "string" && DATE.test(search.date) ? { date: search.date } : {};

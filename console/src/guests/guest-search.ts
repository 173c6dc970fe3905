/** What is searched for, as a search parameter of the page. */
export type GuestPageSearch = { search?: string };

const LENGTH_MAX = 80;

export const readGuestSearch = (given: Record<string, unknown>): GuestPageSearch => {
  const { search } = given;
  const text = typeof search === "number" ? String(search) : search;
  return typeof text === "string" && text.trim() !== "" ? { search: text.slice(0, LENGTH_MAX) } : {};
};

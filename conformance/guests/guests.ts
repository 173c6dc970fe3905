/** Helpers to read guests, and to create new ones by orders and bookings. */
import type { Guest } from "@comanda/contract/venue/guests.ts";
import type { CheckedAnswer } from "../answer-check.ts";
import { call, type Query } from "../client.ts";
import { expectStatus, uniqueName } from "../expectations.ts";
import { placeOrder } from "../orders/orders.ts";
import type { Venue } from "../target.ts";

export type GuestPage = {
  data: Guest[];
  meta: { per_page: number; next_cursor: string | null; prev_cursor: string | null };
  links: { next: string | null; prev: string | null };
};

export const guestPageOf = (answer: CheckedAnswer): GuestPage => answer.body as unknown as GuestPage;

export const getGuest = (venue: Venue, id: number | string): Promise<CheckedAnswer> => call(venue.tokens.full, "GET", `/guests/${id}`);

export const readGuest = async (venue: Venue, id: number): Promise<Guest> => {
  const answer = await getGuest(venue, id);
  expectStatus(answer, 200);
  return (answer.body as unknown as { data: Guest }).data;
};

export const listGuests = async (venue: Venue, query: Query | string = ""): Promise<GuestPage> => {
  const answer = await call(venue.tokens.full, "GET", "/guests", { query });
  expectStatus(answer, 200);
  return guestPageOf(answer);
};

/** Every guest the filter selects, page after page. */
export const allGuests = async (venue: Venue, query: Query = {}): Promise<Guest[]> => {
  const rows: Guest[] = [];
  let cursor: string | null = null;
  do {
    const page: GuestPage = await listGuests(venue, { ...query, per_page: 100, ...(cursor ? { cursor } : {}) });
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return rows;
};

/** A phone number that no guest has. */
export const newPhone = (): string => `+39 3${String(Math.random()).slice(2, 13).padEnd(11, "0")}`;

/** The guests of this name; names are unique in a run. */
export const guestsNamed = async (venue: Venue, name: string): Promise<Guest[]> =>
  (await allGuests(venue)).filter((guest) => guest.name === name);

export type NewGuest = { readonly guest: Guest; readonly name: string; readonly phone: string };

/** A new guest, created by a first order. */
export const newGuest = async (venue: Venue): Promise<NewGuest> => {
  const [name, phone] = [uniqueName("Guest"), newPhone()];
  await placeOrder(venue, { customer_name: name, customer_phone: phone });
  const [guest] = await guestsNamed(venue, name);
  if (!guest) throw new Error(`${venue.slug} shows no guest after a first order.`);
  return { guest, name, phone };
};

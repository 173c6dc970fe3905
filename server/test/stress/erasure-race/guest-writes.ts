/** Writes everything about one guest at once: orders, bookings, moves, cancels, notes of staff. */
import { randomUUID } from "node:crypto";
import type { Agent } from "node:http";
import { ApiError } from "#lib/errors.ts";
import { changeGuest, setStaffNote } from "#venue/guests/service.ts";
import { sendCall } from "../../support/raw-http.ts";
import { forVenue, type TestApp, type TestVenue } from "../../support/test-app.ts";

/** In every text of the guest, and nowhere else in the world. */
export const MARK = "Zilpzalp";
/** Marks phone numbers, in whatever way they are written. */
export const PHONE_MARK = "5558877";

export type ErasureContext = { app: TestApp; venue: TestVenue; port: number; agent: Agent; itemId: number };

export type TestGuest = { name: string; phone: string; email: string; note: string; line1: string };

export const newTestGuest = (number: number): TestGuest => ({
  name: `${MARK} No ${number}`,
  phone: `+1${PHONE_MARK}${String(number).padStart(4, "0")}`,
  email: `${MARK.toLowerCase()}.${number}@example.test`,
  note: `${MARK} ${number} is allergic to bells`,
  line1: `${number} ${MARK} Street`,
});

export type GuestWriteLog = { answers: Map<string, number>; odd: string[]; orders: string[]; bookings: string[] };

export const newGuestWriteLog = (): GuestWriteLog => ({ answers: new Map(), odd: [], orders: [], bookings: [] });

const DAY_MS = 86_400_000;
const NEXT: Record<number, string> = { 0: "accepted", 1: "preparing", 2: "ready", 3: "completed", 4: "cancelled" };

/** What may be answered: done, refused by a rule of the trade, or in conflict with another change. */
const FINE = [200, 201, 404, 409, 422];

export const writesOf = (
  place: ErasureContext,
  persona: TestGuest,
  orderLog: GuestWriteLog,
  pick: (limit: number) => number,
): (() => Promise<void>)[] => {
  const { name, phone, email, note, line1 } = persona;
  const count = (what: string): void => void orderLog.answers.set(what, (orderLog.answers.get(what) ?? 0) + 1);
  const post = async (path: string, body: object): Promise<string | null> => {
    const call = { port: place.port, agent: place.agent, token: place.venue.token, method: "POST", path, body };
    const { status, text, body: answer } = await sendCall({ ...call, headers: { "idempotency-key": randomUUID() } });
    const kind = path
      .split("/")
      .filter((part) => !/\d/.test(part))
      .join("/")
      .slice(1);
    count(`${kind} ${status}`);
    if (!FINE.includes(status)) orderLog.odd.push(`${kind} ${status} ${text.slice(0, 200)}`);
    return status === 201 ? (answer as { data: { id: string } }).data.id : null;
  };
  const asStaff = async (what: string, work: (id: number) => Promise<unknown>): Promise<void> => {
    const [guest] = await liveGuests(place, persona);
    if (guest === undefined) return;
    await work(guest).then(
      () => count(what),
      (error: unknown) => {
        // Erased a moment ago, or another guest has that number by now.
        if (!(error instanceof ApiError) && (error as { constraint?: string }).constraint !== "guests_phone") throw error;
      },
    );
  };
  const anyOf = (ids: string[]): string | undefined => ids[pick(ids.length)];
  const order = async (): Promise<void> => {
    const customer = { customer_name: name, customer_phone: phone, customer_email: email, note };
    const delivery = { type: "delivery", delivery_address: { line1, city: "Labtown", phone } };
    const id = await post("/orders", { ...customer, ...delivery, lines: [{ item_id: place.itemId, quantity: 3 }] });
    if (id) orderLog.orders.push(id);
  };
  const book = async (): Promise<void> => {
    const date = new Date(Date.now() + (2 + pick(300)) * DAY_MS).toISOString().slice(0, 10);
    const id = await post("/reservations", { name, phone, email, note, party_size: 2, date, time: `${12 + pick(9)}:00` });
    if (id) orderLog.bookings.push(id);
  };
  const move = async (): Promise<void> => {
    const id = anyOf(orderLog.orders);
    if (id) await post(`/orders/${id}/status`, { status: NEXT[pick(5)] });
  };
  const cancel = async (): Promise<void> => {
    const id = anyOf(orderLog.bookings);
    if (id) await post(`/reservations/${id}/cancel`, {});
  };
  const change = (): Promise<void> =>
    asStaff("changed", (id) => forVenue(place.app.deps, place.venue.slug, (ctx) => changeGuest(ctx, id, { name: `${name} ${pick(99)}` })));
  const remember = (): Promise<void> =>
    asStaff("noted", (id) => forVenue(place.app.deps, place.venue.slug, (ctx) => setStaffNote(ctx, id, note)));
  return [order, order, order, book, book, move, move, cancel, change, remember];
};

/** Guests with this number or this address who are not yet erased. */
export const liveGuests = async ({ app, venue }: ErasureContext, { phone, email }: TestGuest): Promise<number[]> => {
  const rows = await app.database.asOwner<{ id: string }>(
    "select id from guests where restaurant_id = $1 and erased_at is null and (phone = $2 or email = $3) order by id",
    [venue.id, phone, email],
  );
  return rows.map(({ id }) => Number(id));
};

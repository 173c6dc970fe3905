/**
 * How often each operation waits for PostgreSQL and for Redis, once its token was seen before; a way that takes another number has
 * a row of its own. A read takes one: its token's look-up travels with it (decision 0026). A change takes four: token; begin
 * with the key; what must be known; what is written, with the commit. Redis counts the request.
 */
import { writesNothing } from "@comanda/contract/operation.ts";
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";

export type Trips = { postgres: number; redis: number };
export type TripsRow = OperationId | `${OperationId}, ${string}`;

const READ: Trips = { postgres: 1, redis: 1 };
/** First it asks up to which moment everything is committed; what is read after that must not be read before (decision 0014). */
const READ_OF_CHANGES: Trips = { postgres: 2, redis: 1 };
const CHANGE: Trips = { postgres: 4, redis: 1 };
/** One more for the job that sends the guest's message, or that releases the kitchen's tickets. */
const BOOKING: Trips = { postgres: 5, redis: 1 };
/** A cancellation also reads the language of a guest who is known only once the booking is. */
const CANCEL: Trips = { postgres: 6, redis: 1 };

/** An operation or a way that differs from a plain read or change. */
const EXCEPTIONS: Partial<Record<TripsRow, Trips>> = {
  "listOrders, updated_since": READ_OF_CHANGES,
  "createOrder, for later": BOOKING,
  "quoteOrder, for a table": READ,
  createReservation: BOOKING,
  cancelReservation: CANCEL,
  "listGuests, updated_since": READ_OF_CHANGES,
};

const PLAIN = Object.fromEntries(operationEntries.map(([id, operation]) => [id, writesNothing(operation) ? READ : CHANGE]));

export const EXPECTED_TRIPS = { ...PLAIN, ...EXCEPTIONS } as Record<OperationId, Trips> & Partial<Record<TripsRow, Trips>>;

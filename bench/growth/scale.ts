/** How much there is to be, and where everything lies: ids follow from ordinals, so no step has to look anything up. */

/** One venue in a hundred is heavy, and these hold three orders in ten. */
export const VENUES_PER_HEAVY = 100;
export const HEAVY_ORDERS_PERCENT = 30;

/** Two years and a day: a report of 366 days and the 366 before it. */
export const DAYS = 732;

/** Events, stored answers of retries and the request log are kept for so many days. */
export const EVENT_DAYS = 30;
export const KEY_DAYS = 1;
export const REQUEST_DAYS = 2;
export const AUDIT_DAYS = 400;

export const GUESTS_OF_TYPICAL = 30;
const GUESTS_OF_HEAVY_MAX = 2000;

/** Bookings on the day that the bench asks for, and how many orders there are for each booking of the past. */
export const BOOKED_IN_DAYS = 7;
export const BOOKINGS = { typical: 30, heavy: 120 };
export const ORDERS_PER_BOOKING = 20;

export const TABLES = 40;
export const ZONE = "Europe/Rome";
export const STEP = 1024;

export type Scale = {
  venues: number;
  orders: number;
  seed: number;
  until: string;
  /** Orders that are written in one commit. */
  chunk?: number;
};

export type GrowthSizes = {
  heavy: number;
  typical: number;
  guestsOfHeavy: number;
  /** Guests of all venues. */
  guests: number;
  /** Orders from this ordinal on are still under way. */
  openFrom: number;
};

export const sizesOf = ({ venues, orders }: Scale): GrowthSizes => {
  const heavy = venues / VENUES_PER_HEAVY;
  if (!Number.isInteger(heavy) || heavy < 1) throw new RangeError(`The number of venues is a multiple of ${VENUES_PER_HEAVY}`);
  const ordersOfHeavy = (orders * HEAVY_ORDERS_PERCENT) / 100 / heavy;
  const guestsOfHeavy = Math.min(GUESTS_OF_HEAVY_MAX, Math.max(GUESTS_OF_TYPICAL, Math.floor(ordersOfHeavy / 8)));
  return {
    heavy,
    typical: venues - heavy,
    guestsOfHeavy,
    guests: venues * GUESTS_OF_TYPICAL + heavy * (guestsOfHeavy - GUESTS_OF_TYPICAL),
    openFrom: orders - Math.ceil(orders / 2000),
  };
};

/** Heavy venues are every hundredth, from the first on. */
export const isHeavy = (venue: number): boolean => venue % VENUES_PER_HEAVY === 0;

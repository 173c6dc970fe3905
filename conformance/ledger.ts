/**
 * Every requirement of the kit, by id. A requirement applies from the release that adds its area; until then it is
 * "later". Where no answer shows the guarantee, the server's own tests cover it, and the reason is here.
 */
export type Requirement = {
  readonly id: string;
  readonly section: string;
  readonly applies: "now" | "later";
  /** Set where no request can show the guarantee: the kit needs no test for it. */
  readonly heldBy?: "server";
  readonly reason?: string;
  /** The part of a tested requirement that no answer shows, or that waits for another area. */
  readonly unseen?: string;
};

type Numbers = Readonly<Record<number, string>>;

type Section = {
  readonly section: string;
  readonly title: string;
  /** Ids run from 01 to this number without a gap. */
  readonly count: number;
  readonly applies: "now" | "later";
  /** Numbers of a current section that wait for a later area. */
  readonly later?: readonly number[];
  readonly heldByServer?: Numbers;
  readonly unseen?: Numbers;
};

/** Tests of the kit cover a part of these where the target has `events`. Without an address that leads to the kit it receives nothing. */
const SEEN_BY_RECEIVER = "an event is seen by its receiver; the kit is one where the target has `events`";

const withReason = (numbers: readonly number[], reason: string): Numbers => Object.fromEntries(numbers.map((number) => [number, reason]));

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const SECTIONS: readonly Section[] = [
  {
    section: "RX",
    title: "Every operation",
    count: 31,
    applies: "now",
    heldByServer: { 24: "a caller cannot make the server fail on demand" },
  },
  {
    section: "R1",
    title: "The service",
    count: 14,
    applies: "now",
    heldByServer: {
      6: "the audit log is read in the back office, not through the API",
      13: "a night takes longer than a run of this kit",
    },
  },
  { section: "R2.1", title: "Shared shapes", count: 6, applies: "now" },
  { section: "R2.2", title: "Menu and category", count: 4, applies: "now" },
  { section: "R2.4", title: "Dish", count: 7, applies: "now" },
  {
    section: "R2.5",
    title: "Order",
    count: 13,
    applies: "now",
    heldByServer: { 13: "the API places orders on three channels; those of tills, kiosks and marketplaces come from elsewhere" },
    unseen: { 12: "reading the orders of other channels, which the API cannot place" },
  },
  { section: "R2.6", title: "Reservation and availability", count: 3, applies: "now" },
  {
    section: "R2.8",
    title: "Guest",
    count: 5,
    applies: "now",
    heldByServer: { 3: "a guest is erased in the back office, not through the API" },
    unseen: { 5: "a booking that was seated counts as a visit, and the API seats no party" },
  },
  { section: "R2.9", title: "Sales summary, error, menu now", count: 5, applies: "now" },
  {
    section: "R3.1",
    title: "Order status",
    count: 36,
    applies: "now",
    unseen: { 1: "the kitchen's tickets", 32: "the kitchen's tickets" },
  },
  {
    section: "R3.2",
    title: "Reservation status",
    count: 5,
    applies: "now",
    heldByServer: { 5: "a message is seen by the guest it was sent to" },
    unseen: { 4: "bookings that were declined, seated or missed, which the API cannot make so" },
  },
  { section: "R4.0", title: "Lists and paging", count: 10, applies: "now" },
  {
    section: "R4.1",
    title: "Menu operations",
    count: 40,
    applies: "now",
    heldByServer: { 36: "the activity log is read in the back office, not through the API" },
    unseen: { 38: "the entry in the till's log", 40: "the number of entries in the till's log" },
  },
  {
    section: "R4.2",
    title: "Order operations",
    count: 39,
    applies: "now",
    heldByServer: { 33: "tickets and a connected till are seen in the kitchen, not through the API" },
    unseen: {
      26: "refusing a type, where every venue of the target offers all three",
      32: "the next opening, while every venue of the target is open",
    },
  },
  {
    section: "R4.3",
    title: "Reservation operations",
    count: 19,
    applies: "now",
    unseen: {
      12: "a lead time, and a closing day where the neighbour has none in the days to come",
      13: "a venue that allows overbooking",
      16: "a closing day where the neighbour has none in the days to come",
    },
  },
  { section: "R4.4", title: "Guest operations", count: 4, applies: "now" },
  {
    section: "R4.5",
    title: "Reports",
    count: 8,
    applies: "now",
    unseen: { 2: "orders of an earlier day, which the API cannot place" },
  },
  { section: "R4.6", title: "OAuth endpoints", count: 8, applies: "now" },
  {
    section: "R5.1",
    title: "Bearer tokens and scopes",
    count: 15,
    applies: "now",
    heldByServer: { 4: "revoking is an act of the owner, outside the API", 5: "tokens are made in the console, outside the API" },
    unseen: { 3: "the moment of creation" },
  },
  { section: "R5.2", title: "OAuth flow", count: 14, applies: "now", heldByServer: { 9: "an hour cannot be waited for" } },
  {
    section: "R6.1",
    title: "Webhook delivery",
    count: 11,
    applies: "now",
    heldByServer: withReason(numbersTo(11), SEEN_BY_RECEIVER),
    unseen: { 4: "the new time of each attempt" },
  },
  {
    section: "R6.2",
    title: "Webhook envelope and events",
    count: 15,
    applies: "now",
    heldByServer: {
      ...withReason([1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 15], SEEN_BY_RECEIVER),
      5: "payments are recorded outside the API",
      8: "refunds are made outside the API",
    },
  },
  {
    section: "R7.1",
    title: "Errors",
    count: 7,
    applies: "now",
    heldByServer: { 5: "renewing a plan and lifting a suspension happen outside the API" },
  },
  { section: "R7.2", title: "OAuth errors", count: 3, applies: "now" },
  {
    section: "R8",
    title: "Limits and idempotency",
    count: 13,
    applies: "now",
    unseen: {
      10: "a fault of the server",
      13: "the 24 hours",
    },
  },
  { section: "R9", title: "Versioning", count: 2, applies: "now" },
];

const requirementsOf = (section: Section): Requirement[] =>
  numbersTo(section.count).map((number) => {
    const id = `${section.section}-${String(number).padStart(2, "0")}`;
    const waits = section.applies === "later" || (section.later?.includes(number) ?? false);
    const reason = section.heldByServer?.[number];
    const unseen = section.unseen?.[number];
    return {
      id,
      section: section.section,
      applies: waits ? "later" : "now",
      ...(reason ? { heldBy: "server", reason } : {}),
      ...(unseen ? { unseen } : {}),
    };
  });

export const ledger: readonly Requirement[] = SECTIONS.flatMap(requirementsOf);

/** The sentences that refuse to take something away while guests have booked it or have tickets. The console reads their numbers. */
export const bookingsToCome = (subject: string, count: number): string =>
  `${subject} has ${count} ${count === 1 ? "booking" : "bookings"} to come.`;

const parties = (count: number): string => `${count} ${count === 1 ? "party" : "parties"}`;

/** The subject is an experience, or the experiences of a branch. */
export const ticketsToCome = (subject: string, count: number): string => `${subject} has tickets of ${parties(count)} to come.`;

/** The tickets are of cancelled sessions of an experience. */
export const ticketsToRefund = (subject: string, count: number): string =>
  `${subject} has tickets of ${parties(count)} that are not refunded. Refund them first.`;

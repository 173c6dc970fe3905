/** What people must be able to do in the browser. */

/** S staff, M manager. A job is held when its test did it as that person against the real server and saw the effect where it counts. */
export const JOBS = {
  "JO-01": "S sees and hears a new order within a second, without touching anything",
  "JO-02": "S accepts an order with one tap or one key; the kitchen begins",
  "JO-03": "S rejects an order with a reason, and can take it back for five seconds",
  "JO-04": "S marks an order ready and completes it",
  "JO-05": "S cancels an order with a reason; its tickets are void",
  "JO-06": "S sees who was faster when two people accept at once",
  "JO-07": "S finds an order by its number, name or last digits",
  "JO-08": "S sees what is late, by how much, the earliest promise first",
  "JO-09": "S takes an order by phone",
  "JO-10": "S takes an order for a table",
  "JO-11": "M pauses delivery; it ends by itself",
  "JO-12": "M adds preparation time while it is busy",
  "JO-13": "S prints receipt and kitchen ticket",
  "JO-14": "S sees the whole story of an order",
  "JO-15": "S sees orders for later apart; the kitchen gets them in time",
  "JO-16": "S goes on after the network was away, nothing lost or doubled",
  "JO-17": "S is told loudly that this screen is not current",
  "JO-18": "M is told by mail of an order that no screen showed",
  "JO-19": "S strikes one line with a reason",
  "JM-01": "S sells a dish out for today; it comes back by itself",
  "JM-02": "S sells out a modifier, and sets how many are left",
  "JP-01": "S takes cash or card for an order, in parts",
  "JP-02": "M refunds part of a payment with a reason",
  "JP-03": "M sees the day's takings by method and person",
} as const;
export type JobId = keyof typeof JOBS;

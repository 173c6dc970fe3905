/** Every effect of the writers as the database has it, by the names that they note. */
import { type EventData, subjectOf, type VenueEvent } from "@comanda/contract/events/envelope.ts";
import type { TestDatabase } from "../../support/database.ts";

const WRITTEN: readonly VenueEvent[] = [
  "giftcard.issued",
  "giftcard.redeemed",
  "experience.booked",
  "stock.below_par",
  "shift.published",
  "review.created",
];

/** A guest who rates does not learn the id of the review, so it is named by its order. */
const nameOf = <T extends VenueEvent>(type: T, data: EventData[T]): string =>
  `event ${type} ${"review" in data ? data.review.order_id : subjectOf(type, data).id}`;

export const readEffects = async ({ asOwner }: TestDatabase, venueId: number): Promise<string[]> => {
  const events = await asOwner<{ type: VenueEvent; body: string }>(
    "select type, body from events where restaurant_id = $1 and type = any($2::text[])",
    [venueId, WRITTEN],
  );
  const rows = await asOwner<{ name: string }>(
    `select concat('card ', kind, ' ', gift_card_id) as name from gift_card_entries where restaurant_id = $1
     union all select concat('payment ', order_id) from payments where restaurant_id = $1 and order_id is not null
     union all select concat('payment of tickets ', b.id) from payments p
       join experience_bookings b on b.restaurant_id = p.restaurant_id and b.payment_id = p.id where p.restaurant_id = $1
     union all select concat('tickets ', state, ' ', id) from experience_bookings where restaurant_id = $1
     union all select concat('stock ', kind, ' ', ingredient_id) from stock_entries where restaurant_id = $1
     union all select concat('shift ', id) from shifts where restaurant_id = $1
     union all select concat('review ', order_id) from reviews where restaurant_id = $1`,
    [venueId],
  );
  return [...events.map(({ type, body }) => nameOf(type, JSON.parse(body).data)), ...rows.map(({ name }) => name)];
};

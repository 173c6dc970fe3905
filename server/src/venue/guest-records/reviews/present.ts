import type { ListedReview } from "@comanda/contract/console/reviews.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { ReviewRow } from "./store.ts";

export const presentReview = (row: ReviewRow): ListedReview => ({
  id: row.id,
  rating: row.rating,
  comment: row.comment,
  guest_name: row.guest_name,
  order_id: row.order_id,
  reservation_id: row.reservation_id,
  created_at: row.created_at.toISOString(),
  reply: row.reply,
  replied_at: row.replied_at?.toISOString() ?? null,
  replied_by: row.replied_by,
});

/** Shows a review as the event has it (open point D170). */
export const presentReviewOfEvent = (row: ReviewRow, zone: string): EventData["review.created"]["review"] => ({
  id: row.id,
  rating: row.rating,
  comment: row.comment,
  order_id: row.order_id,
  reservation_id: row.reservation_id,
  guest_name: row.guest_name,
  created_at: formatInstant(zone, row.created_at),
});

/** Fixtures: reviews of every kind, and one of them with its order, another with its visit. */
import type { ListedReview, ReviewDesk, WholeReview } from "@comanda/contract/console/reviews.ts";
import { ago, DAY, HOUR } from "./fixture-times.ts";

export const reviewDesk: ReviewDesk = {
  rules: { is_on: true, wait_minutes: 60 },
  counts: [3, 1, 0, 14, 41].map((count, place) => ({ rating: place + 1, count })),
  counted_max: 1000,
  zone: "Europe/Rome",
};

export const noReviewsDesk: ReviewDesk = {
  ...reviewDesk,
  rules: { is_on: false, wait_minutes: 60 },
  counts: reviewDesk.counts.map(({ rating }) => ({ rating, count: 0 })),
};

export const listedReview: ListedReview = {
  id: 1025,
  rating: 2,
  comment: "The soup was cold, and we waited for forty minutes.\nThe waiter was very kind.",
  guest_name: "Layla Haddad",
  order_id: "01a1df09-e8b8-7ae3-8744-1bfb102bbe91",
  reservation_id: null,
  created_at: ago(2 * HOUR),
  reply: null,
  replied_at: null,
  replied_by: null,
};

export const foundReviews: ListedReview[] = [
  listedReview,
  {
    ...listedReview,
    id: 2049,
    rating: 5,
    comment: "طعام رائع وخدمة ممتازة، شكراً لكم!",
    guest_name: "ليلى حداد",
    reply: "شكراً جزيلاً",
    replied_at: ago(HOUR),
    replied_by: "Max",
  },
  { ...listedReview, id: 3073, rating: 4, comment: null, guest_name: null, created_at: ago(3 * DAY) },
  { ...listedReview, id: 4097, rating: 1, comment: `N${"o".repeat(300)}!`, guest_name: "Bartholomew Featherstonehaugh-Cholmondeley" },
];

export const wholeReview: WholeReview = {
  review: listedReview,
  order: { id: listedReview.order_id ?? "", number: 42, placed_at: ago(4 * HOUR) },
  reservation: null,
  guest_id: 2049,
  channel: "email",
  zone: "Europe/Rome",
};

export const repliedReview: WholeReview = {
  ...wholeReview,
  review: {
    ...listedReview,
    order_id: null,
    reservation_id: "01a1df09-e8b8-7ae3-8744-1bfb102bbe92",
    reply: "We are sorry. Please come again, the soup is on us.",
    replied_at: ago(HOUR),
    replied_by: "Nina Ferrari",
  },
  order: null,
  reservation: { id: "01a1df09-e8b8-7ae3-8744-1bfb102bbe92", date: "2026-11-17", time: "19:30", party_size: 4 },
  channel: "sms",
};

export const erasedReview: WholeReview = {
  ...wholeReview,
  review: { ...listedReview, comment: null, guest_name: null },
  guest_id: null,
  channel: null,
};

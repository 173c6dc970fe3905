/** Bounds of a review that the browser and the guest's page need too. This file imports nothing, so that a page does not load the shapes. */
export const RATINGS = [1, 2, 3, 4, 5] as const;
export type Rating = (typeof RATINGS)[number];

export const COMMENT_LENGTH_MAX = 2000;
export const REPLY_LENGTH_MAX = 1000;
/** How many of the latest reviews the figures are made of. */
export const COUNTED_REVIEWS_MAX = 1000;

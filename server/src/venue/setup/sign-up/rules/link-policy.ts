/** How long a sign-up link is valid, how often one is sent, and where it leads. */

import { mailboxOf } from "#lib/mailbox.ts";
import { neighbourhoodOf, type Source } from "#lib/network-source.ts";

const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export type SignUpSource = "invited" | "asked";

/** An invitation names its own days, or gets these. */
export const SIGN_UP_DAYS: Record<SignUpSource, number> = { invited: 7, asked: 1 };

/** Mails that people without an account ask for: one a minute and five a day to a mailbox. */
export const ASK_EVERY_MS = MINUTE_MS;
export const ASKS_PER_DAY_MAX = 5;

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const ASKS_PER_HOST_MAX = 30;
const NETWORK_FACTOR = 8;
const VENUES_PER_DAY_MAX = 10;
/** People of one address who open venues: an agency, an operator's office. */
const VENUES_PER_HOST_MAX = 20;
const VENUES_PER_NETWORK_MAX = 100;

type SignUpBucket = { key: string; limit: number; windowSeconds: number };

/**
 * An address may be one of a whole network that a single customer rents, and the network may also be shared by thousands. The mail address is
 * not among them: a refusal would let anyone bar it.
 */
export const askBuckets = (source: Source): SignUpBucket[] => [
  { key: `sign-up:host:${source.host}`, limit: ASKS_PER_HOST_MAX, windowSeconds: HOUR_SECONDS },
  { key: `sign-up:network:${neighbourhoodOf(source)}`, limit: ASKS_PER_HOST_MAX * NETWORK_FACTOR, windowSeconds: HOUR_SECONDS },
];

/** Venues that one person, one address and one network may open in a day: a domain has any number of mailboxes. */
export const openingBuckets = (email: string, source: Source): SignUpBucket[] => [
  { key: `sign-up:venues:${mailboxOf(email)}`, limit: VENUES_PER_DAY_MAX, windowSeconds: DAY_SECONDS },
  { key: `sign-up:venues:host:${source.host}`, limit: VENUES_PER_HOST_MAX, windowSeconds: DAY_SECONDS },
  { key: `sign-up:venues:network:${neighbourhoodOf(source)}`, limit: VENUES_PER_NETWORK_MAX, windowSeconds: DAY_SECONDS },
];

/** A proxy in front of several cells routes by the `cell` parameter. */
export const signUpUrlOf = (rootUrl: string, cell: number): string => `${rootUrl}/console/sign-up${cell === 0 ? "" : `?cell=${cell}`}`;

/** How long a sign-up link is valid, how often one is sent, and where it leads. */

const MINUTE_MS = 60 * 1000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export type SignUpSource = "invited" | "asked";

/** An invitation names its own days, or gets these. */
export const SIGN_UP_DAYS: Record<SignUpSource, number> = { invited: 7, asked: 1 };

/** Mails that people without an account ask for: one a minute and five a day to an address. */
export const ASK_EVERY_MS = MINUTE_MS;
export const ASKS_PER_DAY_MAX = 5;

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const ASKS_PER_HOST_MAX = 30;
const NETWORK_FACTOR = 8;
const VENUES_PER_DAY_MAX = 10;

type SignUpBucket = { key: string; limit: number; windowSeconds: number };

/** An IPv6 client has a /64 and often a /48, which may also be shared by thousands. */
export const askBuckets = (email: string, { host, network }: { host: string; network: string }): SignUpBucket[] => [
  { key: `sign-up:host:${host}`, limit: ASKS_PER_HOST_MAX, windowSeconds: HOUR_SECONDS },
  ...(network === host
    ? []
    : [{ key: `sign-up:network:${network}`, limit: ASKS_PER_HOST_MAX * NETWORK_FACTOR, windowSeconds: HOUR_SECONDS }]),
  { key: `sign-up:mail:${email}`, limit: ASKS_PER_DAY_MAX, windowSeconds: DAY_SECONDS },
];

/** Venues that one person may open in a day. */
export const openingBucket = (email: string): SignUpBucket => ({
  key: `sign-up:venues:${email}`,
  limit: VENUES_PER_DAY_MAX,
  windowSeconds: DAY_SECONDS,
});

/** A proxy in front of several cells routes by the `cell` parameter. */
export const signUpUrlOf = (rootUrl: string, cell: number): string => `${rootUrl}/console/sign-up${cell === 0 ? "" : `?cell=${cell}`}`;

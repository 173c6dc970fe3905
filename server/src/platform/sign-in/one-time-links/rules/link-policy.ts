/** How long a link is valid, and how often one is sent. */

import { INVITATION_LIFE_MS } from "#platform/people/memberships/rules.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const LINK_LIFE_MS = { invitation: INVITATION_LIFE_MS, reset: 60 * MINUTE_MS, sign_in: 15 * MINUTE_MS };
export type LinkKind = keyof typeof LINK_LIFE_MS;
/** Links that an unauthenticated caller can request for an address. */
export type RequestedKind = Exclude<LinkKind, "invitation">;

/** One account gets at most one mail of a kind in this time. */
const LINK_EVERY_MS = 3 * MINUTE_MS;
/** After this many in a day the next one waits until the last one has expired, so that requests for another's address cannot fill a mailbox. */
const LINKS_PER_DAY_MAX = 5;

/** `sentAt` are the times of the earlier links, newest first. */
export const maySendAnother = (kind: RequestedKind, sentAt: readonly Date[], now: Date): boolean => {
  const [last] = sentAt;
  if (!last) return true;
  const ofToday = sentAt.filter((at) => now.getTime() - at.getTime() < DAY_MS).length;
  return now.getTime() - last.getTime() >= (ofToday < LINKS_PER_DAY_MAX ? LINK_EVERY_MS : LINK_LIFE_MS[kind]);
};
/** A request is not queued again within this time. */
export const REQUEST_EVERY_MS = MINUTE_MS;

/** Invitations in a day to one mailbox, of all venues together. */
export const INVITATIONS_TO_MAILBOX_MAX = 10;
export const INVITATION_WINDOW_MS = DAY_MS;

/** Seconds until the next invitation to the mailbox; 0 now. `queuedAt` are those of the last day, newest first. */
export const mailboxWait = (queuedAt: readonly Date[], now: Date): number => {
  const oldest = queuedAt[INVITATIONS_TO_MAILBOX_MAX - 1];
  return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest.getTime() + INVITATION_WINDOW_MS - now.getTime()) / 1000));
};

/** The address in the mail. A proxy in front of several cells routes by its `cell` parameter. */
export const linkUrlOf = (rootUrl: string, cell: number): string => `${rootUrl}/console/link${cell === 0 ? "" : `?cell=${cell}`}`;

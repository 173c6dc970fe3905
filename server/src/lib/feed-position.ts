/** A position in the event feed of a venue: behind one event, or behind all changes up to a number. */
import { LATEST } from "@comanda/contract/events/event-feed.ts";

export type FeedPosition = {
  venue: number;
  /** A restored database and a moved venue have another one, because their numbers may repeat. */
  epoch: string;
  number: number;
  /** Within the changes of that number. */
  position: number;
  /** When the change was made, or the feed was read up to here. Tells whether events behind it may be deleted. */
  at: Date;
};

/** Where a reading begins. */
export type FeedStart = FeedPosition | "oldest" | typeof LATEST;

/** Behind every change of its number. It is the largest integer of PostgreSQL. */
export const LAST_POSITION = 2_147_483_647;

const FORM = /^(\d{1,16})\.(\d{1,15}-\d{1,9})\.(\d{1,15})\.(\d{1,10})\.(\d{1,15})$/;

/** Not signed: a caller who changes it reads another part of the same venue's events. */
export const writeFeedPosition = ({ venue, epoch, number, position, at }: FeedPosition): string =>
  [venue, epoch, number, position, at.getTime()].join(".");

/** Null for a text that is no position, or one of another venue. */
export const readFeedPosition = (text: string, venue: number): FeedPosition | null => {
  const [, given, epoch = "", number, position, at] = FORM.exec(text) ?? [];
  if (Number(given) !== venue || Number(position) > LAST_POSITION) return null;
  return { venue, epoch, number: Number(number), position: Number(position), at: new Date(Number(at)) };
};

export const readFeedStart = (text: string | undefined, venue: number): FeedStart | null => {
  if (text === undefined) return "oldest";
  return text === LATEST ? LATEST : readFeedPosition(text, venue);
};

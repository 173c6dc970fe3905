/** A position in the event feed of a venue: behind one event, or behind all changes up to a number. */
import { LATEST } from "@comanda/contract/events/event-feed.ts";
import type { CursorScope } from "./cursor.ts";
import { decryptBytes, encryptBytes } from "./encrypted-position.ts";

/** The venue of the positions, and the key that encrypts them. */
export type FeedKey = Pick<CursorScope, "key" | "tenantId">;

export type FeedPosition = {
  /** A restored database and a moved venue have another one, because their numbers may repeat. */
  epoch: string;
  number: number;
  /** The position within the changes of that number. */
  position: number;
  /** When the change was made, or the feed was read up to here. Tells whether events behind it may be deleted. */
  at: Date;
};

/** A position of this venue that this database did not give out: of another cell, of an earlier form, or changed. */
const UNREADABLE = "unreadable";

/** The place where a reading begins. */
export type FeedStart = FeedPosition | "oldest" | typeof LATEST | typeof UNREADABLE;

/** This position is behind every change of its number. It is the largest integer of PostgreSQL. */
export const LAST_POSITION = 2_147_483_647;

const scopeOf = (key: FeedKey): CursorScope => ({ ...key, list: "events" });

/** The moment and the turn of an epoch, the number, the place within its changes, and the time. */
const AT = { moment: 0, turn: 8, number: 12, position: 20, at: 24 } as const;
const BYTES = 32;

/**
 * The venue is readable, so that a client with positions of several venues learns which are not of this one. The rest is encrypted: a
 * number would reveal to a token how much the venue does, whatever its scopes.
 */
export const writeFeedPosition = (key: FeedKey, { epoch, number, position, at }: FeedPosition): string => {
  const [moment = "", turn] = epoch.split("-");
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigUInt64BE(BigInt(moment), AT.moment);
  bytes.writeUInt32BE(Number(turn), AT.turn);
  bytes.writeBigUInt64BE(BigInt(number), AT.number);
  bytes.writeInt32BE(position, AT.position);
  bytes.writeBigUInt64BE(BigInt(at.getTime()), AT.at);
  return `${key.tenantId}.${encryptBytes(scopeOf(key), bytes)}`;
};

/** Null for a text that is no position, or one of another venue. */
export const readFeedPosition = (key: FeedKey, text: string): FeedPosition | typeof UNREADABLE | null => {
  const [, venue, rest = ""] = /^(\d{1,16})\.([\w.-]+)$/.exec(text) ?? [];
  if (Number(venue) !== key.tenantId) return null;
  const bytes = decryptBytes(scopeOf(key), rest, BYTES);
  if (bytes === null) return UNREADABLE;
  return {
    epoch: `${bytes.readBigUInt64BE(AT.moment)}-${bytes.readUInt32BE(AT.turn)}`,
    number: Number(bytes.readBigUInt64BE(AT.number)),
    position: bytes.readInt32BE(AT.position),
    at: new Date(Number(bytes.readBigUInt64BE(AT.at))),
  };
};

export const readFeedStart = (key: FeedKey, text: string | undefined): FeedStart | null => {
  if (text === undefined) return "oldest";
  return text === LATEST ? LATEST : readFeedPosition(key, text);
};

/**
 * The token in the link that asks a guest for a review: venue, signature, message. It is signed with a key that is derived from the
 * encryption keys, so that it is stored nowhere: each attempt to send the message writes the same one.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type EncryptionKey, requireCurrent } from "./encryption.ts";

/** The first part of the path. A proxy in front of several cells reads the venue behind it. */
export const REVIEW_PATH = "/r";

/** `messageId`: the message that the link is in. */
export type ReviewLink = { restaurantId: number; messageId: number };

/** 160 bits. */
const SIGNATURE_BYTES = 20;
const TOKEN_FORM = /^([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{27})\.([1-9][0-9]{0,15})$/;

const signatureOf = ({ bytes }: EncryptionKey, { restaurantId, messageId }: ReviewLink): string => {
  const key = createHmac("sha256", bytes).update("key of review links").digest();
  return createHmac("sha256", key).update(`${restaurantId}\n${messageId}`).digest().subarray(0, SIGNATURE_BYTES).toString("base64url");
};

/** It ends with a digit, because programs that show a text message leave other characters out of a link. */
export const signReviewToken = (keys: readonly EncryptionKey[], link: ReviewLink): string =>
  `${link.restaurantId}.${signatureOf(requireCurrent(keys), link)}.${link.messageId}`;

/** Null for a text that was not signed here. Any of the keys may have signed it. */
export const readReviewToken = (keys: readonly EncryptionKey[], token: string): ReviewLink | null => {
  const [, restaurant, signature = "", message] = TOKEN_FORM.exec(token) ?? [];
  const link = { restaurantId: Number(restaurant), messageId: Number(message) };
  const isSigned = (key: EncryptionKey): boolean => timingSafeEqual(Buffer.from(signatureOf(key, link)), Buffer.from(signature));
  return signature !== "" && Number.isSafeInteger(link.restaurantId) && keys.some(isSigned) ? link : null;
};

/**
 * Codes of gift cards: 19 random characters and one that shows mistypings, in groups of four. The last four are shown to staff; the
 * sixteen before them have 80 random bits. The page draws the code.
 */
import { checkedCodeOf, formatCode, isCheckedCode, plainCode } from "./checked-codes.ts";

const RANDOM_LENGTH = 19;

export const GIFT_CARD_CODE_LENGTH = RANDOM_LENGTH + 1;

export const drawGiftCardCode = (bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))): string =>
  checkedCodeOf(bytes.subarray(0, RANDOM_LENGTH));

export const plainGiftCardCode = plainCode;

/** Whether a code, as `plainGiftCardCode` returns it, can be one. */
export const isGiftCardCode = (plain: string): boolean => isCheckedCode(plain, GIFT_CARD_CODE_LENGTH);

export const formatGiftCardCode = (plain: string): string => formatCode(plain);

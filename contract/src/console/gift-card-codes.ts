/**
 * Codes of gift cards: 19 random characters and one that shows mistypings, in groups of four. The last four are shown to staff; the
 * sixteen before them have 80 random bits. This file imports nothing, because the page draws the code.
 */

/** 32 characters without look-alikes (I, L, O, U). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_LENGTH = 19;

export const GIFT_CARD_CODE_LENGTH = RANDOM_LENGTH + 1;

/** Luhn's sum for 32 characters: one wrong character always changes it, two that were exchanged almost always. */
const checkCharacter = (text: string): string => {
  let sum = 0;
  for (const [place, character] of [...text].reverse().entries()) {
    const value = ALPHABET.indexOf(character) * (place % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / ALPHABET.length) + (value % ALPHABET.length);
  }
  return ALPHABET.charAt((ALPHABET.length - (sum % ALPHABET.length)) % ALPHABET.length);
};

/** 32 divides 256, so every character is equally likely. */
export const drawGiftCardCode = (bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))): string => {
  const text = Array.from(bytes.subarray(0, RANDOM_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return text + checkCharacter(text);
};

/** Case, spaces, dashes and look-alikes do not matter. */
export const plainGiftCardCode = (written: string): string =>
  written
    .toUpperCase()
    .replaceAll(/[\s\-–]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** Whether a code, as `plainGiftCardCode` returns it, can be one: it is complete and not mistyped. */
export const isGiftCardCode = (plain: string): boolean =>
  plain.length === GIFT_CARD_CODE_LENGTH &&
  [...plain].every((character) => ALPHABET.includes(character)) &&
  checkCharacter(plain.slice(0, -1)) === plain.slice(-1);

export const formatGiftCardCode = (plain: string): string => plain.replaceAll(/(.{4})(?=.)/g, "$1-");

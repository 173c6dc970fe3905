/** Codes that people read and type: random characters, and one at the end that shows mistypings. This file imports nothing, because pages use it. */

/** 32 characters without look-alikes (I, L, O, U). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Luhn's sum for 32 characters: one wrong character always changes it, two that were exchanged almost always. */
const checkCharacter = (text: string): string => {
  let sum = 0;
  for (const [place, character] of [...text].reverse().entries()) {
    const value = ALPHABET.indexOf(character) * (place % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / ALPHABET.length) + (value % ALPHABET.length);
  }
  return ALPHABET.charAt((ALPHABET.length - (sum % ALPHABET.length)) % ALPHABET.length);
};

/** One character for each random byte, and the check character. 32 divides 256, so every character is equally likely. */
export const checkedCodeOf = (bytes: Uint8Array): string => {
  const text = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return text + checkCharacter(text);
};

/** Case, spaces, dashes and look-alikes do not matter. */
export const plainCode = (written: string): string =>
  written
    .toUpperCase()
    .replaceAll(/[\s\-–]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** Whether a code, as `plainCode` returns it, is complete and not mistyped. */
export const isCheckedCode = (plain: string, length: number): boolean =>
  plain.length === length &&
  [...plain].every((character) => ALPHABET.includes(character)) &&
  checkCharacter(plain.slice(0, -1)) === plain.slice(-1);

/** Writes the code in groups of four. */
export const formatCode = (plain: string, between = "-"): string => plain.replaceAll(/(.{4})(?=.)/g, `$1${between}`);

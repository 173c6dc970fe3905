/** The digits of a code as people type them: with spaces, and with the digits of their keyboard. */
const CODE_LENGTH = 6;
/** The zeros of the digits on Arabic and on Persian and Urdu keyboards. */
const OTHER_ZEROS = [0x0660, 0x06f0];

const toLatinDigit = (letter: string): string => {
  const zero = OTHER_ZEROS.find((start) => letter >= String.fromCodePoint(start) && letter <= String.fromCodePoint(start + 9));
  return zero === undefined ? letter : String((letter.codePointAt(0) ?? zero) - zero);
};

export const digitsOf = (typed: string): string => typed.replace(/\D/g, "");

export const isWholePairingCode = (typed: string): boolean => digitsOf(typed).length === CODE_LENGTH;

/** What the field shows of a text that was typed or pasted. Digits after the sixth are left out. */
export const readTypedCode = (text: string): string => {
  const kept = [...text]
    .map(toLatinDigit)
    .join("")
    .replace(/\s/g, " ")
    .replace(/[^\d ]/g, "")
    .trimStart();
  const isLast = (end: number): boolean => digitsOf(kept.slice(0, end)).length === CODE_LENGTH;
  const end = [...kept].findIndex((_, index) => isLast(index + 1));
  return end === -1 ? kept : kept.slice(0, end + 1);
};

/** Arabic keyboards write ٠ to ٩, Persian ones ۰ to ۹. Numbers that people type are read with the digits 0 to 9. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

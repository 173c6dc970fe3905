/** The venue's short name in addresses, made from its name. */

const LENGTH_MAX = 48;
/** A name without a Latin letter or digit gets this slug. */
const FALLBACK = "venue";
const COUNTED_MAX = 9;

/** Letters that do not split into a Latin letter and an accent. */
const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

export const slugOf = (name: string): string => {
  const latin = name
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/['’`]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, "");
  return latin.length < 2 ? FALLBACK : latin;
};

/** The slug itself, then with a number. */
export const slugChoices = (slug: string): string[] => [
  slug,
  ...Array.from({ length: COUNTED_MAX - 1 }, (_, index) => `${slug}-${index + 2}`),
];

/** Where the choices are taken, or another venue of the name is opened at the same moment. */
export const randomSlug = (slug: string, random: string): string => `${slug}-${random.toLowerCase()}`;

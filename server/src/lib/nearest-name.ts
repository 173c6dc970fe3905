/** Finds the name that was probably meant by a misspelt one. */

/** One wrong character in three still is the same name. */
const distanceMax = (name: string): number => Math.max(2, Math.floor(name.length / 3));

/** The nearest name, the first of equally near ones; null when none is near. Callers bound the length and number of the names. */
export const nearestName = (given: string, names: readonly string[]): string | null => {
  let nearest: { name: string; distance: number } | null = null;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > distanceMax(name)) continue;
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance <= distanceMax(name) && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name ?? null;
};

/** Insertions, deletions and replacements of characters (Levenshtein), one row of the table at a time. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

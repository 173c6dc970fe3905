/** Where in a file a fault is, in words: the names of what is around it. */

/** Undefined where there is no such member. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const nameOf = (value: unknown): string | null => {
  const name = memberOf(value, "name");
  if (typeof name === "string") return name;
  const text = Object.values(typeof name === "object" && name !== null ? name : {}).find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text : null;
};

/** `menus.0.categories.1.items.3.tax` → Dinner, Pasta, Carbonara. Empty when nothing on the way has a name. */
export const namesOnTheWay = (file: unknown, path: string): string[] => {
  const names: string[] = [];
  let value = file;
  for (const part of path.split(".")) {
    value = memberOf(value, part);
    const name = /^\d+$/.test(part) ? nameOf(value) : null;
    if (name !== null) names.push(name);
  }
  return names;
};

/** A text that is no JSON has no names. */
export const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Code that is broken into lines only where it is too long for one. */
export type Expression = string | { open: string; entries: Expression[]; close: string; isSpaced?: boolean };

const WIDTH = 96;
const STEP = "  ";

const flat = (expression: Expression): string => {
  if (typeof expression === "string") return expression;
  const { open, entries, close, isSpaced } = expression;
  const inside = entries.map(flat).join(", ");
  return isSpaced && inside ? `${open} ${inside} ${close}` : `${open}${inside}${close}`;
};

/** `used` is what stands before it in its line. */
export const printed = (expression: Expression, indent = "", used = 0): string => {
  const line = flat(expression);
  if (typeof expression === "string" || indent.length + used + line.length <= WIDTH) return line;
  const { open, entries, close } = expression;
  const [last] = entries.slice(-1);
  // A call whose last argument is long keeps its other arguments in the first line.
  const first = `${open}${entries
    .slice(0, -1)
    .map((entry) => `${flat(entry)}, `)
    .join("")}`;
  if (open.endsWith("(") && typeof last === "object" && indent.length + first.length < WIDTH)
    return `${first}${printed(last, indent, WIDTH)}${close}`;
  const inner = `${indent}${STEP}`;
  return `${open}\n${entries.map((entry) => `${inner}${printed(entry, inner)},\n`).join("")}${indent}${close}`;
};

/** A part that begins with another, as in `call(…).data`. */
export const followedBy = (expression: Expression, end: string): Expression =>
  typeof expression === "string" ? `${expression}${end}` : { ...expression, close: `${expression.close}${end}` };

export const precededBy = (start: string, expression: Expression): Expression =>
  typeof expression === "string" ? `${start}${expression}` : { ...expression, open: `${start}${expression.open}` };

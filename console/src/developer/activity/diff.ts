/** Before and after of a change, field by field. */

export type Field = {
  path: string;
  /** `context` stood beside the change and stayed as it was. */
  kind: "added" | "removed" | "changed" | "context";
  from: string | null;
  to: string | null;
};

type Values = Record<string, unknown>;

const isTree = (value: unknown): value is Values => typeof value === "object" && value !== null && !Array.isArray(value);

const isPlainList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");

export const written = (value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value === "" ? "“”" : value;
  return isPlainList(value) ? value.join(", ") : JSON.stringify(value);
};

const flatten = (values: Values, prefix = ""): [string, unknown][] =>
  Object.entries(values).flatMap(([key, value]) =>
    isTree(value) && Object.keys(value).length > 0 ? flatten(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  );

/** How the value of a field is written. */
type Write = (path: string, value: unknown) => string;

const plainly: Write = (_, value) => written(value);

/** Of two lists only what came and what went. */
const listChange = (before: (string | number)[], after: (string | number)[]): Pick<Field, "kind" | "from" | "to"> => {
  const gone = before.filter((one) => !after.includes(one));
  const come = after.filter((one) => !before.includes(one));
  if (gone.length + come.length === 0) return { kind: "changed", from: written(before), to: written(after) };
  const kind = gone.length === 0 ? "added" : come.length === 0 ? "removed" : "changed";
  return { kind, from: gone.length === 0 ? null : written(gone), to: come.length === 0 ? null : written(come) };
};

const changeOf = (path: string, [before, after]: [unknown, unknown], write: Write): Pick<Field, "kind" | "from" | "to"> => {
  if (isPlainList(before) && isPlainList(after)) return listChange(before, after);
  return { kind: "changed", from: write(path, before), to: write(path, after) };
};

/** An entry may hold less after than before: what is not named again did not change. */
export const diffOf = (before: Values | null, after: Values | null, write: Write = plainly): Field[] => {
  const old = new Map(flatten(before ?? {}));
  const fresh = new Map(flatten(after ?? {}));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((path): Field[] => {
    const [from, to] = [old.get(path), fresh.get(path)];
    if (!fresh.has(path)) return [{ path, kind: after === null ? "removed" : "context", from: write(path, from), to: null }];
    if (!old.has(path)) return [{ path, kind: "added", from: null, to: write(path, to) }];
    return JSON.stringify(from) === JSON.stringify(to)
      ? [{ path, kind: "context", from: write(path, from), to: null }]
      : [{ path, ...changeOf(path, [from, to], write) }];
  });
};

/** Compares the values before and after a change, field by field. */

export type FieldChange = {
  path: string;
  /** `context`: the field is in the entry but did not change. */
  kind: "added" | "removed" | "changed" | "context";
  from: string | null;
  to: string | null;
};

type FieldValues = Record<string, unknown>;

const isTree = (value: unknown): value is FieldValues => typeof value === "object" && value !== null && !Array.isArray(value);

const isPlainList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");

export const formatPlain = (value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value === "" ? "“”" : value;
  return isPlainList(value) ? value.join(", ") : JSON.stringify(value);
};

const flatten = (values: FieldValues, prefix = ""): [string, unknown][] =>
  Object.entries(values).flatMap(([key, value]) =>
    isTree(value) && Object.keys(value).length > 0 ? flatten(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  );

/** Formats the value of a field. */
type ValueFormat = (path: string, value: unknown) => string;

const formatWithoutField: ValueFormat = (_, value) => formatPlain(value);

/** Only the added and removed entries of two lists. */
const listChange = (before: (string | number)[], after: (string | number)[]): Pick<FieldChange, "kind" | "from" | "to"> => {
  const gone = before.filter((one) => !after.includes(one));
  const come = after.filter((one) => !before.includes(one));
  if (gone.length + come.length === 0) return { kind: "changed", from: formatPlain(before), to: formatPlain(after) };
  const kind = gone.length === 0 ? "added" : come.length === 0 ? "removed" : "changed";
  return { kind, from: gone.length === 0 ? null : formatPlain(gone), to: come.length === 0 ? null : formatPlain(come) };
};

const changeOf = (path: string, [before, after]: [unknown, unknown], format: ValueFormat): Pick<FieldChange, "kind" | "from" | "to"> => {
  if (isPlainList(before) && isPlainList(after)) return listChange(before, after);
  return { kind: "changed", from: format(path, before), to: format(path, after) };
};

/** A field that is missing in `after` did not change. */
export const diffOf = (before: FieldValues | null, after: FieldValues | null, format: ValueFormat = formatWithoutField): FieldChange[] => {
  const old = new Map(flatten(before ?? {}));
  const fresh = new Map(flatten(after ?? {}));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((path): FieldChange[] => {
    const [from, to] = [old.get(path), fresh.get(path)];
    if (!fresh.has(path)) return [{ path, kind: after === null ? "removed" : "context", from: format(path, from), to: null }];
    if (!old.has(path)) return [{ path, kind: "added", from: null, to: format(path, to) }];
    return JSON.stringify(from) === JSON.stringify(to)
      ? [{ path, kind: "context", from: format(path, from), to: null }]
      : [{ path, ...changeOf(path, [from, to], format) }];
  });
};

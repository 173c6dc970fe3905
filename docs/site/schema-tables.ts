/** The fields of a shape as rows of a table, and tables as Markdown. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

/** A bar would end the cell; two braces begin an expression of the site's templates; an angle begins an element. */
const cell = (text: string): string =>
  text
    .replaceAll("\n", " ")
    .replaceAll("|", "\\|")
    .replaceAll("{{", "&#123;&#123;")
    .replaceAll(/<(?!a |\/a>)/g, "&lt;");

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n");

const resolved = (schema: Schema, shapes: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : (shapes[schema.$ref.split("/").at(-1) ?? ""] ?? schema);

const typeOf = (given: Schema, shapes: Record<string, Schema>): string => {
  const schema = resolved(given, shapes);
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeOf(one, shapes)))].join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items, shapes)}`;
  const types = [schema.type ?? "object"].flat().join(" or ");
  return schema.format === undefined ? types : `${types} (${schema.format})`;
};

/** The shape whose fields a value has: its own, or those of the entries of a list. */
const inner = (given: Schema, shapes: Record<string, Schema>): { schema: Schema; isList: boolean } => {
  const schema = resolved(given, shapes);
  const choice = schema.anyOf?.map((one) => resolved(one, shapes)).find(({ properties }) => properties);
  if (choice) return { schema: choice, isList: false };
  return schema.items ? { schema: resolved(schema.items, shapes), isList: true } : { schema, isList: false };
};

/** Fields within fields, to this depth. */
const DEPTH_MAX = 2;

export const fieldRows = (given: Schema, shapes: Record<string, Schema>, prefix = "", depth = 0): string[][] => {
  const schema = resolved(given, shapes);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isNeeded = schema.required?.includes(name) ?? false;
    const words = field.description ?? resolved(field, shapes).description ?? "";
    const { schema: below, isList } = inner(field, shapes);
    const own = [`\`${prefix}${name}\``, `${typeOf(field, shapes)}${isNeeded ? ", required" : ""}`, words];
    return [own, ...(depth < DEPTH_MAX ? fieldRows(below, shapes, `${prefix}${name}${isList ? "[]" : ""}.`, depth + 1) : [])];
  });
};

/** Schemas of the contract as the OpenAPI document has them: named ones once, numbers and ids with formats, and words for every property. */
import { DateTime, ID_MAX, UUID_PATTERN } from "../shared.ts";
import { FIELD_WORDS } from "./field-words.ts";

export type OpenApiObject = { [key: string]: unknown };

/** Puts what has a title into the components and returns a reference to it. */
export type SchemaWriter = (value: unknown) => unknown;

export const createSchemaWriter = (components: OpenApiObject): SchemaWriter => {
  const write = (value: unknown, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((entry) => write(entry, owner));
    if (typeof value !== "object" || value === null) return value;
    const { title, properties, ...rest } = value as OpenApiObject;
    const name = typeof title === "string" ? title : owner;
    const body: OpenApiObject = {
      ...Object.fromEntries(Object.entries(rest).map(([key, entry]) => [key, write(entry, name)])),
      ...(properties === undefined ? {} : { properties: writeProperties(properties as OpenApiObject, name) }),
    };
    const formatted = withFormat(body);
    if (typeof title !== "string") return formatted;
    const known = components[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(formatted)) throw new Error(`Two schemas are named ${title}`);
    components[title] = formatted;
    return { $ref: `#/components/schemas/${title}` };
  };
  const isDescribed = ({ $ref }: OpenApiObject): boolean =>
    typeof $ref === "string" && (components[$ref.split("/").at(-1) ?? ""] as OpenApiObject | undefined)?.description !== undefined;
  /** Words of the place first, then the property's own, then those of the name. A reference to a described shape has the words of that shape. */
  const withWords = (schema: OpenApiObject, owner: string, name: string): OpenApiObject => {
    const ofPlace = FIELD_WORDS[`${owner}.${name}`];
    const words = ofPlace ?? schema.description ?? (isDescribed(schema) ? undefined : FIELD_WORDS[name]);
    return words === undefined ? schema : { ...schema, description: words };
  };
  const writeProperties = (properties: OpenApiObject, owner: string): OpenApiObject =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        withWords(write(property, `${owner}.${name}`) as OpenApiObject, owner, name),
      ]),
    );
  return (value) => write(value, "");
};

/** The introduction says how times are written, so a moment is described by what happened then. */
const ofMoment = ({ pattern: _, description, ...schema }: OpenApiObject): OpenApiObject => ({
  ...schema,
  ...(description === undefined || description === MOMENT_WORDS ? {} : { description }),
});

const MOMENT_WORDS = (DateTime as object as OpenApiObject).description;

const INT32_MAX = 2_147_483_647;

/** The format says how a uuid is written, so pattern and length would say it again. */
const ofUuid = ({ pattern: _, maxLength: __, ...schema }: OpenApiObject): OpenApiObject => ({ ...schema, format: "uuid" });

/** Code generators choose the type of a number, and of an id, by its format. The bound of every id is not one to keep to, so it is left out. */
const withFormat = ({ maximum, ...rest }: OpenApiObject): OpenApiObject => {
  const schema = maximum === undefined || maximum === ID_MAX ? rest : { ...rest, maximum };
  if (schema.format === "date-time") return ofMoment(schema);
  if (schema.format !== undefined) return schema;
  if (schema.pattern === UUID_PATTERN) return ofUuid(schema);
  if (![schema.type].flat().includes("integer")) return schema;
  const isShort = typeof maximum === "number" && maximum <= INT32_MAX;
  return { ...schema, format: isShort ? "int32" : "int64" };
};

type SuccessEnvelope = { properties: { data: TitledSchema; meta: { properties: object }; links: { properties: object } } };
type TitledSchema = { title?: string; items?: { title?: string } };

/** The envelope of a success with a name: `ItemResponse`, `MenuList`, `OrderPage`. */
export const namedEnvelope = (operationId: string, body: unknown): OpenApiObject => {
  const envelope = body as OpenApiObject & SuccessEnvelope;
  const { data, meta, links } = envelope.properties;
  const isPage = "next_cursor" in meta.properties;
  const of = data.title ?? data.items?.title ?? `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  const kind = data.items === undefined ? "Response" : isPage ? "Page" : "List";
  const pageMeta = { ...meta, title: "currency" in meta.properties ? `${of}PageMeta` : "PageMeta" };
  const noMeta = Object.keys(meta.properties).length === 0 ? { ...meta, title: "NoMeta", description: "Empty." } : meta;
  return {
    ...envelope,
    title: `${of}${kind}`,
    properties: {
      data,
      meta: isPage ? pageMeta : noMeta,
      links: isPage ? { ...links, title: "PageLinks" } : { ...links, title: "NoLinks", description: "Empty: there are no other pages." },
    },
  };
};

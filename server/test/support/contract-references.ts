/** What the contract and the running server say about where a request can name a row. */
import { keepsAnswers, type Operation, pathParameters } from "@comanda/contract/operation.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";

type SchemaNode = {
  type?: string | string[];
  format?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
};

const REFERENCE_NAME = /(?:^|_)(?:ids?|code|cursor)$/;
const PLAIN_NUMBER = /_minor$|^(?:per_page|limit|wait|quantity|party_size)$/;

/** What the contract says about an operation: each of these must be one of the points above. */
export const referencesOf = (operation: Operation): string[] => [
  ...pathParameters(operation.path).map((name) => `path.${name}`),
  ...namedIn(operation.query as SchemaNode | undefined, "query"),
  ...namedIn(operation.body as SchemaNode | undefined, "body"),
  ...(keepsAnswers(operation) ? ["header.Idempotency-Key"] : []),
];

const namedIn = (schema: SchemaNode | undefined, path: string): string[] => {
  if (!schema) return [];
  const inside = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((part) => namedIn(part, path));
  return [
    ...inside,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => referenceAt(`${path}.${name}`, name, property)),
  ];
};

const referenceAt = (path: string, name: string, property: SchemaNode): string[] => {
  const leaf = property.items ?? property;
  if (REFERENCE_NAME.test(name) || leaf.format === "uuid") return [path];
  // A number is an id or it is not: a new one has to be sorted into one of the two.
  if ([leaf.type].flat().includes("integer") && !PLAIN_NUMBER.test(name)) return [`${path} (undecided)`];
  return namedIn(property, path);
};

/** `METHOD /path/{parameter}` of every route below the API's prefix, as the running server has them. */
export const liveRoutes = (tree: string): string[] => {
  const segments: string[] = [];
  const routes: string[] = [];
  for (const line of tree.split("\n")) {
    const [, branch = "", segment = "", methods = ""] = /^([│├└─\s]+)(\S+)(?: \(([^)]*)\))?$/.exec(line) ?? [];
    if (segment === "") continue;
    segments.splice(branch.length / 4 - 1, segments.length, segment);
    const path = segments.join("");
    if (!path.startsWith(`${API_PREFIX}/`)) continue;
    const template = path.slice(API_PREFIX.length).replaceAll(/:(\w+)/g, "{$1}");
    routes.push(...methods.split(", ").map((method) => `${method} ${template}`));
  }
  return routes;
};

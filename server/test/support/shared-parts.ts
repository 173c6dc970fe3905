/** The OpenAPI document with its shared parameters, headers and responses written out where they are used. Shapes stay references. */
type DocumentNode = { [key: string]: unknown };

export const withSharedParts = <D extends object>(document: D): D => {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== "object" || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === "string" && !$ref.startsWith("#/components/schemas/"))
      return follow(
        $ref
          .split("/")
          .slice(1)
          .reduce<unknown>((at, step) => (at as DocumentNode)[step], document),
      );
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, follow(entry)]));
  };
  return follow(document) as D;
};

/** Every value of a body with the name it stands under, so that a rule about names can be held over a whole answer. */
import type { JsonValue } from "./answer-check.ts";

export type NamedValue = { readonly path: string; readonly name: string; readonly value: JsonValue };

export const valuesOf = (body: JsonValue, path = "", name = ""): NamedValue[] => {
  const own: NamedValue = { path, name, value: body };
  if (typeof body !== "object" || body === null) return [own];
  const members = Array.isArray(body)
    ? body.map((value, index): [string, string, JsonValue] => [`${index}`, name, value])
    : Object.entries(body).map(([key, value]): [string, string, JsonValue] => [key, key, value]);
  return [own, ...members.flatMap(([step, inner, value]) => valuesOf(value, `${path}/${step}`, inner))];
};

/** The paths of the values that break a rule about the names it concerns. */
export const breaches = (body: JsonValue, concerns: RegExp, holds: (value: JsonValue) => boolean): string[] =>
  valuesOf(body)
    .filter(({ name, value }) => concerns.test(name) && !Array.isArray(value) && !holds(value))
    .map(({ path, value }) => `${path} is ${JSON.stringify(value)}`);

/** Query strings (open points D04, D09, D10): an empty parameter counts as absent, a repeated one is rejected, integers are plain digits. */
import type { TObject } from "typebox";
import { because, type FieldRefusals } from "#lib/errors.ts";

type Property = { type?: string | string[]; "x-unreadable-as"?: number };

const INTEGER = /^[0-9]{1,15}$/;

export type ReadQuery = { values: Record<string, unknown>; faults: FieldRefusals };

/** The declared parameters as values; anything undeclared is left out. */
export const readQuery = (search: string, schema: TObject): ReadQuery => {
  const sent = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  const faults: FieldRefusals = {};
  for (const [name, property] of Object.entries(schema.properties) as [string, Property][]) {
    const given = sent.getAll(name);
    const texts = given.filter((text) => text !== "");
    const fallback = property["x-unreadable-as"];
    if (fallback === undefined && texts[0]?.includes("\0")) {
      // PostgreSQL cannot store it, so no row can match it.
      faults[name] = [because("Must not contain the character U+0000.", "nul_character")];
    } else if (given.length > 1) {
      if (fallback === undefined) faults[name] = [because("May be given once only.", "repeated")];
      else values[name] = fallback;
    } else if (texts[0] !== undefined) {
      const value = readValue(texts[0], property);
      if (value !== undefined) values[name] = value;
      else if (fallback !== undefined) values[name] = fallback;
      else faults[name] = [because("Must be a whole number.", "not_an_integer")];
    }
  }
  return { values, faults };
};

const readValue = (text: string, property: Property): string | number | undefined => {
  if (property.type !== "integer") return text;
  return INTEGER.test(text) ? Number(text) : undefined;
};

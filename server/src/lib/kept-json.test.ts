import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonAround, keptJson, withMembers } from "./kept-json.ts";

test("kept bytes with members around and inside are the JSON of the whole object", () => {
  const kept = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(kept, fc.dictionary(fc.constantFrom("now", "ends"), fc.jsonValue()), fc.boolean(), (value, members, hasMeta) => {
      const others = hasMeta ? { meta: { count: 1 } } : {};
      const data = Object.fromEntries(Object.entries(value).filter(([name]) => !(name in members)));
      fc.pre(Object.keys(data).length > 0);
      const text = Buffer.concat([...jsonAround("data", withMembers(keptJson(data), members), others)]).toString();
      expect(text).toBe(JSON.stringify({ data: { ...data, ...members }, ...others }));
    }),
  );
});

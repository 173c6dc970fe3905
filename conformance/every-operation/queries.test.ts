/** How a query string is read, parameter by parameter. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { exampleOf, perform } from "../examples.ts";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { type PlainSchema, plain, typesOf } from "../strict-schema.ts";
import { lab } from "../target.ts";

/** A value the parameter would accept if it came once. */
const sample = (schema: PlainSchema): string => {
  if (schema.enum) return String(schema.enum[0]);
  return typesOf(schema).includes("integer") ? "1" : "x";
};

for (const [id, operation] of operationEntries)
  describe(id, () => {
    const { properties = {}, required = [] } = operation.query ? plain(operation.query) : {};

    test(`RX-17 R9-02 ${id}: query parameters it does not know are ignored`, async () => {
      const { query } = await exampleOf(id, lab);
      const answer = await perform(id, lab, { query: { ...query, surprise: "1", "filter[name]": "x", api_key: "y" } });
      expectStatus(answer, operation.success.status);
    });

    for (const [name, schema] of Object.entries(properties)) {
      test(`RX-22 ${id}: an empty ${name} counts as absent`, async () => {
        const { query } = await exampleOf(id, lab);
        const answer = await perform(id, lab, { query: { ...query, [name]: "" } });
        if (required.includes(name)) expectInvalid(answer, name);
        else expectStatus(answer, operation.success.status);
      });

      test(`RX-22 ${id}: ${name} sent twice is refused, or selects nothing where no 422 is listed`, async () => {
        const twice = `${name}=${sample(schema)}&${name}=${sample(schema)}`;
        const answer = await perform(id, lab, { query: twice });
        if (operation.extraStatuses.includes(422)) expectInvalid(answer, name);
        else {
          expectStatus(answer, operation.success.status);
          expect((answer.body as { data: unknown }).data).toEqual([]);
        }
      });
    }
  });

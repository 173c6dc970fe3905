/** How each field of a body is read: its JSON type, null, and members the contract does not know. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, test } from "vitest";
import { exampleOf, perform } from "../examples.ts";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { plain, typesOf } from "../strict-schema.ts";
import { lab } from "../target.ts";

const WRONG_TYPES: Record<string, unknown[]> = {
  integer: ["5", "", 1.5, true, [], {}],
  boolean: ["true", "false", "", 1, 0, [], {}],
};

const SURPRISES = { surprise: 1, another: { deep: [null, "x"] }, price: 5, id: 7, restaurant_id: 7, constructor: "x" };

for (const [id, operation] of operationEntries) {
  if (!operation.body) continue;
  const fields = Object.entries(plain(operation.body).properties ?? {});

  describe(id, () => {
    for (const [field, schema] of fields) {
      const types = typesOf(schema);
      const wrong = types.flatMap((type) => WRONG_TYPES[type] ?? []);
      if (wrong.length > 0)
        test(`RX-25 ${id}: 422 for a value of another JSON type in ${field}`, async () => {
          const { body } = await exampleOf(id, lab);
          for (const value of wrong) expectInvalid(await perform(id, lab, { body: { ...body, [field]: value } }), field);
        });

      test(`RX-26 ${id}: null in ${field} is ${types.includes("null") ? "accepted" : "422"}`, async () => {
        const { body, besideNull } = await exampleOf(id, lab);
        const answer = await perform(id, lab, { body: { ...body, ...besideNull?.[field], [field]: null } });
        if (types.includes("null")) expectStatus(answer, operation.success.status);
        else expectInvalid(answer, field);
      });
    }

    test(`RX-17 R9-02 ${id}: members it does not know are ignored`, async () => {
      const { body } = await exampleOf(id, lab);
      expectStatus(await perform(id, lab, { body: { ...SURPRISES, ...body } }), operation.success.status);
    });

    test(`RX-17 ${id}: a member called __proto__ is unknown like any other`, async () => {
      const { body } = await exampleOf(id, lab);
      const rawBody = JSON.stringify(body).replace("{", '{"__proto__":{"is_available":"x"},');
      expectStatus(await perform(id, lab, { rawBody }), operation.success.status);
    });
  });
}

/** Operations that a plan without reservations and reporting refuses and allows, generated from the operations table. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { perform, unknownPath } from "../examples.ts";
import { errorOf, expectRefused, expectStatus } from "../expectations.ts";
import { essential } from "../target.ts";

const REQUIREMENT_OF = { reservations: "R1-07", reporting: "R1-08" };
const KEY_TOO_LONG = { "idempotency-key": "k".repeat(256) };

for (const [id, operation] of operationEntries) {
  const { feature, method, scope } = operation;
  if (!feature)
    test(`R1-07 R1-08 ${id}: open without reservations and reporting`, async () => {
      expectStatus(await perform(id, essential), operation.success.status);
    });
  else
    describe(id, () => {
      test(`${REQUIREMENT_OF[feature]} ${id}: 403 plan_feature_unavailable, naming ${feature}`, async () => {
        for (const token of [essential.tokens.full, essential.tokens[scope ?? "full"]]) {
          const answer = await call(token, method, unknownPath(operation));
          expectRefused(answer, "plan_feature_unavailable");
          expect(errorOf(answer).details).toEqual({ feature });
        }
      });

      test(`RX-21 ${id}: the feature comes after the token and the scope, before the key, the id, the query and the body`, async () => {
        const path = unknownPath(operation);
        const worst = { headers: KEY_TOO_LONG, query: "date=x&per_page=0&from=x", ...(operation.body ? { rawBody: "not json" } : {}) };
        expectRefused(await call(null, method, path, worst), "unauthenticated");
        expectRefused(await call(essential.tokens.no_scopes, method, path, worst), "insufficient_scope");
        expectRefused(await call(essential.tokens.full, method, path, worst), "plan_feature_unavailable");
      });
    });
}

test("R1-07 a refused booking with a key is not kept", async () => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  for (let turn = 0; turn < 2; turn++) {
    const answer = await call(essential.tokens.full, "POST", "/reservations", { headers, body: {} });
    expectRefused(answer, "plan_feature_unavailable");
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  }
});

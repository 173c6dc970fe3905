/** A token may use exactly its scopes; generated from the operations table. */
import { pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { perform, unknownPath } from "../examples.ts";
import { errorOf, expectRefused, expectStatus } from "../expectations.ts";
import { lab, type TokenName } from "../target.ts";

/** The requirement of each scope that the contract numbers; a later one is covered by R5.1-14 alone. */
const REQUIREMENT_OF: Partial<Record<Scope, string>> = {
  "menu:read": "R5.1-06",
  "menu:write": "R5.1-07",
  "orders:read": "R5.1-08",
  "orders:write": "R5.1-09",
  "reservations:read": "R5.1-10",
  "reservations:write": "R5.1-11",
  "guests:read": "R5.1-12",
  "reports:read": "R5.1-13",
};

for (const [id, operation] of operationEntries) {
  const { scope, method } = operation;
  // An addition that every token may call.
  if (scope === null) continue;
  describe(id, () => {
    const lacking: TokenName[] = ["no_scopes", ...ALL_SCOPES.filter((other) => other !== scope)];

    for (const name of lacking)
      test(`${REQUIREMENT_OF[scope] ?? "R5.1-14"} R7.1-02 ${id}: 403 for a token with ${name}, naming ${scope}`, async () => {
        const answer = await perform(id, lab, { token: lab.tokens[name] });
        expectRefused(answer, "insufficient_scope");
        expect(errorOf(answer).details).toEqual({ required_scope: scope });
      });

    test(`R5.1-14 ${id}: ${scope} alone is enough`, async () => {
      expectStatus(await perform(id, lab, { token: lab.tokens[scope] }), operation.success.status);
    });

    if (pathParameters(operation.path).length > 0)
      test(`R5.1-15 ${id}: 403, not 404, for an id that does not exist`, async () => {
        expectRefused(await call(lab.tokens.no_scopes, method, unknownPath(operation)), "insufficient_scope");
        const malformed = operation.path.replaceAll(/\{\w+\}/g, "abc");
        expectRefused(await call(lab.tokens.no_scopes, method, malformed), "insufficient_scope");
      });
  });
}

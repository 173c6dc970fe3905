/** Several faults at once: which error comes first. The rate tests, which own those tokens, cover 429 before 403. */
import { keepsAnswers, pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, test } from "vitest";
import { call } from "../client.ts";
import { perform, unknownPath } from "../examples.ts";
import { expectRefused } from "../expectations.ts";
import { lab, lapsed, suspended } from "../target.ts";

const KEY_TOO_LONG = { "idempotency-key": "k".repeat(256) };
const BROKEN = { rawBody: "not json" };

for (const [id, operation] of operationEntries)
  describe(id, () => {
    const { method } = operation;
    const path = unknownPath(operation);
    const worst = operation.body ? { ...BROKEN, headers: KEY_TOO_LONG } : { headers: KEY_TOO_LONG };

    test(`RX-21 ${id}: 401 comes before everything`, async () => {
      expectRefused(await call(null, method, path, worst), "unauthenticated");
      for (const venue of [lapsed, suspended]) expectRefused(await call(venue.tokens.expired, method, path, worst), "unauthenticated");
    });

    test(`RX-21 ${id}: plan_lapsed comes before the scope`, async () => {
      expectRefused(await call(lapsed.tokens.no_scopes, method, path, worst), "plan_lapsed");
    });

    if (operation.scope !== null)
      test(`RX-21 ${id}: the scope comes before suspension, the key, the id and the body`, async () => {
        expectRefused(await call(suspended.tokens.no_scopes, method, path, worst), "insufficient_scope");
        expectRefused(await call(lab.tokens.no_scopes, method, path, worst), "insufficient_scope");
      });

    if (method !== "GET")
      test(`RX-21 ${id}: suspension comes before the key, the id and the body`, async () => {
        expectRefused(await call(suspended.tokens.full, method, path, worst), "restaurant_suspended");
      });

    if (keepsAnswers(operation))
      test(`RX-21 ${id}: a reused key comes before the fields`, async () => {
        const headers = { "idempotency-key": crypto.randomUUID() };
        await perform(id, lab, { headers });
        expectRefused(await perform(id, lab, { headers, body: { name: 5 } }), "idempotency_key_reused");
      });

    if (operation.body && pathParameters(operation.path).length > 0)
      test(`RX-21 ${id}: 404 comes before 422`, async () => {
        expectRefused(await call(lab.tokens.full, method, path, { body: { name: 5, is_available: "x" } }), "not_found");
        expectRefused(await call(lab.tokens.full, method, path, { body: {} }), "not_found");
        expectRefused(await call(lab.tokens.full, method, path, BROKEN), "not_found");
      });
  });

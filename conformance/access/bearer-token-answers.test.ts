/** The bearer token, and every way to send none. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { perform, unknownPath } from "../examples.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { lab, neighbour, target } from "../target.ts";

const token = lab.tokens.full;
const [id, secret] = token.split("|") as [string, string];
const otherId = neighbour.tokens.full.split("|")[0];

/** Changes one character, so that the token is well formed but another one. */
const altered = (text: string): string => `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;

const NO_WAY_IN: Record<string, string | null> = {
  "no Authorization header": null,
  "an empty Authorization header": "",
  "the Basic scheme": `Basic ${btoa(token)}`,
  "Bearer and nothing": "Bearer",
  "the token without a scheme": token,
  "an unknown token": `Bearer 987654321|svc_${"a".repeat(48)}`,
  "a token of another form": "Bearer let-me-in",
  "an altered last character": `Bearer ${altered(token)}`,
  "an altered first character of the secret": `Bearer ${id}|X${secret.slice(1)}`,
  "the right secret with another id": `Bearer ${otherId}|${secret}`,
  "the secret without its id": `Bearer ${secret}`,
  "the id without its secret": `Bearer ${id}|`,
  "an id that is no number": `Bearer x|${secret}`,
  "an id beyond every number": `Bearer ${"9".repeat(40)}|${secret}`,
  "two tokens": `Bearer ${token} ${token}`,
  "a revoked token": `Bearer ${lab.tokens.revoked}`,
  "an expired token": `Bearer ${lab.tokens.expired}`,
};

for (const [operationId, operation] of operationEntries)
  test(`R4.0-01 401 for ${operationId} without a token`, async () => {
    const answer = await call(null, operation.method, unknownPath(operation));
    expectRefused(answer, "unauthenticated");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/i);
  });

describe("no way in", () => {
  for (const [what, authorization] of Object.entries(NO_WAY_IN))
    test(`R5.1-01 401 for ${what}`, async () => {
      const answer = await call(null, "GET", "/menus", authorization === null ? {} : { headers: { authorization } });
      expectRefused(answer, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/i);
    });

  test("R5.1-01 401 for a token anywhere but in the Authorization header", async () => {
    const asQuery = new URLSearchParams({ access_token: token, token, api_key: token }).toString();
    expectRefused(await call(null, "GET", "/menus", { query: asQuery }), "unauthenticated");
    const headers = { cookie: `token=${encodeURIComponent(token)}`, "x-api-key": token };
    expectRefused(await call(null, "GET", "/menus", { headers }), "unauthenticated");
    const body = { category_id: 1, name: "Soup", price_minor: 1, access_token: token };
    expectRefused(await call(null, "POST", "/items", { body }), "unauthenticated");
  });

  test("R5.1-01 the word Bearer may be written in any case", async () => {
    for (const scheme of ["bearer", "BEARER"])
      expectStatus(await call(null, "GET", "/menus", { headers: { authorization: `${scheme} ${token}` } }), 200);
  });
});

test("R5.1-02 a live token is an id, a bar and svc_ without the mark of another kind", () => {
  for (const venue of target.venues)
    for (const [name, text] of Object.entries(venue.tokens))
      expect(text, `${venue.slug} ${name}`).toMatch(/^\d+\|svc_(?!sbx_|oat_)[0-9A-Za-z]+$/);
});

test("R5.1-03 no answer of any operation shows the token again", async () => {
  for (const [operationId] of operationEntries) {
    const { text, headers } = await perform(operationId, lab);
    for (const shown of [text, ...headers.values()]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(secret.replace(/^svc_/, ""));
    }
  }
});

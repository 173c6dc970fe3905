/** The context, an addition to version 1: what a token reads about itself and its restaurant. */
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { RestaurantContext } from "@comanda/contract/venue/restaurant.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { lab, lapsed, neighbour } from "../target.ts";

const read = async (token: string): Promise<RestaurantContext> => {
  const answer = await call(token, "GET", "/restaurant");
  expectStatus(answer, 200);
  return (answer.body as unknown as { data: RestaurantContext }).data;
};

describe("the context", () => {
  test("R9-01 R5.1-04 every token reads it and is told its own scopes", async () => {
    expect((await read(lab.tokens.no_scopes)).token.scopes).toEqual([]);
    for (const scope of ALL_SCOPES) expect((await read(lab.tokens[scope])).token.scopes).toEqual([scope]);
  });

  test("RX-14 each restaurant's token is told of its own restaurant", async () => {
    const [ours, theirs] = [await read(lab.tokens.full), await read(neighbour.tokens.full)];
    expect([ours.restaurant.slug, theirs.restaurant.slug]).toEqual([lab.slug, neighbour.slug]);
    // A branch and a table may have the same number.
    const idsOf = ({ branches }: RestaurantContext): string[] =>
      branches.flatMap(({ id, tables }) => [`branch ${id}`, ...tables.map((table) => `table ${table.id}`)]);
    expect(idsOf(ours).filter((id) => idsOf(theirs).includes(id))).toEqual([]);
  });

  test("R9-01 its order types, zones and tables are those that orders keep to", async () => {
    const { restaurant, order_types, branches } = await read(lab.tokens.full);
    expect(order_types.map(({ type }) => type)).toContain("pickup");
    expect(branches.filter(({ is_default }) => is_default)).toHaveLength(1);
    expect(restaurant.languages[0]).toBe(restaurant.default_language);
    expect(new Intl.DateTimeFormat("en", { timeZone: restaurant.zone })).toBeDefined();
  });

  test("R7.1-04 403 while the restaurant has no plan in force", async () => {
    expectRefused(await call(lapsed.tokens.no_scopes, "GET", "/restaurant"), "plan_lapsed");
  });
});

/** Which paths and methods exist, and which values an id may have. */
import { PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { exampleOf, pathOf, perform, unknownPath } from "../examples.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { lab, lapsed, target } from "../target.ts";

const MALFORMED = {
  integer: ["abc", "0", "-1", "1.5", "1e3", "1abc", "9007199254740992", "9".repeat(120), "%00", "%20", "%zz", "null"],
  uuid: ["123", "abc", "00000000-0000-4000-8000-00000000000g", "%00", "%zz"],
};

const ALL_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const paths = [...new Set(operationEntries.map(([, { path }]) => path))];
/** A path without a parameter also fits the pattern of one: GET /orders/quote reads an order. */
const fits = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/{}]+")}$`).test(path);
const methodsOf = (path: string): string[] =>
  operationEntries.flatMap(([, operation]) => (operation.path === path || fits(operation.path, path) ? operation.method : []));
const full = lab.tokens.full;

for (const [id, operation] of operationEntries)
  describe(id, () => {
    for (const parameter of pathParameters(operation.path))
      for (const text of MALFORMED[PATH_PARAMETERS[parameter]])
        test(`RX-16 ${id}: 404 for the ${parameter} ${text.slice(0, 20)}, which is no id`, async () => {
          const { params, body } = await exampleOf(id, lab);
          const path = pathOf(operation, { ...params, [parameter]: text });
          expectRefused(await call(full, operation.method, path, { body }), "not_found");
        });

    if (operation.method === "GET")
      test(`RX-29 ${id}: HEAD answers as GET does, without a body`, async () => {
        const { params, query } = await exampleOf(id, lab);
        const path = pathOf(operation, params);
        const [get, head] = [await call(full, "GET", path, { query }), await call(full, "HEAD", path, { query })];
        expectStatus(head, get.status);
        expect(head.text).toBe("");
        for (const name of ["content-type", "cache-control", "x-ratelimit-limit"])
          expect(head.headers.get(name), name).toBe(get.headers.get(name));
      });

    if (operation.method === "GET")
      test(`RX-29 ${id}: HEAD is refused where GET is`, async () => {
        const path = unknownPath(operation);
        expectStatus(await call(null, "HEAD", path), 401);
        if (operation.scope !== null) expectStatus(await call(lab.tokens.no_scopes, "HEAD", path), 403);
        if (pathParameters(operation.path).length > 0) expectStatus(await call(full, "HEAD", path), 404);
      });

    test(`R9-01 ${id}: answers under the versioned prefix and nowhere else`, async () => {
      expectStatus(await perform(id, lab), operation.success.status);
      const { params, body } = await exampleOf(id, lab);
      for (const prefix of ["", "/api/v2"]) {
        const response = await fetch(`${target.root_url}${prefix}${pathOf(operation, params)}`, {
          method: operation.method,
          headers: { authorization: `Bearer ${full}`, ...(body ? { "content-type": "application/json" } : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        await response.arrayBuffer();
        expect(response.status, prefix || "no prefix").toBe(404);
      }
    });
  });

describe("paths", () => {
  for (const path of ["/nothing", "/items/1/nothing", "/menus/1/items", "/Items", "/MENUS"])
    test(`RX-20 404 for the unknown path "${path}", 401 without a token`, async () => {
      expectRefused(await call(full, "GET", path), "not_found");
      expectRefused(await call(lab.tokens.no_scopes, "POST", path), "not_found");
      expectRefused(await call(null, "GET", path), "unauthenticated");
      expectRefused(await call(lapsed.tokens.full, "GET", path), "plan_lapsed");
    });

  for (const path of paths) {
    const own = methodsOf(path);
    const params = Object.fromEntries(pathParameters(path).map((name) => [name, 1]));
    const sent = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
    for (const method of ALL_METHODS.filter((candidate) => !own.includes(candidate)))
      test(`RX-20 405 for ${method} ${path}, with Allow`, async () => {
        const answer = await call(full, method, sent);
        expectRefused(answer, "method_not_allowed");
        const allowed = (answer.headers.get("allow") ?? "").split(",").map((name) => name.trim());
        expect(allowed).toEqual(expect.arrayContaining(own));
        expect(allowed).not.toContain(method);
        expectRefused(await call(null, method, sent), "unauthenticated");
      });
  }

  for (const [id, operation] of operationEntries)
    test(`RX-20 ${id}: a slash at the end changes nothing`, async () => {
      const { params, body, query } = await exampleOf(id, lab);
      const answer = await call(full, operation.method, `${pathOf(operation, params)}/`, { body, query });
      expectStatus(answer, operation.success.status);
    });
});

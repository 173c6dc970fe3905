/** How a request body is read, before its fields are checked. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { exampleOf, pathOf, perform } from "../examples.ts";
import { expectInvalid, expectRefused, expectStatus } from "../expectations.ts";
import { callRaw } from "../raw-client.ts";
import { plain } from "../strict-schema.ts";
import { lab } from "../target.ts";

const MIB = 1_048_576;
const json = { "content-type": "application/json" };
const FOREIGN_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"];

/** The example's body padded with an unknown member, which is ignored, to an exact number of bytes. */
const padded = (body: object, bytes: number): string => {
  const bare = JSON.stringify({ ...body, padding: "" });
  return JSON.stringify({ ...body, padding: "x".repeat(bytes - Buffer.byteLength(bare)) });
};

for (const [id, operation] of operationEntries) {
  if (!operation.body) continue;
  const { method, success } = operation;
  const required = plain(operation.body).required ?? [];

  describe(id, () => {
    for (const rawBody of ['{"name":', "{'name': 1}", "{} {}", "not json"])
      test(`RX-18 ${id}: 422 for the malformed JSON ${rawBody}`, async () => {
        expectInvalid(await perform(id, lab, { rawBody }), "body");
      });

    for (const contentType of FOREIGN_TYPES)
      test(`RX-19 ${id}: 422 for a body of type ${contentType}`, async () => {
        expectInvalid(await perform(id, lab, { contentType }), "body");
      });

    for (const rawBody of ["[]", '[{"name":"Soup"}]', '"Soup"', "5", "true"])
      test(`RX-19 ${id}: 422 for the body ${rawBody}, which is no object`, async () => {
        expectInvalid(await perform(id, lab, { rawBody }), "body");
      });

    for (const contentType of ["application/json; charset=utf-8", "application/merge-patch+json", "APPLICATION/JSON", null])
      test(`RX-19 ${id}: ${contentType ?? "no Content-Type"} is read as JSON`, async () => {
        expectStatus(await perform(id, lab, { contentType }), success.status);
      });

    test(`RX-31 ${id}: a missing body is an empty one`, async () => {
      const { params } = await exampleOf(id, lab);
      const answer = await call(lab.tokens.full, method, pathOf(operation, params));
      if (required.length === 0) expectStatus(answer, success.status);
      else expectInvalid(answer, ...required);
    });

    test(`RX-31 ${id}: an empty body that calls itself JSON is a missing one`, async () => {
      const { params } = await exampleOf(id, lab);
      const answer = await callRaw(lab.tokens.full, method, pathOf(operation, params), { headers: json, body: "" });
      if (required.length === 0) expectStatus(answer, success.status);
      else expectInvalid(answer, ...required);
    });

    test(`RX-30 ${id}: 413 for a body over 1 MiB, whether its length is announced or not`, async () => {
      const { params, body = {} } = await exampleOf(id, lab);
      const tooLarge = { headers: json, body: padded(body, MIB + 1) };
      const path = pathOf(operation, params);
      expectRefused(await callRaw(lab.tokens.full, method, path, tooLarge), "payload_too_large");
      expectRefused(await callRaw(lab.tokens.full, method, path, { ...tooLarge, chunkBytes: 65_536 }), "payload_too_large");
    });

    test(`RX-30 ${id}: a body of exactly 1 MiB is read`, async () => {
      const { params, body = {} } = await exampleOf(id, lab);
      const largest = { headers: json, body: padded(body, MIB) };
      expect(Buffer.byteLength(largest.body)).toBe(MIB);
      expectStatus(await callRaw(lab.tokens.full, method, pathOf(operation, params), largest), success.status);
    });
  });
}

/** Dates and times that do not exist are refused wherever a pattern alone would accept them. */

import { randomBytes } from "node:crypto";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { type TObject, type TSchema, Type } from "typebox";
import { expect, test } from "vitest";
import { readInstant } from "../../src/admin/venue.ts";
import { createCheck } from "../../src/lib/schema.ts";
import { addEndpoint } from "../../src/platform/events/webhooks/service/endpoints.ts";
import { createUser } from "../support/console-client.ts";
import { forVenue, startApp } from "../support/test-app.ts";

const IMPOSSIBLE = [
  "2026-99-99T99:99:99Z",
  "2026-02-30T00:00:00Z",
  "2025-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:60Z",
  "0000-01-01T00:00:00Z",
];

type DateTimeField = { path: string; schema: TSchema };

const fieldsOf = (schema: TSchema, path: string): DateTimeField[] => {
  const { properties, items, anyOf } = schema as { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] };
  return [
    { path, schema },
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => fieldsOf(member, `${path}.${name}`)),
    ...(items ? fieldsOf(items, `${path}[]`) : []),
    ...(anyOf ?? []).flatMap((one) => fieldsOf(one, path)),
  ];
};

const isMoment = ({ schema }: DateTimeField): boolean => ((schema as { pattern?: string }).pattern ?? "").startsWith("^\\d{4}");

/** The fields that accept an impossible moment. */
const carelessFields = (inputs: readonly [string, TObject][]): string[] =>
  inputs
    .flatMap(([id, schema]) => fieldsOf(schema, id))
    .filter(isMoment)
    .filter(({ schema }) => {
      const check = createCheck(Type.Object({ moment: schema }));
      expect(check({ moment: "2026-11-14T12:00:00Z" })).toEqual({});
      return IMPOSSIBLE.some((moment) => Object.keys(check({ moment })).length === 0);
    })
    .map(({ path }) => path);

test("no call of the console takes one; planted: a pattern alone does", () => {
  const inputs = consoleEntries.flatMap(([id, { body, query }]) =>
    [body, query].flatMap((schema): [string, TObject][] => (schema ? [[id, schema]] : [])),
  );
  expect(inputs.flatMap(([id, schema]) => fieldsOf(schema, id)).filter(isMoment).length).toBeGreaterThan(0);
  expect(carelessFields(inputs)).toEqual([]);
  const pattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$";
  expect(carelessFields([["planted", Type.Object({ since: Type.String({ pattern }) })]])).toEqual(["planted.since"]);
});

test("422 a replay since a day that does not exist", async () => {
  const app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  const lab = await app.venue("lab");
  const owner = await createUser(app, lab.slug, "owner");
  const wanted = { url: "https://receiver.example/", events: ["order.created"], description: null };
  const { endpoint } = await forVenue(app.deps, lab.slug, (ctx) => addEndpoint(ctx, wanted, app.deps.config.encryptionKeys));
  const replay = (since: string) =>
    owner.call("POST", `/venues/${lab.slug}/deliveries/replay`, { body: { failed_at: { webhook: endpoint.id, since } } });
  for (const since of IMPOSSIBLE) expect((await replay(since)).status, since).toBe(422);
  expect((await replay("2026-11-14T12:00:00Z")).status).toBe(200);
  await app.close();
});

test("the operator's commands refuse one as well, and read dates as midnight", () => {
  for (const text of [...IMPOSSIBLE, "2026-02-31", "2026-13-01", "monday", "2026-11-14T12:00:00", "1", ""])
    expect(() => readInstant(text, "--since"), text).toThrow(/^--since takes a date-time such as/);
  expect(readInstant("2026-11-14", "--since").toISOString()).toBe("2026-11-14T00:00:00.000Z");
  expect(readInstant("2026-11-14T12:00:00+02:00", "--since").toISOString()).toBe("2026-11-14T10:00:00.000Z");
});

/** The common shape of all successes. */
import { type OperationId, operationEntries, operations } from "@comanda/contract/operations.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer, JsonValue } from "../answer-check.ts";
import { perform } from "../examples.ts";
import { expectStatus } from "../expectations.ts";
import { DATE_TIME, plain, successProblems } from "../strict-schema.ts";
import { activeVenues, essential, lab } from "../target.ts";
import { breaches, valuesOf } from "../values.ts";

const answers = new Map<OperationId, Promise<CheckedAnswer>>();

const successOf = async (id: OperationId): Promise<CheckedAnswer> => {
  const asked = answers.get(id) ?? perform(id, lab);
  answers.set(id, asked);
  const answer = await asked;
  expectStatus(answer, operations[id].success.status);
  return answer;
};

const isTranslations = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => text === null || typeof text === "string");

const isIntegerOrNull = (value: JsonValue): boolean => value === null || Number.isInteger(value);
const isDate = (value: JsonValue): boolean => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
const isTime = (value: JsonValue): boolean => typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
const isUuid = (value: JsonValue): boolean => typeof value === "string" && new RegExp(UUID_PATTERN).test(value);

for (const [id, operation] of operationEntries)
  describe(id, () => {
    test(`RX-01 ${id}: exactly data, meta and links`, async () => {
      const { body } = await successOf(id);
      expect(Object.keys(body as object).sort()).toEqual(["data", "links", "meta"]);
    });

    test(`RX-02 ${id}: meta and links are empty objects where the contract states nothing for them`, async () => {
      const { properties } = plain(operation.success.body);
      const body = (await successOf(id)).body as { meta: JsonValue; links: JsonValue };
      if (properties?.meta?.maxProperties === 0) expect(body.meta).toEqual({});
      else expect(Object.keys(body.meta as object).sort()).toEqual(Object.keys(properties?.meta?.properties ?? {}).sort());
      if (properties?.links?.maxProperties === 0) expect(body.links).toEqual({});
    });

    test(`RX-03 ${id}: JSON that nothing on the way may keep`, async () => {
      const { headers } = await successOf(id);
      expect(headers.get("content-type")).toMatch(/^application\/json\b/);
      expect(headers.get("cache-control")).toContain("no-store");
    });

    test(`RX-04 ${id}: X-RateLimit-Remaining is a whole number`, async () => {
      expect((await successOf(id)).headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
    });

    test(`RX-06 ${id}: every field of the contract and no other, with its type`, async () => {
      expect(successProblems(id, (await successOf(id)).body)).toEqual([]);
    });

    test(`RX-07 ${id}: money is an integer`, async () => {
      const { body, text } = await successOf(id);
      expect(breaches(body, /_minor$/, isIntegerOrNull)).toEqual([]);
      expect(text).not.toMatch(/_minor":\s*-?\d+[.eE]/);
    });

    test(`RX-08 ${id}: date-times carry a numeric offset`, async () => {
      const moments = valuesOf((await successOf(id)).body).filter(({ name, value }) => /_(at|for)$/.test(name) && value !== null);
      for (const { path, value } of moments) expect(value, path).toMatch(DATE_TIME);
    });

    if (operation.feature)
      test(`RX-09 ${id}: a date is YYYY-MM-DD, a time of day HH:MM`, async () => {
        const { body } = await successOf(id);
        expect(breaches(body, /^(date|from|to)$/, isDate)).toEqual([]);
        expect(breaches(body, /^time$/, isTime)).toEqual([]);
        expect(valuesOf(body).some(({ name }) => /^(date|from)$/.test(name))).toBe(true);
      });

    // On the menu every name is a map; guests and tables have plain names, which the tests of their areas check.
    if (operation.scope?.startsWith("menu:"))
      test(`RX-11 ${id}: names and descriptions are maps of texts`, async () => {
        const { body } = await successOf(id);
        expect(breaches(body, /^name$/, isTranslations)).toEqual([]);
        expect(breaches(body, /^description$/, (value) => value === null || isTranslations(value))).toEqual([]);
      });

    test(`RX-12 ${id}: ids are integers, or uuids where the contract says so`, async () => {
      const { body } = await successOf(id);
      const isId = operation.scope?.startsWith("menu:") ? isIntegerOrNull : (value: JsonValue) => isIntegerOrNull(value) || isUuid(value);
      expect(breaches(body, /(^|_)ids?$/, isId)).toEqual([]);
      expect(breaches(body, /^id$/, (value) => value !== null)).toEqual([]);
    });
  });

describe("in each venue", () => {
  for (const venue of activeVenues)
    for (const [id, operation] of operationEntries)
      if (operation.method === "GET" && !(operation.feature && venue === essential))
        test(`RX-10 ${id}: the currency is that of ${venue.slug}`, async () => {
          const { body } = await perform(id, venue);
          expect(breaches(body, /^currency$/, (value) => value === venue.currency)).toEqual([]);
          expect(venue.currency).toMatch(/^[A-Z]{3}$/);
        });
});

/** The offset of a zone at a moment, as the API writes it. */
const offsetOf = (zone: string, moment: Date): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name === "GMT" ? "+00:00" : name.replace("GMT", "");
};

for (const venue of activeVenues)
  test(`RX-08 a moment is written with the offset of ${venue.slug}'s zone, never with Z`, async () => {
    const { body } = await perform("createItem", venue);
    const moment = (body as { data: { updated_at: string } }).data.updated_at;
    expect(moment).toMatch(DATE_TIME);
    expect(Math.abs(Date.parse(moment) - Date.now())).toBeLessThan(120_000);
    if (venue.zone) expect(moment.slice(-6)).toBe(offsetOf(venue.zone, new Date(moment)));
  });

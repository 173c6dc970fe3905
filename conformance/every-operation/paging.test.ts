/** Common rules of every cursor-paged list: page size, page meta, and opaque cursors. */
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { perform } from "../examples.ts";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { lab } from "../target.ts";

type ListPage = {
  data: unknown[];
  meta: { per_page: number; next_cursor: string | null; prev_cursor: string | null };
  links: { next: string | null; prev: string | null };
};

const pageOf = (answer: CheckedAnswer): ListPage => {
  expectStatus(answer, 200);
  return answer.body as unknown as ListPage;
};

const pagedIds = operationEntries.flatMap(([id, { query }]): OperationId[] => (query?.properties.per_page ? [id] : []));

/** The list whose page meta also names the currency. */
const NAMES_CURRENCY: ReadonlySet<OperationId> = new Set(["listItems"]);

const replaceAt = (text: string, index: number): string =>
  `${text.slice(0, index)}${text[index] === "A" ? "B" : "A"}${text.slice(index + 1)}`;

for (const id of pagedIds)
  describe(id, () => {
    test(`R2.1-04 R2.1-05 ${id}: page meta and links have their members and no other`, async () => {
      const { meta, links } = pageOf(await perform(id, lab));
      const currency = NAMES_CURRENCY.has(id) ? ["currency"] : [];
      expect(Object.keys(meta).sort()).toEqual([...currency, "next_cursor", "per_page", "prev_cursor"]);
      expect(Object.keys(links).sort()).toEqual(["next", "prev"]);
    });

    test(`R2.1-06 ${id}: a cursor is null exactly when its link is`, async () => {
      const first = pageOf(await perform(id, lab, { query: { per_page: 1 } }));
      const second = pageOf(await perform(id, lab, { query: { per_page: 1, cursor: String(first.meta.next_cursor) } }));
      for (const { meta, links } of [first, second, pageOf(await perform(id, lab, { query: { per_page: 100 } }))]) {
        expect(meta.next_cursor === null).toBe(links.next === null);
        expect(meta.prev_cursor === null).toBe(links.prev === null);
      }
    });

    test(`R4.0-02 ${id}: 25 rows a page when nothing is said`, async () => {
      const { data, meta } = pageOf(await perform(id, lab));
      expect(meta.per_page).toBe(25);
      expect(data.length).toBeLessThanOrEqual(25);
      if (meta.next_cursor !== null) expect(data).toHaveLength(25);
    });

    for (const per_page of [1, 2, 100])
      test(`R4.0-03 ${id}: per_page=${per_page} is taken`, async () => {
        const { data, meta } = pageOf(await perform(id, lab, { query: { per_page } }));
        expect(meta.per_page).toBe(per_page);
        expect(data.length).toBeLessThanOrEqual(per_page);
        if (meta.next_cursor !== null) expect(data).toHaveLength(per_page);
      });

    for (const per_page of ["0", "101", "-1", "abc", "1.5", "1e1", "true", "9999999999999999"])
      test(`R4.0-04 ${id}: 422 per_page for ${per_page}`, async () => {
        expectInvalid(await perform(id, lab, { query: { per_page } }), "per_page");
      });

    for (const cursor of ["garbage", "%00", "eyJpZCI6MX0", "null", "0", "💥", "A".repeat(5000)])
      test(`R4.0-10 ${id}: 422 cursor for ${cursor.slice(0, 20)}`, async () => {
        expectInvalid(await perform(id, lab, { query: { cursor } }), "cursor");
      });

    test(`R4.0-10 ${id}: 422 cursor for a true one that was edited`, async () => {
      const { meta } = pageOf(await perform(id, lab, { query: { per_page: 1 } }));
      const cursor = String(meta.next_cursor);
      const edits = [replaceAt(cursor, 0), replaceAt(cursor, Math.floor(cursor.length / 2)), cursor.slice(0, -1), `${cursor}AA`];
      for (const edited of edits) expectInvalid(await perform(id, lab, { query: { cursor: edited } }), "cursor");
    });

    for (const other of pagedIds.filter((candidate) => candidate !== id))
      test(`R4.0-10 ${id}: 422 for a cursor of ${other}`, async () => {
        const { meta } = pageOf(await perform(other, lab, { query: { per_page: 1 } }));
        expectInvalid(await perform(id, lab, { query: { cursor: String(meta.next_cursor) } }), "cursor");
      });
  });

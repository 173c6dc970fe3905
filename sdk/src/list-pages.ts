/** A list: await it for the first page, iterate rows with `for await`, or iterate pages. */
import type { Answer } from "./transport.ts";

export type PageMeta = { per_page: number; next_cursor: string | null; prev_cursor: string | null };
export type Page<Row, Meta extends PageMeta> = Answer<Row[], Meta>;

export type Pager<Row, Meta extends PageMeta> = PromiseLike<Page<Row, Meta>> &
  AsyncIterable<Row> & {
    /** One page after the other, until there is none. */
    pages(): AsyncGenerator<Page<Row, Meta>, void, undefined>;
  };

export const createPager = <Row, Meta extends PageMeta>(
  read: (cursor: string | undefined) => Promise<Page<Row, Meta>>,
): Pager<Row, Meta> => {
  // Awaiting twice sends one request.
  let first: Promise<Page<Row, Meta>> | undefined;
  const readFirst = (): Promise<Page<Row, Meta>> => {
    first ??= read(undefined);
    return first;
  };
  async function* pages(): AsyncGenerator<Page<Row, Meta>, void, undefined> {
    for (let page = await readFirst(); ; ) {
      yield page;
      const next = page.meta.next_cursor;
      if (next === null) return;
      page = await read(next);
      // Prevents an endless loop when the server repeats a cursor.
      if (page.meta.next_cursor === next) throw new Error("The list does not go on: a page points at itself as the next one.");
    }
  }
  return {
    pages,
    // biome-ignore lint/suspicious/noThenProperty: being awaited is what it is for.
    then: (onPage, onError) => readFirst().then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
};

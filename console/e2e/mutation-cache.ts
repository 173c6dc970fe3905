/** What the page remembers of its writes. */
import type { Page } from "playwright-core";

type Drawn = {
  child: Drawn | null;
  sibling: Drawn | null;
  memoizedProps: { client?: { getMutationCache?(): { getAll(): { state: unknown }[] } } } | null;
};

/** The client of all calls is a property of one of the components that the page has drawn. */
export const readMutationCache = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const root = document.getElementById("root") as unknown as Record<string, { stateNode: { current: Drawn } }>;
    const name = Object.keys(root).find((key) => key.startsWith("__reactContainer$")) ?? "";
    const left: (Drawn | null | undefined)[] = [root[name]?.stateNode.current];
    while (left.length > 0) {
      const drawn = left.pop();
      const cache = drawn?.memoizedProps?.client?.getMutationCache?.();
      if (cache) return JSON.stringify(cache.getAll().map(({ state }) => state));
      if (drawn) left.push(drawn.sibling, drawn.child);
    }
    throw new Error("The page has no client of calls.");
  });

/** Every route has a page state. */
import { expect, test } from "vitest";
import { router } from "../src/router.tsx";
import { pageStates } from "./page-states.ts";

const pages = Object.values(router.routesById).flatMap(({ fullPath, options }) => (options.component && fullPath ? [fullPath] : []));
const matcher = (page: string): RegExp => new RegExp(`^/console${page.replaceAll(/\$\w+/g, "[^/]+").replace(/\/$/, "")}$`);
const paths = Object.values(pageStates).map(({ path }) => path.split(/[?#]/)[0] ?? "");

test("every page of the router has a page state", () => {
  const frames = ["/v/$venue"];
  const isSeen = (page: string): boolean => frames.includes(page) || paths.some((path) => matcher(page).test(path));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !isSeen(page))).toEqual([]);
});

test("a page without a page state is found", () => {
  expect(paths.some((path) => matcher("/v/$venue/tokens").test(path))).toBe(true);
  expect(paths.some((path) => matcher("/v/$venue/no-such-page").test(path))).toBe(false);
});

/** The pages of the router, and the page states of each. A frame around pages has no state of its own. */
import { router } from "../src/compose/router.tsx";
import type { PageState } from "./page-state.ts";
import { pageStates } from "./page-states.ts";

const FRAMES = ["/v/$venue"];

const matcher = (page: string): RegExp => new RegExp(`^/console${page.replaceAll(/\$\w+/g, "[^/]+").replace(/\/$/, "")}$`);

export const routerPages: readonly string[] = Object.values(router.routesById).flatMap(({ fullPath, options }) =>
  options.component && fullPath && !FRAMES.includes(fullPath) ? [fullPath] : [],
);

export const statesOf = (page: string): [string, PageState][] =>
  Object.entries(pageStates).filter(([, { path }]) => matcher(page).test(path.split(/[?#]/)[0] ?? ""));

/**
 * Pages that show one page state after another. The first load of the console costs a second of the processor, so the next state is shown
 * without a load when nothing of the state before is left: see `leave`.
 */
import type { BrowserContext, Page } from "playwright-core";
import { openPage, type PageLook } from "./browser.ts";

type KeptPage = { page: Page; faults: string[]; isLoaded: boolean };

export type KeptPages = {
  /** A page that shows nothing of an earlier state. */
  take(): Promise<KeptPage>;
  /** Keeps the page for another state if nothing of this one is left, or closes it. `hasOtherLook`: its look was changed, or it is painted. */
  giveBack(kept: KeptPage, hasOtherLook: boolean): Promise<void>;
};

/** The look is that of the context. */
export const keepPages = async (context: BrowserContext, baseURL: string, look: PageLook): Promise<KeptPages> => {
  const free: KeptPage[] = [];
  let empty: Promise<string> | null = null;
  await context.addInitScript(addTools);
  return {
    take: async () => free.pop() ?? { ...(await openPage(context, baseURL)), isLoaded: false },
    async giveBack(kept, hasOtherLook) {
      empty ??= describeEmptyPage(context, baseURL);
      const { page } = kept;
      await page.mouse.move(0, 0);
      if (hasOtherLook) {
        await setPainted(page, false);
        await page.emulateMedia({ colorScheme: look.colours });
        await page.setViewportSize(look);
      }
      if (await leave(page, await empty)) free.push({ ...kept, isLoaded: true });
      else await page.close();
    },
  };
};

/** A page that needs no session. Its form asks for nothing before it is sent. */
const EMPTY = "/console/forgot";

/** What a state does to its page by these stays until the page is closed. */
const LASTING: readonly (string | symbol)[] = ["addInitScript", "evaluate", "reload", "route", "clock"];

/** The page for the steps of a state, and whether they changed it for good. */
export const watchSteps = (page: Page): { page: Page; haveLastingEffect(): boolean } => {
  let hasLastingEffect = false;
  const watched = new Proxy(page, {
    get(target, name) {
      if (LASTING.includes(name)) hasLastingEffect = true;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { page: watched, haveLastingEffect: () => hasLastingEffect };
};

/** The parts of the console that a page in the browser finds in React's tree. */
type ReactParts = { router: { history: { push(path: string, state?: object, options?: object): void } }; client: { clear(): void } };
type Fiber = { memoizedProps: Partial<ReactParts> | null; child: Fiber | null; sibling: Fiber | null };
type PageTools = {
  show(path: string): Promise<boolean>;
  leave(path: string): Promise<string | null>;
  describe(): string;
  unpainted: CSSStyleSheet;
};
type WindowWithTools = Window & { pageTools: PageTools };

/** Runs in the page, which then has these under the name `pageTools`. */
const addTools = (): void => {
  const findParts = (): ReactParts | null => {
    const root = document.getElementById("root") as unknown as Record<string, { stateNode: { current: Fiber } }>;
    const key = Object.keys(root).find((name) => name.startsWith("__reactContainer$"));
    const found: Partial<ReactParts> = {};
    const open: (Fiber | null)[] = [key === undefined ? null : (root[key]?.stateNode.current ?? null)];
    while (open.length > 0 && !(found.router && found.client)) {
      const fiber = open.pop();
      if (!fiber) continue;
      found.router ??= fiber.memoizedProps?.router;
      found.client ??= fiber.memoizedProps?.client;
      open.push(fiber.sibling, fiber.child);
    }
    return found.router && found.client ? { router: found.router, client: found.client } : null;
  };
  /** All that could show, without the ids that React counts and the hidden helpers that stay once a component has used them. */
  const describe = (): string => {
    const hidden = "script, style, [data-portal]:empty, body > div:empty, body > textarea[aria-hidden=true]";
    const elements = [...document.querySelectorAll(`html, body, body *:not(${hidden})`)];
    const isCounted = ({ name }: Attr): boolean => /^(?:id|for|aria-labelledby|aria-describedby|nonce)$/.test(name);
    const lines = elements.map((element) =>
      [element.tagName, ...[...element.attributes].filter((one) => !isCounted(one)).map(({ name, value }) => `${name}=${value}`)].join(" "),
    );
    return [...lines, document.getElementById("root")?.textContent].join("\n");
  };
  /** Moves there as a link does. False when the page did not change. */
  const show = async (path: string): Promise<boolean> => {
    const parts = findParts();
    const before = document.querySelector("#root main, #root form") ?? document.querySelector("#root")?.firstElementChild;
    if (!parts || !before) return false;
    // What is left unsaved does not keep the page.
    parts.router.history.push(path, undefined, { ignoreBlocker: true });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (const since = performance.now(); performance.now() < since + 5000; await frame()) if (!before.isConnected) return true;
    return false;
  };
  const leave = async (path: string): Promise<string | null> => {
    if (!(await show(path))) return null;
    findParts()?.client.clear();
    sessionStorage.clear();
    window.scrollTo(0, 0);
    return describe();
  };
  // Painting costs a third of a state, and only axe and screenshots need it.
  const unpainted = new CSSStyleSheet();
  unpainted.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets = [unpainted];
  Object.assign(window, { pageTools: { show, leave, describe, unpainted } satisfies PageTools });
};

/** Moves there as a link does. False when the page did not change. */
export const show = (page: Page, path: string): Promise<boolean> =>
  page.evaluate((wanted) => (window as unknown as WindowWithTools).pageTools.show(wanted), path);

/** An unseen page has its layout and its size, but is not painted. */
export const setPainted = (page: Page, isPainted: boolean): Promise<void> =>
  page.evaluate((wanted) => {
    (window as unknown as WindowWithTools).pageTools.unpainted.disabled = wanted;
  }, isPainted);

/** Describes the page as it is after a load. */
const describeEmptyPage = async (context: BrowserContext, baseURL: string): Promise<string> => {
  const { page } = await openPage(context, baseURL);
  await page.goto(EMPTY);
  await page.locator("#root form").waitFor();
  const shown = await page.evaluate(() => (window as unknown as WindowWithTools).pageTools.describe());
  await page.close();
  return shown;
};

/** False when something of the state is still there, such as a toast or another language. */
const leave = async (page: Page, empty: string): Promise<boolean> =>
  (await page.evaluate((path) => (window as unknown as WindowWithTools).pageTools.leave(path), EMPTY)) === empty;

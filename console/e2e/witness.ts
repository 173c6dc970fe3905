/** Sees whether a page ran, loaded or led anywhere something that it was only to show. */
import type { Page } from "playwright-core";

type Marked = Window & { __ran?: unknown; __refused?: string[] };

export type Witness = { report(): Promise<string[]> };

export const witness = async (page: Page): Promise<Witness> => {
  const seen: string[] = [];
  page.on("dialog", async (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("popup", (popup) => seen.push(`popup: ${popup.url()}`));
  page.on("request", (request) => {
    if (request.isNavigationRequest() && !new URL(request.url()).pathname.startsWith("/console")) seen.push(`led to ${request.url()}`);
  });
  await page.addInitScript(() => {
    const marked = window as Marked;
    marked.__refused = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
      marked.__refused?.push(`refused ${effectiveDirective} ${blockedURI}`),
    );
  });
  return {
    async report() {
      // A refusal is reported a task later than it happens.
      await page.waitForTimeout(50);
      const { ran, refused } = await page.evaluate(() => {
        const marked = window as Marked;
        return { ran: marked.__ran !== undefined, refused: marked.__refused?.splice(0) ?? ["no witness"] };
      });
      return [...seen.splice(0), ...refused, ...(ran ? ["ran"] : [])];
    },
  };
};

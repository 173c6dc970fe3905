/** Detects whether a page executed, loaded or navigated to text that it should only display. */
import type { Page } from "playwright-core";

type MarkedWindow = Window & { __ran?: unknown; __refused?: string[] };

export type XssDetector = { report(): Promise<string[]> };

export const detectXss = async (page: Page): Promise<XssDetector> => {
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
    const marked = window as MarkedWindow;
    marked.__refused = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
      marked.__refused?.push(`refused ${effectiveDirective} ${blockedURI}`),
    );
  });
  return {
    async report() {
      // The browser reports a policy violation one task after it happens.
      await page.waitForTimeout(50);
      const { ran, refused } = await page.evaluate(() => {
        const marked = window as MarkedWindow;
        return { ran: marked.__ran !== undefined, refused: marked.__refused?.splice(0) ?? ["no detector"] };
      });
      return [...seen.splice(0), ...refused, ...(ran ? ["ran"] : [])];
    },
  };
};

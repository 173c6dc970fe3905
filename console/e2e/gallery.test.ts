/** The pictures of `docs/images`: `npm run gallery` takes them again. Without TEST_SCREENSHOTS one of them is taken and judged. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { GALLERY, type Picture } from "./gallery.ts";
import { GALLERY_CAFE, GALLERY_TIME, GALLERY_VENUE, type GalleryVenue, openGalleryVenue } from "./gallery-venue.ts";
import { acceptInvitation } from "./sign-in.ts";

const IMAGES = fileURLToPath(new URL("../../docs/images", import.meta.url));
const BYTES_MAX = 250_000;
/** Nothing moves or blinks, so that two runs give the same bytes. */
const STILL = "*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }";
const folder = process.env.TEST_SCREENSHOTS;
const chosen = process.env.TEST_ONLY?.split(",");

let server: GalleryVenue;
let browser: Browser;
type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;
let owners: Record<string, Session>;

const signIn = async (slug: string, email: string, name: string): Promise<Session> => {
  const context = await browser.newContext({ baseURL: server.url });
  await acceptInvitation(await context.newPage(), await server.invite(slug, email, "owner", name));
  const session = await context.storageState();
  await context.close();
  return session;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([openGalleryVenue({ isWhole: folder !== undefined }), openBrowser()]);
  owners = { [GALLERY_VENUE]: await signIn(GALLERY_VENUE, "nina@example.com", "Nina Ferrari") };
  if (!folder) return;
  owners[GALLERY_CAFE] = await signIn(GALLERY_CAFE, "layla@example.com", "Layla Haddad");
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** As WebP: a third of the bytes of a PNG. Playwright does not write it, the browser does. */
const take = async (page: Page): Promise<Buffer> => {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  return Buffer.from(data, "base64");
};

const open = async ({ width, height, scale = 2, colours = "light", language = "en", of = GALLERY_VENUE }: Picture): Promise<Page> => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: colours,
    locale: language,
    timezoneId: "Europe/Rome",
    reducedMotion: "reduce",
    serviceWorkers: "block",
    bypassCSP: true,
    ...(of && owners[of] && { storageState: owners[of] }),
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(GALLERY_TIME);
  return page;
};

const pictureOf = async (picture: Picture): Promise<Buffer> => {
  const page = await open(picture);
  const path = typeof picture.path === "string" ? picture.path : await picture.path(server);
  await page.goto(path);
  await picture.before?.(page, server);
  await page.locator(picture.shows).first().waitFor();
  await page.mouse.move(0, 0);
  await page.addStyleTag({ content: STILL });
  await page.evaluate(() => document.fonts.ready);
  // Loaders end, and what the stream brings is drawn.
  await page.waitForTimeout(700);
  const bytes = await take(page);
  await page.context().close();
  return bytes;
};

const taken = folder ? GALLERY.filter(({ name }) => chosen?.includes(name) ?? true) : GALLERY.slice(0, 1);

test.each(taken)("$name", async (picture) => {
  const bytes = await pictureOf(picture);
  expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
  expect(bytes.length).toBeLessThan(BYTES_MAX);
  // A page without content has less.
  expect(bytes.length).toBeGreaterThan(10_000);
  if (folder) writeFileSync(join(folder, `${picture.name}.webp`), bytes);
});

test("the folder holds the pictures of the gallery and no others", () => {
  expect(readdirSync(IMAGES).toSorted()).toEqual(GALLERY.map(({ name }) => `${name}.webp`).toSorted());
  for (const name of readdirSync(IMAGES))
    expect([name, statSync(join(IMAGES, name)).size]).toEqual([name, expect.toSatisfy((size: number) => size < BYTES_MAX)]);
});

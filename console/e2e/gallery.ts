/** The list of pictures in `docs/images`, with the page, the size and the look of each. */
import type { Page } from "playwright-core";
import { forVenue } from "../../server/src/admin/command-context.ts";
import { pairScreen } from "../../server/src/venue/kitchen/screens/service.ts";
import { authorizeUrl, newApp, newPkce } from "../../server/test/support/marketplace.ts";
import { GALLERY_CAFE, GALLERY_VENUE, type GalleryVenue } from "./gallery-venue.ts";

export type Picture = {
  name: string;
  path: string | ((server: GalleryVenue) => Promise<string>);
  /** Visible when the page is ready. */
  shows: string;
  width: number;
  height: number;
  scale?: number;
  colours?: "light" | "dark";
  language?: "en" | "ar";
  /** The venue whose owner looks at the page; null: without signing in. */
  of?: string | null;
  before?: (page: Page, server: GalleryVenue) => Promise<void>;
};

const DESK = { width: 1280, height: 800 };
const VENUE = `/console/v/${GALLERY_VENUE}`;
const SCOPES = "menu:read reservations:read reservations:write";

const turnSoundOn = (page: Page): Promise<void> => page.locator(".sound-off").click();
const board = { path: `${VENUE}/orders`, shows: ".order-card", before: turnSoundOn };

const choose =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByText(name, { exact: true }).click();

/** The heading stands so far below the top, where other things stay. */
const scrollTo =
  (heading: string, below = 140) =>
  async (page: Page): Promise<void> => {
    const found = page.getByRole("heading", { name: heading }).first();
    await found.waitFor();
    await page.waitForTimeout(500);
    await found.evaluate((element, px) => {
      element.scrollIntoView({ block: "start" });
      window.scrollBy(0, -px);
    }, below);
  };

const lookAtFloor = async (page: Page): Promise<void> => {
  await choose("Floor plan")(page);
  await scrollTo("Trastevere", 80)(page);
};

const askForConsent = async ({ deps }: GalleryVenue): Promise<string> => authorizeUrl(await newApp(deps), newPkce(), { scope: SCOPES });

const CODE = "7K4D92Q7";

/** The device draws another code each time; the picture shows always the same one. */
const showCode = async (page: Page, { query }: GalleryVenue): Promise<void> => {
  await page.getByRole("button", { name: "Pair this screen" }).click();
  await page.locator(".screen-code").waitFor();
  await query("update screen_pairings set code = $1", [CODE]);
  await page.reload();
};

const typeCode = async (page: Page): Promise<void> => {
  await page.locator(".screens-pair").click();
  await page.locator("[role=dialog] input[name=code]").fill(`${CODE.slice(0, 4)} ${CODE.slice(4)}`);
  // The address of the gallery's service changes with each run.
  await page
    .locator("[role=dialog]")
    .getByText(/\/console\/screen$/)
    .evaluate((element) => {
      element.textContent = "comanda.example.com/console/screen";
    });
};

const pairAs =
  (name: string, stations: string[]) =>
  async (page: Page, server: GalleryVenue): Promise<void> => {
    await showCode(page, server);
    const wanted = { code: CODE, purpose: "kitchen" as const, name, stations, branch_id: null, language: "en" as const, has_sound: true };
    await forVenue(server.deps, GALLERY_VENUE, (ctx) => pairScreen(ctx, wanted));
    await page.getByRole("button", { name: "Sound is off. Tap here" }).click();
  };
const screen = { path: "/console/screen", of: null };

export const GALLERY: readonly Picture[] = [
  { name: "board-light", ...board, width: 1440, height: 900 },
  { name: "board-dark", ...board, width: 1440, height: 900, colours: "dark" },
  { name: "board-phone", ...board, width: 390, height: 800 },
  { name: "board-wall", ...board, width: 1920, height: 1080, scale: 1, colours: "dark" },
  { name: "bookings-timeline", path: `${VENUE}/bookings`, shows: ".timeline", ...DESK, before: choose("Timeline") },
  { name: "bookings-floor-dark", path: `${VENUE}/bookings`, shows: ".floor", ...DESK, colours: "dark", before: lookAtFloor },
  { name: "pairing-dialog", path: `${VENUE}/screens`, shows: "[role=dialog] .station-chips", width: 560, height: 780, before: typeCode },
  { name: "kitchen", ...screen, shows: ".kd-ticket", ...DESK, before: pairAs("Hot kitchen", ["Primi", "Griglia e forno"]) },
  { name: "kitchen-pass", ...screen, shows: ".kd-ticket", width: 1500, height: 900, before: pairAs("Pass", []) },
  { name: "pairing-code", ...screen, shows: ".screen-code", width: 560, height: 780, before: showCode },
  { name: "menu", path: `${VENUE}/menu`, shows: "main", ...DESK },
  { name: "reports", path: `${VENUE}/reports`, shows: "svg", ...DESK, before: scrollTo("By day") },
  { name: "deliveries-dark", path: `${VENUE}/deliveries`, shows: "main", ...DESK, colours: "dark" },
  { name: "consent", path: askForConsent, shows: "main", ...DESK },
  { name: "menu-arabic", path: `/console/v/${GALLERY_CAFE}/menu`, shows: "main", ...DESK, language: "ar", of: GALLERY_CAFE },
];

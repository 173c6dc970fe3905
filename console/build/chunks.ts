/**
 * How the code is divided into files. Left alone, the bundler makes one file for each set of pages that share a module: the first load of the
 * orders board took 100 requests. Small files also compress worse.
 */
import type { Rolldown } from "vite";

/** Below this size, before compression, shared code is joined to the shared code of nearly the same pages. */
const SHARED_BYTES_MIN = 5_000;

/** The service worker must be one file, and the page's own entry keeps its place in the manifest. */
const isOnItsOwn = (id: string): boolean =>
  id.endsWith("/offline/service-worker.ts") || id.endsWith("/index.html") || id.endsWith("/src/main.tsx");
const isDivided = (id: string): boolean => !isOnItsOwn(id);

/** A few hundred bytes each that most pages use: one file of them costs less than a request for each. */
const TINY = new RegExp(
  `/(?:${[
    "developer/venue",
    "developer/role",
    "orders/write-errors",
    "orders/wake-lock",
    "orders/ringer",
    "orders/lateness",
    "orders/counter-amounts",
    "console/stock-kinds",
    "console/checked-codes",
    "ui/action-menu",
    "infiniteQueryObserver",
    "infiniteQueryOptions",
    "useInfiniteQuery",
    "useRouterState",
    "use-disclosure",
    "use-debounced-value",
    "TextInput",
    "Anchor",
    "get-breakpoint-value",
    "get-sorted-breakpoints",
  ].join("|")})\\.(?:tsx?|m?js)$`,
);
const isTiny = (id: string): boolean => TINY.test(id);

/** "Try it" is part of two pages, its texts of more. Left alone, they are joined to code that the screens of the kitchen load. */
const isTryBooking = (id: string): boolean => id.endsWith("/bookings/try-booking.tsx");
const isFloorText = (id: string): boolean => id.endsWith("/texts/en-floor.ts");

/** English texts that load with their pages. Sign-in and the screens of the kitchen load the parts, but show none of these. */
const isPageText = (id: string): boolean => /\/texts\/en-[^/]+$/.test(id);

/** Fields for times are part of many pages, but of no screen of the kitchen, which would load them with the parts. */
const isTimeField = (id: string): boolean => /\/ui\/time-(?:field\.tsx|of-day\.ts)$/.test(id);

/** Left alone, the code of QR codes and what the parts of the menu, of the bookings or of the gift cards share are joined to code that other pages load. */
const isQrCode = (id: string): boolean => /\/(?:node_modules\/uqr\/.*|ui\/qr-code\.tsx)$/.test(id);
const isBookings = (id: string): boolean => /\/console\/src\/bookings\/[^/]+$/.test(id) && !isTryBooking(id);
const isGiftCards = (id: string): boolean =>
  /\/console\/(?:src\/gift-cards\/[^/]+|gift-card-codes)\.tsx?$|\/texts\/en-gift-cards\.ts$/.test(id);
const isMenuEditor = (id: string): boolean => /\/console\/src\/menu\/[^/]+$/.test(id);

/** Components that this many pages use and the first page does not. Left alone, they are a dozen small files. */
const WIDGET_PAGES_MIN = 8;
const isWidget = (id: string): boolean => /\/node_modules\/@(?:mantine|floating-ui)\//.test(id);

/** Our own small parts that this many pages share are one file. */
const PAGES_MIN = 4;
const isPart = (id: string): boolean =>
  !isTryBooking(id) &&
  !isTimeField(id) &&
  !isPageText(id) &&
  !isQrCode(id) &&
  (/\/console\/src\/(?:ui|texts)\//.test(id) || (/\/console\/src\/[^/]+$/.test(id) && isDivided(id)));

/** A group takes its modules and all they import, unless a group of higher priority has them. */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: "main", tags: ["$initial"], priority: 3, test: isDivided },
  { name: "common", priority: 2, test: isTiny },
  { name: "parts", minShareCount: PAGES_MIN, priority: 2, test: isPart },
  { name: "bookings", minShareCount: 2, priority: 2, includeDependenciesRecursively: false, test: isBookings },
  { name: "gift-cards", minShareCount: 2, priority: 2, includeDependenciesRecursively: false, test: isGiftCards },
  { name: "try-booking", priority: 1, includeDependenciesRecursively: false, test: isTryBooking },
  { name: "floor-texts", priority: 1, test: isFloorText },
  { name: "time-field", priority: 1, includeDependenciesRecursively: false, test: isTimeField },
  { name: "qr-code", priority: 1, test: isQrCode },
  { name: "menu-editor", minShareCount: 2, priority: 1, includeDependenciesRecursively: false, test: isMenuEditor },
  { name: "widgets", minShareCount: WIDGET_PAGES_MIN, priority: 1, includeDependenciesRecursively: false, test: isWidget },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SHARED_BYTES_MIN, test: isDivided },
];

/** The bundler names shared code after all pages that use it. */
const shortName = (name: string): string => (name.startsWith("shared~") ? "shared" : "[name]");

export const chunkFileNames = ({ name }: { name: string }): string => `assets/${shortName(name)}-[hash].js`;

export const assetFileNames = ({ names: [name = ""] }: { names: string[] }): string => `assets/${shortName(name)}-[hash][extname]`;

/**
 * How the code is divided into files. Left alone, the bundler makes one file for each set of pages that share a module: the first load of the
 * orders board took 100 requests. Small files also compress worse.
 */
import type { Rolldown } from "vite";

/** Shared code below this size, before compression, is joined to the shared code of nearly the same pages. */
const SHARED_BYTES_MIN = 5_000;

/** The service worker must be one file, and the page's own entry keeps its place in the manifest. */
const isOnItsOwn = (id: string): boolean =>
  id.endsWith("/offline/service-worker.ts") || id.endsWith("/index.html") || id.endsWith("/src/main.tsx");
const isDivided = (id: string): boolean => !isOnItsOwn(id);

/** A few hundred bytes each that most pages use: one file of them costs less than a request for each. */
const TINY = new RegExp(
  `/(?:${[
    "shell/venue",
    "shell/role",
    "orders/write-errors",
    "kit/wake-lock",
    "kit/ringer",
    "kit/lateness",
    "orders/counter-amounts",
    "console/stock-kinds",
    "console/checked-codes",
    "kit/action-menu",
    "kit/amounts",
    "offline/register-service-worker",
    "kit/form",
    "kit/save-file",
    "kit/second-tap",
    "FileButton",
    "kit/channel-name",
    "kit/offered-languages",
    "infiniteQueryObserver",
    "infiniteQueryOptions",
    "useInfiniteQuery",
    "useRouterState",
    "use-disclosure",
    "clamp",
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
const isFormText = (id: string): boolean => /\/(?:kit\/texts-forms|bookings\/texts-try)\.en\.ts$/.test(id);

/** English texts that load with their pages. Sign-in and the screens of the kitchen load the parts, but show none of these. */
const isPageText = (id: string): boolean => /\/texts(?:-[a-z]+)?\.en\.ts$/.test(id);

/** Fields for times are part of many pages, but of no screen of the kitchen, which would load them with the parts. */
const isTimeField = (id: string): boolean => /\/kit\/time-(?:field\.tsx|of-day\.ts)$/.test(id);

/** Fields for numbers are part of many pages, but not of the sign-in. */
const isNumberField = (id: string): boolean => /\/(?:NumberInput|react-number-format)\/|\/kit\/number-field\.tsx$/.test(id);

/** Left alone, the code of QR codes is joined to code that other pages load. */
const isQrCode = (id: string): boolean => /\/(?:node_modules\/uqr\/.*|kit\/qr-code\.tsx)$/.test(id);

/** Files of these folders are shared by the pages of their area. Left alone, they are joined to code that other pages load. */
const AREAS = ["menu", "settings", "sign-up"];
const isIn = (area: string) => (id: string) => id.includes(`/console/src/${area}/`) && /\/console\/src\/[^/]+\/[^/]+$/.test(id);
const isBookings = (id: string): boolean => isIn("bookings")(id) && !isTryBooking(id);
const isGiftCards = (id: string): boolean => isIn("gift-cards")(id) || id.endsWith("/console/gift-card-codes.ts");

/** Components that this many pages use and the first page does not. Left alone, they are a dozen small files. */
const WIDGET_PAGES_MIN = 8;
const isWidget = (id: string): boolean => /\/node_modules\/@(?:mantine|floating-ui)\//.test(id);

/** Parts that bring much with them, or that few pages use: they load with the pages that use them. */
const OWN_PARTS =
  "amounts code-names dates diff hours-fields keyed-call lateness new-key number-field ringer rule-errors save-file translation-fields unsaved wake-lock write write-tries";
const OWN_PART = new RegExp(
  `/console/src/(?:kit/(?:${OWN_PARTS.replaceAll(" ", "|")})|shell/(?:refetch-on-change|role|sign-out|venue))\\.tsx?$`,
);
const isOwnPart = (id: string): boolean => OWN_PART.test(id);

/** Our own small parts that this many pages share are one file. */
const PAGES_MIN = 4;
const isPart = (id: string): boolean =>
  !isOwnPart(id) && !isTimeField(id) && !isPageText(id) && !isQrCode(id) && /\/console\/src\/(?:kit|shell)\//.test(id);

/** A group takes its modules and all they import, unless a group of higher priority has them. */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: "main", tags: ["$initial"], priority: 3, test: isDivided },
  { name: "common", priority: 2, test: isTiny },
  { name: "parts", minShareCount: PAGES_MIN, priority: 2, test: isPart },
  { name: "bookings", minShareCount: 2, priority: 2, includeDependenciesRecursively: false, test: isBookings },
  { name: "gift-cards", minShareCount: 2, priority: 2, includeDependenciesRecursively: false, test: isGiftCards },
  { name: "try-booking", priority: 1, includeDependenciesRecursively: false, test: isTryBooking },
  { name: "form-texts", priority: 1, test: isFormText },
  { name: "time-field", priority: 1, includeDependenciesRecursively: false, test: isTimeField },
  { name: "number-field", priority: 2, includeDependenciesRecursively: false, test: isNumberField },
  { name: "qr-code", priority: 1, test: isQrCode },
  ...AREAS.map((area) => ({ name: area, minShareCount: 2, priority: 1, includeDependenciesRecursively: false, test: isIn(area) })),
  { name: "widgets", minShareCount: WIDGET_PAGES_MIN, priority: 1, includeDependenciesRecursively: false, test: isWidget },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SHARED_BYTES_MIN, test: isDivided },
];

/** The bundler names shared code after all pages that use it. */
const shortName = (name: string): string => (name.startsWith("shared~") ? "shared" : "[name]");

export const chunkFileNames = ({ name }: { name: string }): string => `assets/${shortName(name)}-[hash].js`;

export const assetFileNames = ({ names: [name = ""] }: { names: string[] }): string => `assets/${shortName(name)}-[hash][extname]`;

/** The pages of the venue's settings. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { withOfflineError } from "#shell/offline.tsx";
import { venue } from "./base-routes.ts";

const restaurant = createRoute({
  getParentRoute: () => venue,
  path: "restaurant",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/restaurant/restaurant.tsx")),
    "RestaurantPage",
  ),
});
const hours = createRoute({
  getParentRoute: () => venue,
  path: "hours",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/hours/hours.tsx")),
    "HoursPage",
  ),
});
const team = createRoute({
  getParentRoute: () => venue,
  path: "team",
  component: lazyRouteComponent(
    withOfflineError(() => import("#team/team.tsx")),
    "TeamPage",
  ),
});
const floor = createRoute({
  getParentRoute: () => venue,
  path: "floor",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/floor/floor.tsx")),
    "FloorPage",
  ),
});
const tableCodes = createRoute({
  getParentRoute: () => venue,
  path: "floor/qr-codes",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/floor/qr-sheet.tsx")),
    "QrSheetPage",
  ),
});
const bookingRules = createRoute({
  getParentRoute: () => venue,
  path: "booking-rules",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/booking-rules/booking-rules.tsx")),
    "BookingRulesPage",
  ),
});
const ordering = createRoute({
  getParentRoute: () => venue,
  path: "ordering",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/ordering/ordering.tsx")),
    "OrderingPage",
  ),
});
const charges = createRoute({
  getParentRoute: () => venue,
  path: "charges",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/charges/charges.tsx")),
    "ChargesPage",
  ),
});
const till = createRoute({
  getParentRoute: () => venue,
  path: "till",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/till/till.tsx")),
    "TillPage",
  ),
});
const venueFile = createRoute({
  getParentRoute: () => venue,
  path: "venue-file",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/venue-file/venue-file.tsx")),
    "VenueFilePage",
  ),
});
const screens = createRoute({
  getParentRoute: () => venue,
  path: "screens",
  component: lazyRouteComponent(
    withOfflineError(() => import("#settings/screens/screens.tsx")),
    "ScreensPage",
  ),
});

export const settingsPages = [
  restaurant,
  hours,
  team,
  floor,
  tableCodes,
  bookingRules,
  ordering,
  charges,
  till,
  venueFile,
  screens,
] as const;

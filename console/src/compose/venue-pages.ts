/** The pages of a venue. The code of a page is loaded when it is first opened. */
import { createRoute, redirect } from "@tanstack/react-router";
import { readActivitySearch, readDeliverySearch, readRequestSearch } from "#developer/search-params.ts";
import { readGuestSearch } from "#guests/guest-search.ts";
import { readTakingsSearch } from "#orders/takings/takings-search.ts";
import { readReportSearch } from "#reports/report-search.ts";
import { lazyPage, type PageExports } from "#shell/offline.tsx";
import { venue } from "./base-routes.ts";

const venuePage = <const Path extends string, Exports extends PageExports, Name extends keyof Exports & string>(
  path: Path,
  load: () => Promise<Exports>,
  name: Name,
) => createRoute({ getParentRoute: () => venue, path, component: lazyPage(load, name) });

const venueStart = createRoute({
  getParentRoute: () => venue,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/v/$venue/orders", params });
  },
});
const orders = venuePage("orders", () => import("#orders/orders.tsx"), "OrdersPage");
const opening = venuePage("opening", () => import("#sign-up/opening.tsx"), "OpeningPage");
const bookings = venuePage("bookings", () => import("#bookings/bookings.tsx"), "BookingsPage");
const menuToday = venuePage("menu-today", () => import("#menu-today/menu-today.tsx"), "MenuTodayPage");
const menu = venuePage("menu", () => import("#menu/menu-page.tsx"), "MenuPage");
const takings = createRoute({
  getParentRoute: () => venue,
  path: "takings",
  validateSearch: readTakingsSearch,
  component: lazyPage(() => import("#orders/takings/takings.tsx"), "TakingsPage"),
});
const guests = createRoute({
  getParentRoute: () => venue,
  path: "guests",
  validateSearch: readGuestSearch,
  component: lazyPage(() => import("#guests/guests.tsx"), "GuestsPage"),
});
const guest = venuePage("guests/$guest", () => import("#guest-records/guest-profile.tsx"), "GuestProfilePage");
const giftCards = venuePage("gift-cards", () => import("#gift-cards/gift-cards.tsx"), "GiftCardsPage");
const giftCard = venuePage("gift-cards/$card", () => import("#gift-cards/card-ledger.tsx"), "GiftCardPage");
const reviews = venuePage("reviews", () => import("#reviews/reviews.tsx"), "ReviewsPage");
const review = venuePage("reviews/$review", () => import("#reviews/review.tsx"), "ReviewPage");
const stock = venuePage("stock", () => import("#stock/stock.tsx"), "StockPage");
const stockEntries = venuePage("stock/entries/$ingredient", () => import("#stock/stock-entries.tsx"), "StockEntriesPage");
const recipes = venuePage("stock/recipes", () => import("#stock/recipes.tsx"), "RecipesPage");
const recipe = venuePage("stock/recipes/$dish", () => import("#stock/recipe.tsx"), "RecipePage");
const shifts = venuePage("shifts", () => import("#shifts/shifts.tsx"), "ShiftsPage");
const ownShifts = venuePage("own-shifts", () => import("#shifts/own-shifts.tsx"), "OwnShiftsPage");
const experiences = venuePage("experiences", () => import("#experiences/experiences.tsx"), "ExperiencesPage");
const experienceSession = venuePage("experiences/sessions/$session", () => import("#experiences/session.tsx"), "ExperienceSessionPage");
const reports = createRoute({
  getParentRoute: () => venue,
  path: "reports",
  validateSearch: readReportSearch,
  component: lazyPage(() => import("#reports/reports.tsx"), "ReportsPage"),
});

const restaurant = venuePage("restaurant", () => import("#settings/restaurant/restaurant.tsx"), "RestaurantPage");
const hours = venuePage("hours", () => import("#settings/hours/hours.tsx"), "HoursPage");
const team = venuePage("team", () => import("#team/team.tsx"), "TeamPage");
const floor = venuePage("floor", () => import("#settings/floor/floor.tsx"), "FloorPage");
const tableCodes = venuePage("floor/qr-codes", () => import("#settings/floor/qr-sheet.tsx"), "QrSheetPage");
const bookingRules = venuePage("booking-rules", () => import("#settings/booking-rules/booking-rules.tsx"), "BookingRulesPage");
const ordering = venuePage("ordering", () => import("#settings/ordering/ordering.tsx"), "OrderingPage");
const charges = venuePage("charges", () => import("#settings/charges/charges.tsx"), "ChargesPage");
const till = venuePage("till", () => import("#settings/till/till.tsx"), "TillPage");
const venueFile = venuePage("venue-file", () => import("#settings/venue-file/venue-file.tsx"), "VenueFilePage");
const screens = venuePage("screens", () => import("#settings/screens/screens.tsx"), "ScreensPage");

const developer = createRoute({
  getParentRoute: () => venue,
  id: "developer",
  component: lazyPage(() => import("#developer/developer-pages.tsx"), "DeveloperPages"),
});
const developerPage = <const Path extends string, Exports extends PageExports, Name extends keyof Exports & string>(
  path: Path,
  load: () => Promise<Exports>,
  name: Name,
) => createRoute({ getParentRoute: () => developer, path, component: lazyPage(load, name) });
const tokens = developerPage("tokens", () => import("#developer/tokens.tsx"), "Tokens");
const sandbox = developerPage("sandbox", () => import("#developer/sandbox.tsx"), "SandboxPage");
const webhooks = developerPage("webhooks", () => import("#developer/webhooks/webhooks.tsx"), "Webhooks");
const deliveries = createRoute({
  getParentRoute: () => developer,
  path: "deliveries",
  validateSearch: readDeliverySearch,
  component: lazyPage(() => import("#developer/deliveries/deliveries.tsx"), "Deliveries"),
});
const signature = developerPage("signature", () => import("#developer/signature/signature.tsx"), "SignatureChecker");
const activity = createRoute({
  getParentRoute: () => developer,
  path: "activity",
  validateSearch: readActivitySearch,
  component: lazyPage(() => import("#developer/activity/activity.tsx"), "Activity"),
});
const requests = createRoute({
  getParentRoute: () => developer,
  path: "requests",
  validateSearch: readRequestSearch,
  component: lazyPage(() => import("#developer/requests/requests.tsx"), "Requests"),
});
const apps = developerPage("apps", () => import("#apps/venue/apps.tsx"), "Apps");

export const venuePages = [
  venueStart,
  orders,
  opening,
  bookings,
  menuToday,
  menu,
  takings,
  guests,
  guest,
  giftCards,
  giftCard,
  reviews,
  review,
  stock,
  stockEntries,
  recipes,
  recipe,
  shifts,
  ownShifts,
  experiences,
  experienceSession,
  reports,
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
  developer.addChildren([tokens, sandbox, apps, webhooks, deliveries, signature, activity, requests]),
] as const;

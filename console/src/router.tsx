/** The routes. The code of a page is loaded when it is first opened. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type ParsedLocation,
  redirect,
} from "@tanstack/react-router";
import { CallError, hasErrorCode } from "./api.ts";
import { readActivitySearch, readDeliverySearch, readRequestSearch } from "./developer/search-params.ts";
import { readGuestSearch } from "./guests/guest-search.ts";
import { readTakingsSearch } from "./orders/takings/takings-search.ts";
import { readReportSearch } from "./reports/report-search.ts";
import { sessionQuery } from "./session.ts";
import { applyPersonLanguage } from "./texts/language.ts";
import { withOfflineError } from "./ui/offline.tsx";
import { MissingInVenue, PageCrash, PageLoading, PageMissing } from "./ui/page-states.tsx";

const onError = (error: Error): void => {
  if (hasErrorCode(error, "signed_out")) void leave();
  // The session then names the venue that asks for it.
  if (hasErrorCode(error, "second_factor_setup_required")) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retries only lost requests and server errors.
      retry: (count, error) => count < 2 && (!(error instanceof CallError) || error.status >= 500 || error.code === "offline"),
    },
  },
});

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: PageMissing });

/** Accepts only a path of this site, never another host. */
const readReturn = (to: unknown): { to?: string } => (typeof to === "string" && /^\/(?![/\\])/.test(to) ? { to } : {});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: (search: Record<string, unknown>) => readReturn(search.to),
  component: lazyRouteComponent(
    withOfflineError(() => import("./account/sign-in.tsx")),
    "SignIn",
  ),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "forgot",
  component: lazyRouteComponent(
    withOfflineError(() => import("./account/forgot-password.tsx")),
    "ForgotPassword",
  ),
});
const link = createRoute({
  getParentRoute: () => root,
  path: "link",
  component: lazyRouteComponent(
    withOfflineError(() => import("./account/email-link.tsx")),
    "EmailLink",
  ),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "sign-up",
  component: lazyRouteComponent(
    withOfflineError(() => import("./sign-up/sign-up.tsx")),
    "SignUp",
  ),
});
/** The page of a device without a person. */
const screen = createRoute({
  getParentRoute: () => root,
  path: "screen",
  component: lazyRouteComponent(
    withOfflineError(() => import("./screen/screen-page.tsx")),
    "ScreenPage",
  ),
});

const returnTo = ({ pathname, searchStr }: ParsedLocation): { to?: string } => (pathname === "/" ? {} : { to: `${pathname}${searchStr}` });

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (hasErrorCode(error, "signed_out")) throw redirect({ to: "/sign-in", search: returnTo(location) });
      throw error;
    });
    await applyPersonLanguage(session.person.locale);
    return { session };
  },
});
const start = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: ({ context }) => {
    const [only, ...others] = context.session.venues;
    if (only && others.length === 0) throw redirect({ to: "/v/$venue/orders", params: { venue: only.slug } });
  },
  component: lazyRouteComponent(
    withOfflineError(() => import("./account/venues.tsx")),
    "Venues",
  ),
});
const account = createRoute({
  getParentRoute: () => inside,
  path: "account",
  component: lazyRouteComponent(
    withOfflineError(() => import("./account/account.tsx")),
    "Account",
  ),
});
const ownApps = createRoute({
  getParentRoute: () => inside,
  path: "apps",
  component: lazyRouteComponent(
    withOfflineError(() => import("./apps/my-apps/my-apps.tsx")),
    "MyApps",
  ),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: "consent/$request",
  component: lazyRouteComponent(
    withOfflineError(() => import("./apps/consent/consent.tsx")),
    "ConsentPage",
  ),
});

const venue = createRoute({
  getParentRoute: () => inside,
  path: "v/$venue",
  beforeLoad: ({ context, params }) => {
    const membership = context.session.venues.find(({ slug }) => slug === params.venue);
    if (!membership) throw notFound();
    return { membership };
  },
  component: lazyRouteComponent(
    withOfflineError(() => import("./ui/shell.tsx")),
    "VenueShell",
  ),
  notFoundComponent: MissingInVenue,
});
const venueStart = createRoute({
  getParentRoute: () => venue,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/v/$venue/orders", params });
  },
});
const orders = createRoute({
  getParentRoute: () => venue,
  path: "orders",
  component: lazyRouteComponent(
    withOfflineError(() => import("./orders/orders.tsx")),
    "OrdersPage",
  ),
});
const opening = createRoute({
  getParentRoute: () => venue,
  path: "opening",
  component: lazyRouteComponent(
    withOfflineError(() => import("./sign-up/opening.tsx")),
    "OpeningPage",
  ),
});
const bookings = createRoute({
  getParentRoute: () => venue,
  path: "bookings",
  component: lazyRouteComponent(
    withOfflineError(() => import("./bookings/bookings.tsx")),
    "BookingsPage",
  ),
});
const menuToday = createRoute({
  getParentRoute: () => venue,
  path: "menu-today",
  component: lazyRouteComponent(
    withOfflineError(() => import("./menu-today/menu-today.tsx")),
    "MenuTodayPage",
  ),
});
const menu = createRoute({
  getParentRoute: () => venue,
  path: "menu",
  component: lazyRouteComponent(
    withOfflineError(() => import("./menu/menu-page.tsx")),
    "MenuPage",
  ),
});
const takings = createRoute({
  getParentRoute: () => venue,
  path: "takings",
  validateSearch: readTakingsSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./orders/takings/takings.tsx")),
    "TakingsPage",
  ),
});
const guests = createRoute({
  getParentRoute: () => venue,
  path: "guests",
  validateSearch: readGuestSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./guests/guests.tsx")),
    "GuestsPage",
  ),
});
const guest = createRoute({
  getParentRoute: () => venue,
  path: "guests/$guest",
  component: lazyRouteComponent(
    withOfflineError(() => import("./guests/guest-profile.tsx")),
    "GuestProfilePage",
  ),
});
const giftCards = createRoute({
  getParentRoute: () => venue,
  path: "gift-cards",
  component: lazyRouteComponent(
    withOfflineError(() => import("./gift-cards/gift-cards.tsx")),
    "GiftCardsPage",
  ),
});
const giftCard = createRoute({
  getParentRoute: () => venue,
  path: "gift-cards/$card",
  component: lazyRouteComponent(
    withOfflineError(() => import("./gift-cards/card-ledger.tsx")),
    "GiftCardPage",
  ),
});
const reports = createRoute({
  getParentRoute: () => venue,
  path: "reports",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./reports/reports.tsx")),
    "ReportsPage",
  ),
});
const screens = createRoute({
  getParentRoute: () => venue,
  path: "screens",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/screens/screens.tsx")),
    "ScreensPage",
  ),
});
const restaurant = createRoute({
  getParentRoute: () => venue,
  path: "restaurant",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/restaurant/restaurant.tsx")),
    "RestaurantPage",
  ),
});
const hours = createRoute({
  getParentRoute: () => venue,
  path: "hours",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/hours/hours.tsx")),
    "HoursPage",
  ),
});
const team = createRoute({
  getParentRoute: () => venue,
  path: "team",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/team/team.tsx")),
    "TeamPage",
  ),
});
const floor = createRoute({
  getParentRoute: () => venue,
  path: "floor",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/floor/floor.tsx")),
    "FloorPage",
  ),
});
const tableCodes = createRoute({
  getParentRoute: () => venue,
  path: "floor/qr-codes",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/floor/qr-sheet.tsx")),
    "QrSheetPage",
  ),
});
const bookingRules = createRoute({
  getParentRoute: () => venue,
  path: "booking-rules",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/booking-rules/booking-rules.tsx")),
    "BookingRulesPage",
  ),
});
const ordering = createRoute({
  getParentRoute: () => venue,
  path: "ordering",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/ordering/ordering.tsx")),
    "OrderingPage",
  ),
});
const charges = createRoute({
  getParentRoute: () => venue,
  path: "charges",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/charges/charges.tsx")),
    "ChargesPage",
  ),
});
const till = createRoute({
  getParentRoute: () => venue,
  path: "till",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/till/till.tsx")),
    "TillPage",
  ),
});
const venueFile = createRoute({
  getParentRoute: () => venue,
  path: "venue-file",
  component: lazyRouteComponent(
    withOfflineError(() => import("./settings/venue-file/venue-file.tsx")),
    "VenueFilePage",
  ),
});
const developer = createRoute({
  getParentRoute: () => venue,
  id: "developer",
  component: lazyRouteComponent(
    withOfflineError(() => import("./ui/role-guard.tsx")),
    "DeveloperPages",
  ),
});
const tokens = createRoute({
  getParentRoute: () => developer,
  path: "tokens",
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/tokens.tsx")),
    "Tokens",
  ),
});
const sandbox = createRoute({
  getParentRoute: () => developer,
  path: "sandbox",
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/sandbox.tsx")),
    "SandboxPage",
  ),
});
const webhooks = createRoute({
  getParentRoute: () => developer,
  path: "webhooks",
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/webhooks/webhooks.tsx")),
    "Webhooks",
  ),
});
const deliveries = createRoute({
  getParentRoute: () => developer,
  path: "deliveries",
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/deliveries/deliveries.tsx")),
    "Deliveries",
  ),
});
const signature = createRoute({
  getParentRoute: () => developer,
  path: "signature",
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/signature/signature.tsx")),
    "SignatureChecker",
  ),
});
const activity = createRoute({
  getParentRoute: () => developer,
  path: "activity",
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/activity/activity.tsx")),
    "Activity",
  ),
});
const requests = createRoute({
  getParentRoute: () => developer,
  path: "requests",
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer/requests/requests.tsx")),
    "Requests",
  ),
});
const apps = createRoute({
  getParentRoute: () => developer,
  path: "apps",
  component: lazyRouteComponent(
    withOfflineError(() => import("./apps/venue/apps.tsx")),
    "Apps",
  ),
});
const developerPages = [tokens, sandbox, apps, webhooks, deliveries, signature, activity, requests] as const;

const routeTree = root.addChildren([
  signIn,
  forgot,
  link,
  signUp,
  screen,
  inside.addChildren([
    start,
    account,
    ownApps,
    consent,
    venue.addChildren([
      venueStart,
      orders,
      opening,
      bookings,
      menuToday,
      menu,
      takings,
      guests,
      guest,
      restaurant,
      hours,
      giftCards,
      giftCard,
      reports,
      floor,
      tableCodes,
      bookingRules,
      ordering,
      charges,
      till,
      venueFile,
      team,
      screens,
      developer.addChildren(developerPages),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: "/console",
  context: { queryClient },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageCrash,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** After the session ends: deletes what was read with it, and returns here after the next sign-in. Changes that wait are kept for their person. */
const leave = async (): Promise<void> => {
  const { location } = router.state;
  // A screen has no session: its own page says that it was ended.
  if (location.pathname === "/screen") return;
  void import("./offline/local-database.ts").then(({ deleteCopies }) => deleteCopies(null)).catch(() => undefined);
  if (location.pathname.endsWith("/sign-in")) return;
  queryClient.clear();
  await router.navigate({ to: "/sign-in", search: returnTo(location) });
};

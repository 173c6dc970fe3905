/** The routes. The code of a page is loaded when it is first opened. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readGuestSearch } from "#guests/guest-search.ts";
import { CallError, hasErrorCode } from "#kit/api.ts";
import { readTakingsSearch } from "#orders/takings/takings-search.ts";
import { readReportSearch } from "#reports/report-search.ts";
import { withOfflineError } from "#shell/offline.tsx";
import { PageCrash, PageLoading } from "#shell/page-states.tsx";
import { sessionQuery } from "#shell/session.ts";
import { inside, returnTo, root, venue } from "./base-routes.ts";
import { developer, developerPages } from "./developer-routes.ts";
import { settingsPages } from "./settings-routes.ts";

const onError = (error: Error): void => {
  if (hasErrorCode(error, "signed_out")) void leave();
  // The session then names the venue that asks for it.
  if (hasErrorCode(error, "second_factor_setup_required") || hasErrorCode(error, "sign_in_again"))
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
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

/** Accepts only a path of this site, never another host. */
const readReturn = (to: unknown): { to?: string } => (typeof to === "string" && /^\/(?![/\\])/.test(to) ? { to } : {});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: (search: Record<string, unknown>) => readReturn(search.to),
  component: lazyRouteComponent(
    withOfflineError(() => import("#account/sign-in.tsx")),
    "SignIn",
  ),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "forgot",
  component: lazyRouteComponent(
    withOfflineError(() => import("#account/forgot-password.tsx")),
    "ForgotPassword",
  ),
});
const link = createRoute({
  getParentRoute: () => root,
  path: "link",
  component: lazyRouteComponent(
    withOfflineError(() => import("#account/email-link.tsx")),
    "EmailLink",
  ),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "sign-up",
  component: lazyRouteComponent(
    withOfflineError(() => import("#sign-up/sign-up.tsx")),
    "SignUp",
  ),
});
/** The page of a device without a person. */
const screen = createRoute({
  getParentRoute: () => root,
  path: "screen",
  component: lazyRouteComponent(
    withOfflineError(() => import("#screen/screen-page.tsx")),
    "ScreenPage",
  ),
});

const start = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: ({ context }) => {
    const [only, ...others] = context.session.venues;
    if (only && others.length === 0) throw redirect({ to: "/v/$venue/orders", params: { venue: only.slug } });
  },
  component: lazyRouteComponent(
    withOfflineError(() => import("#account/venues.tsx")),
    "Venues",
  ),
});
const own = createRoute({
  getParentRoute: () => inside,
  id: "own",
  component: lazyRouteComponent(
    withOfflineError(() => import("./venue-shell.tsx")),
    "OwnPages",
  ),
});
const account = createRoute({
  getParentRoute: () => own,
  path: "account",
  component: lazyRouteComponent(
    withOfflineError(() => import("#account/account.tsx")),
    "Account",
  ),
});
const ownApps = createRoute({
  getParentRoute: () => own,
  path: "apps",
  component: lazyRouteComponent(
    withOfflineError(() => import("#apps/my-apps/my-apps.tsx")),
    "MyApps",
  ),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: "consent/$request",
  component: lazyRouteComponent(
    withOfflineError(() => import("#apps/consent/consent.tsx")),
    "ConsentPage",
  ),
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
    withOfflineError(() => import("#orders/orders.tsx")),
    "OrdersPage",
  ),
});
const opening = createRoute({
  getParentRoute: () => venue,
  path: "opening",
  component: lazyRouteComponent(
    withOfflineError(() => import("#sign-up/opening.tsx")),
    "OpeningPage",
  ),
});
const bookings = createRoute({
  getParentRoute: () => venue,
  path: "bookings",
  component: lazyRouteComponent(
    withOfflineError(() => import("#bookings/bookings.tsx")),
    "BookingsPage",
  ),
});
const menuToday = createRoute({
  getParentRoute: () => venue,
  path: "menu-today",
  component: lazyRouteComponent(
    withOfflineError(() => import("#menu-today/menu-today.tsx")),
    "MenuTodayPage",
  ),
});
const menu = createRoute({
  getParentRoute: () => venue,
  path: "menu",
  component: lazyRouteComponent(
    withOfflineError(() => import("#menu/menu-page.tsx")),
    "MenuPage",
  ),
});
const takings = createRoute({
  getParentRoute: () => venue,
  path: "takings",
  validateSearch: readTakingsSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#orders/takings/takings.tsx")),
    "TakingsPage",
  ),
});
const guests = createRoute({
  getParentRoute: () => venue,
  path: "guests",
  validateSearch: readGuestSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#guests/guests.tsx")),
    "GuestsPage",
  ),
});
const guest = createRoute({
  getParentRoute: () => venue,
  path: "guests/$guest",
  component: lazyRouteComponent(
    withOfflineError(() => import("#guest-records/guest-profile.tsx")),
    "GuestProfilePage",
  ),
});
const giftCards = createRoute({
  getParentRoute: () => venue,
  path: "gift-cards",
  component: lazyRouteComponent(
    withOfflineError(() => import("#gift-cards/gift-cards.tsx")),
    "GiftCardsPage",
  ),
});
const giftCard = createRoute({
  getParentRoute: () => venue,
  path: "gift-cards/$card",
  component: lazyRouteComponent(
    withOfflineError(() => import("#gift-cards/card-ledger.tsx")),
    "GiftCardPage",
  ),
});
const reviews = createRoute({
  getParentRoute: () => venue,
  path: "reviews",
  component: lazyRouteComponent(
    withOfflineError(() => import("#reviews/reviews.tsx")),
    "ReviewsPage",
  ),
});
const review = createRoute({
  getParentRoute: () => venue,
  path: "reviews/$review",
  component: lazyRouteComponent(
    withOfflineError(() => import("#reviews/review.tsx")),
    "ReviewPage",
  ),
});
const stock = createRoute({
  getParentRoute: () => venue,
  path: "stock",
  component: lazyRouteComponent(
    withOfflineError(() => import("#stock/stock.tsx")),
    "StockPage",
  ),
});
const stockEntries = createRoute({
  getParentRoute: () => venue,
  path: "stock/entries/$ingredient",
  component: lazyRouteComponent(
    withOfflineError(() => import("#stock/stock-entries.tsx")),
    "StockEntriesPage",
  ),
});
const recipes = createRoute({
  getParentRoute: () => venue,
  path: "stock/recipes",
  component: lazyRouteComponent(
    withOfflineError(() => import("#stock/recipes.tsx")),
    "RecipesPage",
  ),
});
const recipe = createRoute({
  getParentRoute: () => venue,
  path: "stock/recipes/$dish",
  component: lazyRouteComponent(
    withOfflineError(() => import("#stock/recipe.tsx")),
    "RecipePage",
  ),
});
const shifts = createRoute({
  getParentRoute: () => venue,
  path: "shifts",
  component: lazyRouteComponent(
    withOfflineError(() => import("#shifts/shifts.tsx")),
    "ShiftsPage",
  ),
});
const ownShifts = createRoute({
  getParentRoute: () => venue,
  path: "own-shifts",
  component: lazyRouteComponent(
    withOfflineError(() => import("#shifts/own-shifts.tsx")),
    "OwnShiftsPage",
  ),
});
const experiences = createRoute({
  getParentRoute: () => venue,
  path: "experiences",
  component: lazyRouteComponent(
    withOfflineError(() => import("#experiences/experiences.tsx")),
    "ExperiencesPage",
  ),
});
const experienceSession = createRoute({
  getParentRoute: () => venue,
  path: "experiences/sessions/$session",
  component: lazyRouteComponent(
    withOfflineError(() => import("#experiences/session.tsx")),
    "ExperienceSessionPage",
  ),
});
const reports = createRoute({
  getParentRoute: () => venue,
  path: "reports",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#reports/reports.tsx")),
    "ReportsPage",
  ),
});

const routeTree = root.addChildren([
  signIn,
  forgot,
  link,
  signUp,
  screen,
  inside.addChildren([
    start,
    own.addChildren([account, ownApps]),
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
      ...settingsPages,
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
  void import("#offline/local-database.ts").then(({ deleteCopies }) => deleteCopies(null)).catch(() => undefined);
  if (location.pathname.endsWith("/sign-in")) return;
  queryClient.clear();
  await router.navigate({ to: "/sign-in", search: returnTo(location) });
};

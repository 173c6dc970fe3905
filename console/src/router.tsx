/** The pages and who may see them; each page's code is fetched when it is first needed. */
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
import { isRefused, Refused } from "./api.ts";
import { readActivitySearch, readDeliverySearch, readRequestSearch } from "./developer/search.ts";
import { sessionQuery } from "./session.ts";
import { speakForPerson } from "./texts/language.ts";
import { orOffline } from "./ui/offline.tsx";
import { MissingInVenue, PageCrash, PageLoading, PageMissing } from "./ui/states.tsx";

const onError = (error: Error): void => {
  if (isRefused(error, "signed_out")) void leave();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What was refused will be refused again; what got lost on its way may not.
      retry: (count, error) => count < 2 && (!(error instanceof Refused) || error.status >= 500 || error.code === "offline"),
    },
  },
});

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: PageMissing });

/** Only an address of our own is gone back to. */
const readReturn = (to: unknown): { to?: string } => (typeof to === "string" && /^\/(?![/\\])/.test(to) ? { to } : {});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: (search: Record<string, unknown>) => readReturn(search.to),
  component: lazyRouteComponent(
    orOffline(() => import("./account/sign-in.tsx")),
    "SignIn",
  ),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "forgot",
  component: lazyRouteComponent(
    orOffline(() => import("./account/forgot.tsx")),
    "Forgot",
  ),
});
const link = createRoute({
  getParentRoute: () => root,
  path: "link",
  component: lazyRouteComponent(
    orOffline(() => import("./account/link.tsx")),
    "UseLink",
  ),
});

const returnTo = ({ pathname, searchStr }: ParsedLocation): { to?: string } => (pathname === "/" ? {} : { to: `${pathname}${searchStr}` });

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (isRefused(error, "signed_out")) throw redirect({ to: "/sign-in", search: returnTo(location) });
      throw error;
    });
    await speakForPerson(session.person.locale);
    return { session };
  },
});
const start = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: ({ context }) => {
    const [only, ...others] = context.session.venues;
    if (only && others.length === 0) throw redirect({ to: "/v/$venue/tokens", params: { venue: only.slug } });
  },
  component: lazyRouteComponent(
    orOffline(() => import("./account/venues.tsx")),
    "Venues",
  ),
});
const account = createRoute({
  getParentRoute: () => inside,
  path: "account",
  component: lazyRouteComponent(
    orOffline(() => import("./account/account.tsx")),
    "Account",
  ),
});
const ownApps = createRoute({
  getParentRoute: () => inside,
  path: "apps",
  component: lazyRouteComponent(
    orOffline(() => import("./apps/own/own-apps.tsx")),
    "OwnApps",
  ),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: "consent/$request",
  component: lazyRouteComponent(
    orOffline(() => import("./apps/consent/consent.tsx")),
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
    orOffline(() => import("./ui/shell.tsx")),
    "VenueShell",
  ),
  notFoundComponent: MissingInVenue,
});
const venueStart = createRoute({
  getParentRoute: () => venue,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/v/$venue/tokens", params });
  },
});
const tokens = createRoute({
  getParentRoute: () => venue,
  path: "tokens",
  component: lazyRouteComponent(
    orOffline(() => import("./developer/tokens.tsx")),
    "Tokens",
  ),
});
const sandbox = createRoute({
  getParentRoute: () => venue,
  path: "sandbox",
  component: lazyRouteComponent(
    orOffline(() => import("./developer/sandbox.tsx")),
    "SandboxPage",
  ),
});
const webhooks = createRoute({
  getParentRoute: () => venue,
  path: "webhooks",
  component: lazyRouteComponent(
    orOffline(() => import("./developer/webhooks/webhooks.tsx")),
    "Webhooks",
  ),
});
const deliveries = createRoute({
  getParentRoute: () => venue,
  path: "deliveries",
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(
    orOffline(() => import("./developer/deliveries/deliveries.tsx")),
    "Deliveries",
  ),
});
const signature = createRoute({
  getParentRoute: () => venue,
  path: "signature",
  component: lazyRouteComponent(
    orOffline(() => import("./developer/signature/signature.tsx")),
    "SignatureChecker",
  ),
});
const activity = createRoute({
  getParentRoute: () => venue,
  path: "activity",
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(
    orOffline(() => import("./developer/activity/activity.tsx")),
    "Activity",
  ),
});
const requests = createRoute({
  getParentRoute: () => venue,
  path: "requests",
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(
    orOffline(() => import("./developer/requests/requests.tsx")),
    "Requests",
  ),
});
const apps = createRoute({
  getParentRoute: () => venue,
  path: "apps",
  component: lazyRouteComponent(
    orOffline(() => import("./apps/venue/apps.tsx")),
    "Apps",
  ),
});
const developer = [tokens, sandbox, apps, webhooks, deliveries, signature, activity, requests] as const;

const routeTree = root.addChildren([
  signIn,
  forgot,
  link,
  inside.addChildren([start, account, ownApps, consent, venue.addChildren([venueStart, ...developer])]),
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

/** The session has ended: what was seen is forgotten, and after signing in again the person is back here. */
const leave = async (): Promise<void> => {
  const { location } = router.state;
  if (location.pathname.endsWith("/sign-in")) return;
  queryClient.clear();
  await router.navigate({ to: "/sign-in", search: returnTo(location) });
};

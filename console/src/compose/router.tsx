/** The routes. The code of a page is loaded when it is first opened. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { CallError, hasErrorCode } from "#kit/api.ts";
import { lazyPage, type PageExports } from "#shell/offline.tsx";
import { PageCrash, PageLoading } from "#shell/page-states.tsx";
import { sessionQuery } from "#shell/session.ts";
import { inside, returnTo, root, venue } from "./base-routes.ts";
import { venuePages } from "./venue-pages.ts";

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

const publicPage = <const Path extends string, Exports extends PageExports, Name extends keyof Exports & string>(
  path: Path,
  load: () => Promise<Exports>,
  name: Name,
) => createRoute({ getParentRoute: () => root, path, component: lazyPage(load, name) });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: (search: Record<string, unknown>) => readReturn(search.to),
  component: lazyPage(() => import("#account/sign-in.tsx"), "SignIn"),
});
const forgot = publicPage("forgot", () => import("#account/forgot-password.tsx"), "ForgotPassword");
const link = publicPage("link", () => import("#account/email-link.tsx"), "EmailLink");
const signUp = publicPage("sign-up", () => import("#sign-up/sign-up.tsx"), "SignUp");
/** The page of a device without a person. */
const screen = publicPage("screen", () => import("#screen/screen-page.tsx"), "ScreenPage");

const start = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: ({ context }) => {
    const [only, ...others] = context.session.venues;
    if (only && others.length === 0) throw redirect({ to: "/v/$venue/orders", params: { venue: only.slug } });
  },
  component: lazyPage(() => import("#account/venues.tsx"), "Venues"),
});
const own = createRoute({
  getParentRoute: () => inside,
  id: "own",
  component: lazyPage(() => import("./venue-shell.tsx"), "OwnPages"),
});
const account = createRoute({
  getParentRoute: () => own,
  path: "account",
  component: lazyPage(() => import("#account/account.tsx"), "Account"),
});
const ownApps = createRoute({
  getParentRoute: () => own,
  path: "apps",
  component: lazyPage(() => import("#apps/my-apps/my-apps.tsx"), "MyApps"),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: "consent/$request",
  component: lazyPage(() => import("#apps/consent/consent.tsx"), "ConsentPage"),
});

const routeTree = root.addChildren([
  signIn,
  forgot,
  link,
  signUp,
  screen,
  inside.addChildren([start, own.addChildren([account, ownApps]), consent, venue.addChildren(venuePages)]),
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

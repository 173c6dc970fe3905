/** The pages for developers. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readActivitySearch, readDeliverySearch, readRequestSearch } from "#developer/search-params.ts";
import { withOfflineError } from "#shell/offline.tsx";
import { venue } from "./base-routes.ts";

export const developer = createRoute({
  getParentRoute: () => venue,
  id: "developer",
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/developer-pages.tsx")),
    "DeveloperPages",
  ),
});
const tokens = createRoute({
  getParentRoute: () => developer,
  path: "tokens",
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/tokens.tsx")),
    "Tokens",
  ),
});
const sandbox = createRoute({
  getParentRoute: () => developer,
  path: "sandbox",
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/sandbox.tsx")),
    "SandboxPage",
  ),
});
const webhooks = createRoute({
  getParentRoute: () => developer,
  path: "webhooks",
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/webhooks/webhooks.tsx")),
    "Webhooks",
  ),
});
const deliveries = createRoute({
  getParentRoute: () => developer,
  path: "deliveries",
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/deliveries/deliveries.tsx")),
    "Deliveries",
  ),
});
const signature = createRoute({
  getParentRoute: () => developer,
  path: "signature",
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/signature/signature.tsx")),
    "SignatureChecker",
  ),
});
const activity = createRoute({
  getParentRoute: () => developer,
  path: "activity",
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/activity/activity.tsx")),
    "Activity",
  ),
});
const requests = createRoute({
  getParentRoute: () => developer,
  path: "requests",
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("#developer/requests/requests.tsx")),
    "Requests",
  ),
});
const apps = createRoute({
  getParentRoute: () => developer,
  path: "apps",
  component: lazyRouteComponent(
    withOfflineError(() => import("#apps/venue/apps.tsx")),
    "Apps",
  ),
});

export const developerPages = [tokens, sandbox, apps, webhooks, deliveries, signature, activity, requests] as const;

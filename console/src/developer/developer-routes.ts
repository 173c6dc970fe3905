/** The pages for developers. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { venue } from "../base-routes.ts";
import { withOfflineError } from "../ui/offline.tsx";
import { readActivitySearch, readDeliverySearch, readRequestSearch } from "./search-params.ts";

export const developer = createRoute({
  getParentRoute: () => venue,
  id: "developer",
  component: lazyRouteComponent(
    withOfflineError(() => import("./developer-pages.tsx")),
    "DeveloperPages",
  ),
});
const tokens = createRoute({
  getParentRoute: () => developer,
  path: "tokens",
  component: lazyRouteComponent(
    withOfflineError(() => import("./tokens.tsx")),
    "Tokens",
  ),
});
const sandbox = createRoute({
  getParentRoute: () => developer,
  path: "sandbox",
  component: lazyRouteComponent(
    withOfflineError(() => import("./sandbox.tsx")),
    "SandboxPage",
  ),
});
const webhooks = createRoute({
  getParentRoute: () => developer,
  path: "webhooks",
  component: lazyRouteComponent(
    withOfflineError(() => import("./webhooks/webhooks.tsx")),
    "Webhooks",
  ),
});
const deliveries = createRoute({
  getParentRoute: () => developer,
  path: "deliveries",
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./deliveries/deliveries.tsx")),
    "Deliveries",
  ),
});
const signature = createRoute({
  getParentRoute: () => developer,
  path: "signature",
  component: lazyRouteComponent(
    withOfflineError(() => import("./signature/signature.tsx")),
    "SignatureChecker",
  ),
});
const activity = createRoute({
  getParentRoute: () => developer,
  path: "activity",
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./activity/activity.tsx")),
    "Activity",
  ),
});
const requests = createRoute({
  getParentRoute: () => developer,
  path: "requests",
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(
    withOfflineError(() => import("./requests/requests.tsx")),
    "Requests",
  ),
});
const apps = createRoute({
  getParentRoute: () => developer,
  path: "apps",
  component: lazyRouteComponent(
    withOfflineError(() => import("../apps/venue/apps.tsx")),
    "Apps",
  ),
});

export const developerPages = [tokens, sandbox, apps, webhooks, deliveries, signature, activity, requests] as const;

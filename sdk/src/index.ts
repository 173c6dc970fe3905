/** Everything that the package offers. */
export { type Comanda, createClient } from "./client.ts";
export { ApiError, ConnectionError, type RateLimit } from "./errors.ts";
export type { FeedEvent, FollowedEvent, FollowOptions } from "./event-feed.ts";
export { idempotencyKey } from "./idempotency.ts";
export { type AppCredentials, askOwner, exchangeCode, OAuthError, renewingToken, revokeToken, type TokenPair } from "./oauth.ts";
export type { Page, Pager } from "./pager.ts";
export type { Answer, CallOptions, ClientOptions, Token } from "./transport.ts";
export type * from "./types.generated.ts";
export {
  deduplicate,
  type HandleOnce,
  signWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookFault,
  type WebhookHeaders,
} from "./webhooks.ts";

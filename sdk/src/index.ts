/** Everything that the package offers. */
export { type Comanda, createClient } from "./client.ts";
export { ApiError, type ApiErrorCode, ConnectionError, type RateLimit } from "./errors.ts";
export type { FeedEvent, FollowedEvent, FollowOptions } from "./event-feed.ts";
export { type FollowPagesOptions, followPages, type WaitingPage, type WaitingQuery } from "./follow-pages.ts";
export { idempotencyKey } from "./idempotency.ts";
export {
  type AppCredentials,
  askOwner,
  exchangeCode,
  OAuthError,
  renewingToken,
  revokeToken,
  type TokenPair,
  type TokenStore,
} from "./oauth.ts";
export type { Page, Pager } from "./pager.ts";
export { rootUrlOf } from "./root-url.ts";
export type { Answer, CallOptions, ClientOptions, Retry, Token, TokenContext } from "./transport.ts";
export type * from "./types.generated.ts";
export {
  deduplicate,
  type HandledIds,
  type HandleOnce,
  rememberIds,
  signWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookFault,
  type WebhookHeaders,
} from "./webhooks.ts";

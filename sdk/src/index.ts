/** Everything that the package offers. */
export { type Comanda, createClient } from "./client.ts";
export { ApiError, type ApiErrorCode, ConnectionError, type RateLimit } from "./errors.ts";
export type { FeedEvent, FollowedEvent, FollowOptions } from "./event-feed.ts";
export { idempotencyKey } from "./idempotency.ts";
export type { Page, Pager } from "./list-pages.ts";
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
export { rootUrlOf } from "./root-url.ts";
export type { Answer, CallOptions, ClientOptions, Retry, Token, TokenContext } from "./transport.ts";
export type * from "./types.generated.ts";
export { type FollowPagesOptions, followPages, type WaitingPage, type WaitingQuery } from "./waiting-pages.ts";
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

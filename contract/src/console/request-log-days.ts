/** How long the request log keeps a request. A plain module, because the console says it too. */
export const REQUEST_LOG_DAYS = 2;

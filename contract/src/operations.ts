/** Every operation under /api/v1 in one table: routes, scopes, OpenAPI, SDK and conformance are made from it. */

import { eventOperations } from "./events/event-feed.ts";
import type { Operation } from "./operation.ts";
import { sandboxOperations } from "./sandbox/sandbox-operations.ts";
import { guestOperations } from "./venue/guests.ts";
import { menuOperations } from "./venue/menu-operations.ts";
import { orderQuoteOperations } from "./venue/order-quote.ts";
import { orderOperations } from "./venue/orders.ts";
import { reportOperations } from "./venue/reports.ts";
import { reservationOperations } from "./venue/reservations.ts";
import { restaurantOperations } from "./venue/restaurant.ts";

export const API_PREFIX = "/api/v1";

/** What every restaurant has. */
export const operations = {
  ...menuOperations,
  ...orderOperations,
  ...reservationOperations,
  ...guestOperations,
  ...reportOperations,
  ...orderQuoteOperations,
  ...restaurantOperations,
  ...eventOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

export const operationEntries = Object.entries(operations) as [OperationId, Operation][];

/** All operations, including those that exist in a sandbox only. */
export const apiOperations = { ...operations, ...sandboxOperations } as const satisfies Record<string, Operation>;

export type ApiOperationId = keyof typeof apiOperations;

export const apiOperationEntries = Object.entries(apiOperations) as [ApiOperationId, Operation][];

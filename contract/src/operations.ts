/** Every operation under /api/v1 in one table: routes, scopes, OpenAPI, SDK and conformance are made from it. */

import { eventOperations } from "./events/event-feed.ts";
import type { Operation } from "./operation.ts";
import { guestOperations } from "./venue/guests.ts";
import { menuOperations } from "./venue/menu-operations.ts";
import { orderOperations } from "./venue/orders.ts";
import { reportOperations } from "./venue/reports.ts";
import { reservationOperations } from "./venue/reservations.ts";

export const API_PREFIX = "/api/v1";

export const operations = {
  ...menuOperations,
  ...orderOperations,
  ...reservationOperations,
  ...guestOperations,
  ...reportOperations,
  ...eventOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

export const operationEntries = Object.entries(operations) as [OperationId, Operation][];

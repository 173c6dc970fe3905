/** Every operation under /api/v1 in one table: routes, scopes, OpenAPI, SDK and conformance are made from it. */
import { guestOperations } from "./guests.ts";
import { menuOperations } from "./menu.ts";
import type { Operation } from "./operation.ts";
import { orderOperations } from "./orders.ts";
import { reportOperations } from "./reports.ts";
import { reservationOperations } from "./reservations.ts";

export const API_PREFIX = "/api/v1";

export const operations = {
  ...menuOperations,
  ...orderOperations,
  ...reservationOperations,
  ...guestOperations,
  ...reportOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

export const operationEntries = Object.entries(operations) as [OperationId, Operation][];

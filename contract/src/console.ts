/** Every call of the console in one table. */
import { appOperations } from "./console-apps.ts";
import { logOperations } from "./console-logs.ts";
import type { ConsoleOperation } from "./console-operation.ts";
import { sessionOperations } from "./console-session.ts";
import { sandboxOperations, tokenOperations } from "./console-tokens.ts";
import { deliveryOperations, webhookOperations } from "./console-webhooks.ts";

export const consoleOperations = {
  ...sessionOperations,
  ...tokenOperations,
  ...sandboxOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...logOperations,
  ...appOperations,
} as const satisfies Record<string, ConsoleOperation>;

export type ConsoleOperationId = keyof typeof consoleOperations;

export const consoleEntries = Object.entries(consoleOperations) as [ConsoleOperationId, ConsoleOperation][];

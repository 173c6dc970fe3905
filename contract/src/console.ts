/** Every call of the console in one table. */
import { developerOperations } from "./console-developer.ts";
import type { ConsoleOperation } from "./console-operation.ts";
import { sessionOperations } from "./console-session.ts";

export const consoleOperations = { ...sessionOperations, ...developerOperations } as const satisfies Record<string, ConsoleOperation>;

export type ConsoleOperationId = keyof typeof consoleOperations;

export const consoleEntries = Object.entries(consoleOperations) as [ConsoleOperationId, ConsoleOperation][];

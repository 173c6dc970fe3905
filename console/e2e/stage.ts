/** The server's part, played: for states that are hard to reach for real, such as an empty house, a slow answer, a refusal. */
import { type ConsoleOperationId, consoleEntries, type consoleOperations } from "@comanda/contract/console.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import type { Page, Route } from "playwright-core";
import type { Static } from "typebox";

type Reply<Id extends ConsoleOperationId> = Static<(typeof consoleOperations)[Id]["success"]["body"]>;
export type Refusal = { refused: ErrorCode; details?: Record<string, unknown> };
type Played<Id extends ConsoleOperationId> = Reply<Id> | Refusal | ((body: unknown) => Reply<Id> | Refusal);
export type Play = { [Id in ConsoleOperationId]?: Played<Id> };

const matches = (path: string, pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

const isRefusal = (reply: object): reply is Refusal => "refused" in reply;

/** Calls that the play does not have are refused as signed out, as by a server that knows nobody. */
export const stage = async (page: Page, play: Play): Promise<void> => {
  await page.route(`**${CONSOLE_PREFIX}/**`, async (route: Route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.slice(CONSOLE_PREFIX.length);
    const [id] = consoleEntries.find(([, operation]) => operation.method === request.method() && matches(path, operation.path)) ?? [];
    const played = (id && play[id]) ?? { refused: "signed_out" as const };
    const reply: object = typeof played === "function" ? played(request.postDataJSON()) : played;
    if (!isRefusal(reply)) return route.fulfill({ status: 200, json: reply });
    const { status, message } = ERRORS[reply.refused];
    return route.fulfill({ status, json: { error: { code: reply.refused, message, details: reply.details ?? {} } } });
  });
};

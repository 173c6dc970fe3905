/** The server's part, played: for states that are hard to reach for real, such as an empty house, a slow answer, a refusal. */
import { type ConsoleOperationId, consoleEntries, type consoleOperations } from "@comanda/contract/console.ts";
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import type { Page } from "playwright-core";
import type { Static } from "typebox";
import { openPlayedConsole } from "../../server/test/played-console.ts";

type Reply<Id extends ConsoleOperationId> = Static<(typeof consoleOperations)[Id]["success"]["body"]>;
export type Refusal = { refused: ErrorCode; details?: Record<string, unknown> };
type Played<Id extends ConsoleOperationId> = Reply<Id> | Refusal | ((body: unknown) => Reply<Id> | Refusal);
export type Play = { [Id in ConsoleOperationId]?: Played<Id> };

export type Stage = { url: string; put(page: Page, play: Play): Promise<void>; close(): Promise<void> };

const HEADER = "stage-play";
const isLive = (path: string): boolean => /^\/venues\/[^/]+\/live$/.test(path);

const matches = (path: string, pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

const isRefusal = (reply: object): reply is Refusal => "refused" in reply;

/** Pages say by a header which play they are in: to intercept their calls would switch the browser's cache off. */
export const openStage = async (): Promise<Stage> => {
  const plays = new Map<string, Play>();
  const { url, close } = await openPlayedConsole(({ method, path, headers, body }) => {
    // The open line: there is none, and the page shall not try again.
    if (isLive(path)) return { status: 204, json: null };
    const play = plays.get(String(headers[HEADER])) ?? {};
    const [id] = consoleEntries.find(([, operation]) => operation.method === method && matches(path, operation.path)) ?? [];
    // Calls that the play does not have are refused as signed out, as by a server that knows nobody.
    const played = (id && play[id]) ?? { refused: "signed_out" as const };
    const reply: object = typeof played === "function" ? played(body) : played;
    if (!isRefusal(reply)) return { status: 200, json: reply };
    const { status, message } = ERRORS[reply.refused];
    return { status, json: { error: { code: reply.refused, message, details: reply.details ?? {} } } };
  });
  return {
    url,
    close,
    async put(page, play) {
      const name = String(plays.size + 1);
      plays.set(name, play);
      await page.setExtraHTTPHeaders({ [HEADER]: name });
    },
  };
};

/** A server with prepared answers, for states that are hard to reach on the real server. */
import { SCREEN_STREAM_PATH } from "@comanda/contract/console/change-areas.ts";
import { type ConsoleOperationId, consoleEntries, type consoleOperations } from "@comanda/contract/console/operations.ts";
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import type { Page } from "playwright-core";
import type { Static } from "typebox";
import { openConsoleMockServer } from "../../server/test/support/console-mock-server.ts";

type MockReply<Id extends ConsoleOperationId> = Static<(typeof consoleOperations)[Id]["success"]["body"]>;
export type MockError = { refused: ErrorCode; details?: Record<string, unknown> };
type MockOperationAnswer<Id extends ConsoleOperationId> =
  | MockReply<Id>
  | MockError
  | ((body: unknown, query: URLSearchParams) => MockReply<Id> | MockError);
export type MockAnswers = { [Id in ConsoleOperationId]?: MockOperationAnswer<Id> };

export type MockServer = { url: string; setAnswers(page: Page, answers: MockAnswers): Promise<void>; close(): Promise<void> };

const HEADER = "mock-answers";
const isLive = (path: string): boolean => /^\/venues\/[^/]+\/live$/.test(path);

/** The stream of a screen beats once and ends; the browser opens it again after the time that it names. */
const SCREEN_BEAT = "retry: 1000\nevent: beat\ndata:\n\n";

/** What many pages ask for beside their own data. */
const EVERYWHERE: MockAnswers = { listMessages: { data: [] } };

const matches = (path: string, pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

const isMockError = (reply: object): reply is MockError => "refused" in reply;

/** A request header selects the answers of a page. Intercepting requests instead would disable the browser's cache. */
export const startMockServer = async (): Promise<MockServer> => {
  const answersByPage = new Map<string, MockAnswers>();
  const { url, close } = await openConsoleMockServer(({ method, path, query, headers, body }) => {
    // 204 ends the change stream without a retry.
    if (isLive(path)) return { status: 204, json: null };
    if (path === SCREEN_STREAM_PATH) return { status: 200, json: null, events: SCREEN_BEAT };
    const answers = answersByPage.get(String(headers[HEADER])) ?? {};
    const [id] = consoleEntries.find(([, operation]) => operation.method === method && matches(path, operation.path)) ?? [];
    // An operation without an answer is refused as signed out.
    const answer = (id && (answers[id] ?? EVERYWHERE[id])) ?? { refused: "signed_out" as const };
    const reply: object = typeof answer === "function" ? answer(body, query) : answer;
    if (!isMockError(reply)) return { status: 200, json: reply };
    const { status, message } = ERRORS[reply.refused];
    return { status, json: { error: { code: reply.refused, message, details: reply.details ?? {} } } };
  });
  return {
    url,
    close,
    async setAnswers(page, answers) {
      const name = String(answersByPage.size + 1);
      answersByPage.set(name, answers);
      await page.setExtraHTTPHeaders({ [HEADER]: name });
    },
  };
};

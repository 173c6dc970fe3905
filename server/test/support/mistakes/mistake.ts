/** What an integrator typically gets wrong, and what the answer has to say so that it is mended from the answer alone. */
import type { RegisteredClient } from "../../../src/platform/programs/apps/service.ts";
import type { TestApp, TestVenue } from "../test-app.ts";

/** `text`: message, sentences, parameters of reasons and headers, one after the other. */
export type MistakeAnswer = { status: number; code: string; text: string };

export type Mistake = { sent: string; send(): Promise<MistakeAnswer>; status: number; code: string; cure: RegExp };

export type MistakeWorld = {
  app: TestApp;
  port: number;
  lab: TestVenue;
  /** A dish of it without sizes and options. */
  plain: number;
  foreign: TestVenue;
  sandboxToken: string;
  client: RegisteredClient;
};

type MistakeCall = { token?: string | null; body?: unknown; raw?: string | Buffer; headers?: Record<string, string> };

/** Headers that name a cure. */
const SHOWN = ["allow", "retry-after", "www-authenticate", "service-ignored", "x-ratelimit-reset", "idempotent-replayed"];

export const answerText = (error: unknown, headers: Headers): string =>
  `${JSON.stringify(error)} ${SHOWN.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])).join(" ")}`;

/** A call below /api/v1, with reasons, as the SDK asks for them. */
export const sendMistake = async (
  { app, lab }: Pick<MistakeWorld, "app" | "lab">,
  method: string,
  path: string,
  { token = lab.token, headers = {}, ...rest }: MistakeCall = {},
): Promise<MistakeAnswer> => {
  const answer = await app.call(token, method, path, { ...rest, headers: { "service-reasons": "1", ...headers } });
  const { error } = answer.body ?? {};
  return { status: answer.status, code: error?.code ?? "", text: answerText(error, answer.headers) };
};

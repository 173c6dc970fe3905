/** A screen that a manager paired over HTTP, as a device and the console's page do it. */
import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import { expect } from "vitest";
import { type ConsoleAnswer, type ConsoleCallOptions, consoleCall, type TestUser } from "./console-client.ts";
import type { TestApp } from "./test-app.ts";

export const SCREEN_SETTINGS = {
  purpose: "kitchen" as ScreenPurpose,
  name: "Kitchen",
  branch_id: null as number | null,
  stations: [] as string[],
  language: "en",
  has_sound: true,
};

export type TestScreen = {
  id: number;
  cookie: string;
  call(method: string, path: string, options?: ConsoleCallOptions): Promise<ConsoleAnswer>;
};

export const beginPairing = async (app: TestApp): Promise<{ code: string; cookie: string }> => {
  const begun = await consoleCall(app, "POST", "/screen/pairing", { body: {} });
  expect(begun.status, begun.text).toBe(201);
  return { code: begun.body.data.code, cookie: begun.screen ?? "" };
};

export const pairScreen = async (
  app: TestApp,
  slug: string,
  manager: TestUser,
  settings: Partial<typeof SCREEN_SETTINGS> = {},
): Promise<TestScreen> => {
  const { code, cookie } = await beginPairing(app);
  const body = { code, ...SCREEN_SETTINGS, ...settings };
  const paired = await manager.act("POST", `/venues/${slug}/screens`, { body });
  expect(paired.status, paired.text).toBe(201);
  const call: TestScreen["call"] = (method, path, options) => consoleCall(app, method, `/screen${path}`, { screen: cookie, ...options });
  return { id: paired.body.data.id, cookie, call };
};

/**
 * A write whose answers are lost has one effect, however often it is pressed: eleven writes of the console in a real browser, against the
 * real server, which does each of them at the first try.
 *
 * @long: three repetitions by the console take seven seconds, for each of eleven writes.
 */
import { consoleOperations } from "@comanda/contract/console/operations.ts";
import type { Browser, BrowserContext, Locator, Page, Request, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { callFrom, signInByInvitation } from "./sign-in.ts";
import { deliveryOf, EXPERIENCE, INGREDIENTS, LOST_WRITES, type LostWrite } from "./write-lost-answers-list.ts";

/** The first try and its three repetitions. */
const TRIES = 4;

let server: RealServer;
let browser: Browser;
let context: BrowserContext;
let slug: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  const owner = await signInByInvitation(browser, server, await server.invite(slug, "olga@lost.example", "owner", "Olga"));
  context = owner.context;
  const add = async (path: string, body: object): Promise<void> => {
    const { status, json } = await callFrom(owner.page, "POST", `/venues/${slug}/${path}`, body);
    expect(status, JSON.stringify(json)).toBe(201);
  };
  for (const name of INGREDIENTS)
    await add("stock/ingredients", { ingredient: { name: { en: name }, sku: "", unit: "kg", sells_out: false, par_levels: [] } });
  const experience = { name: { en: EXPERIENCE }, description: null, price_minor: 2000, branch: "main", is_active: true };
  await add("experiences", { experience });
  await owner.page.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Whether a request is this call, in any venue and of any subject. */
const matcherOf = (call: LostWrite["call"]): ((request: Request) => boolean) => {
  const { method, path } = consoleOperations[call];
  const pattern = new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return (request) => request.method() === method && pattern.test(new URL(request.url()).pathname);
};

type OpenedWrite = { page: Page; press: Locator; tries: Request[]; faults: string[]; isCall: (request: Request) => boolean };

const openPageOf = async ({ call, page: path, choose }: LostWrite): Promise<Omit<OpenedWrite, "press">> => {
  const { page, faults } = await openPage(context, server.url);
  const isCall = matcherOf(call);
  const tries: Request[] = [];
  page.on("request", (request) => {
    if (isCall(request)) tries.push(request);
  });
  await page.goto(`/console/v/${slug}/${path}`);
  await choose?.(page);
  return { page, tries, faults, isCall };
};

const effectsOf = async ({ effects }: LostWrite): Promise<number | undefined> =>
  (await server.query<{ effects: number }>(effects, []))[0]?.effects;

/** Fills the dialog and presses: each try reaches the server, no answer reaches the page. */
const pressWithoutAnswer = async (write: LostWrite): Promise<OpenedWrite> => {
  const opened = await openPageOf(write);
  const { page, isCall } = opened;
  const dialog = page.getByRole("dialog");
  await write.fill(page, dialog);
  const press = dialog.getByRole("button", { name: write.press, exact: true });
  const answers: number[] = [];
  const loseAnswer = async (route: Route): Promise<void> => {
    if (!isCall(route.request())) return route.fallback();
    answers.push((await route.fetch()).status());
    await route.abort();
  };
  await page.route("**/*", loseAnswer);
  await press.click();
  await page.getByText("We cannot reach the service.").first().waitFor();
  expect(answers).toEqual(Array.from({ length: TRIES }, () => consoleOperations[write.call].success.status));
  await dialog.getByRole("button", { name: write.press, exact: true, disabled: false }).waitFor();
  expect(await effectsOf(write)).toBe(1);
  await page.unroute("**/*", loseAnswer);
  return { ...opened, press };
};

const pressAgain = async ({ page, press }: OpenedWrite, { done }: LostWrite): Promise<void> => {
  await press.click();
  await page.getByText(done).first().waitFor();
  await press.waitFor({ state: "hidden" });
};

test.concurrent.each(LOST_WRITES)("$call has one effect when its answers are lost and it is pressed again", async (write) => {
  const opened = await pressWithoutAnswer(write);
  const { page, tries, faults } = opened;
  await pressAgain(opened, write);
  const keys = new Set(tries.map((request) => request.headers()["idempotency-key"]));
  const bodies = new Set(tries.map((request) => request.postData()));
  expect([tries.length, keys.size, [...keys].every(Boolean), bodies.size]).toEqual([TRIES + 1, 1, true, 1]);
  expect(await effectsOf(write)).toBe(1);
  await page.reload();
  await write.choose?.(page);
  await write.shown(page).first().waitFor();
  expect(await write.shown(page).count()).toBe(1);
  expect(faults).toEqual([]);
  await page.close();
});

test.concurrent("planted: a new key at the second press has a second effect", async () => {
  const write = deliveryOf("Rice");
  const opened = await pressWithoutAnswer(write);
  const { page, isCall } = opened;
  await page.route("**/*", (route) => {
    const headers = { ...route.request().headers(), "idempotency-key": crypto.randomUUID() };
    return isCall(route.request()) ? route.continue({ headers }) : route.fallback();
  });
  await pressAgain(opened, write);
  expect(await effectsOf(write)).toBe(2);
  await page.close();
});

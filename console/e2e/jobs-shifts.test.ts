/** Shifts: each job as the person it belongs to, in a real browser, against the real server and worker. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../server/test/support/fake-smtp-and-sms.ts";
import { axeFaults, isTooWide, LOOKS, type OpenedPage, openBrowser, openInNewContext, type PageLook } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let messages: FakeMailAndSms;
let slug: string;
let manager: OpenedPage;
let ada: OpenedPage;

const enter = async (role: "staff" | "manager", name: string, look: PageLook = LOOKS.light): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, look);
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@shifts.example`, role, name));
  // A person who has opened the venue has accepted, and gets mails.
  await opened.page.goto(`/console/v/${slug}/own-shifts`);
  await opened.page.getByRole("heading", { name: "No shifts" }).waitFor();
  return opened;
};

beforeAll(async () => {
  messages = await startFakeMailAndSms();
  [server, browser] = await Promise.all([startRealServer({ SMTP_URL: messages.smtpUrl }), openBrowser()]);
  slug = await server.venue("lab");
  manager = await enter("manager", "Mona");
  ada = await enter("staff", "Ada", LOOKS.phone);
  for (const name of ["Ben", "Cleo"]) await (await enter("staff", name)).context.close();
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await messages?.close();
});

const openShifts = async (page: Page, weeksAhead: number): Promise<void> => {
  await page.goto(`/console/v/${slug}/shifts`);
  await page.getByRole("heading", { name: "Shifts", level: 1 }).waitFor();
  for (let week = 0; week < weeksAhead; week++) {
    const before = await page.locator(".shift-span").textContent();
    await page.getByRole("button", { name: "The week after" }).click();
    await expect.poll(() => page.locator(".shift-span").textContent()).not.toBe(before);
  }
};

/** The cell of a person on a day of the shown week; 0 is its first day. */
const cell = (page: Page, name: string, day: number): Locator =>
  page
    .locator(".shift-grid tbody tr")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) })
    .locator("td.shift-day")
    .nth(day);

const fillTimes = async (page: Page, from: string, to: string): Promise<Locator> => {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("From").fill(from);
  await dialog.getByLabel("To", { exact: true }).fill(to);
  return dialog;
};

const addShift = async (page: Page, [name, day]: [string, number], from: string, to: string): Promise<void> => {
  await cell(page, name, day).locator(".shift-add").click();
  const dialog = await fillTimes(page, from, to);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  await cell(page, name, day).getByText(`${from}–${to}`).waitFor();
};

const events = async (): Promise<{ week_start: string; shifts: { staff: { name: string } }[] }[]> =>
  (await server.query<{ body: string }>("select body from events where type = 'shift.published' order by created_at, id", [])).map(
    ({ body }) => JSON.parse(body).data,
  );

const mailedTo = (): string[] =>
  messages.mails
    .filter(({ head }) => /your shifts/i.test(head))
    .flatMap(({ to }) => to)
    .toSorted((a, b) => a.localeCompare(b));

const publish = async (page: Page, changes: number): Promise<void> => {
  await button(page, changes === 1 ? "Publish 1 change" : `Publish ${changes} changes`).click();
  await button(page, "Everything is published").waitFor();
};

job("JT-01", async () => {
  const { page, faults } = manager;
  await openShifts(page, 1);
  await button(page, "No shifts in this week").waitFor();
  await addShift(page, ["Ada", 0], "16:00", "23:00");
  await addShift(page, ["Ben", 0], "17:00", "01:00");
  await addShift(page, ["Cleo", 1], "10:00", "18:00");
  // A short rest is marked; an overlap is shown before it is saved, and refused.
  await addShift(page, ["Ada", 1], "06:00", "09:00");
  await cell(page, "Ada", 1).getByText("Less than 11 hours of rest").waitFor();
  await cell(page, "Ada", 0).locator(".shift-add").click();
  const dialog = await fillTimes(page, "22:00", "23:30");
  await dialog.getByText("The person has another shift then").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The person has another shift at this time.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const ofAda = page.locator(".shift-grid tbody tr").filter({ has: page.getByRole("rowheader", { name: /^Ada/ }) });
  await expect.poll(() => ofAda.locator(".amount-cell").textContent()).toBe("10 h");
  // Nothing is published yet. One publication is one event and a mail to each of the three.
  expect([await events(), mailedTo()]).toEqual([[], []]);
  await publish(page, 4);
  await page.getByText("Published. 3 people will get an e-mail.").waitFor();
  await expect.poll(mailedTo, { timeout: 30_000 }).toEqual(["ada@shifts.example", "ben@shifts.example", "cleo@shifts.example"]);
  expect((await events()).map(({ shifts }) => shifts.length)).toEqual([4]);
  // The week is copied into the next one, where all of it is new.
  await button(page, "Copy the week").click();
  const copying = page.getByRole("dialog");
  await copying.getByRole("button", { name: "Copy", exact: true }).click();
  await copying.getByText("4 shifts are copied.").waitFor();
  await copying.getByRole("button", { name: "Open that week" }).click();
  await button(page, "Publish 4 changes").waitFor();
  await cell(page, "Ben", 0).getByText("17:00–01:00").waitFor();
  // A removed shift can be put back. Then only Cleo's shift changes, and only Cleo gets a mail.
  await openShifts(page, 1);
  await cell(page, "Ben", 0).locator(".shift-block").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await cell(page, "Ben", 0).getByText("Removed").waitFor();
  await button(page, "Undo").click();
  await button(page, "Everything is published").waitFor();
  await cell(page, "Cleo", 1).locator(".shift-block").click();
  const changing = await fillTimes(page, "12:00", "20:00");
  await changing.getByRole("button", { name: "Save" }).click();
  await cell(page, "Cleo", 1).getByText("Changed").waitFor();
  await publish(page, 1);
  await expect.poll(() => mailedTo().length, { timeout: 30_000 }).toBe(4);
  expect(mailedTo().filter((address) => address === "cleo@shifts.example")).toHaveLength(2);
  expect(await events()).toHaveLength(2);
  // The arrow keys lead from cell to cell.
  await cell(page, "Ada", 0).locator(".shift-block").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Change the shift" }).waitFor();
  await page.keyboard.press("Escape");
  expect(faults).toEqual([]);
});

job("JT-02", async () => {
  const { page, faults } = ada;
  await page.goto(`/console/v/${slug}/own-shifts`);
  await page.getByRole("heading", { name: "My shifts", level: 1 }).waitFor();
  const cards = page.locator(".own-shift");
  const loaded = page.locator(".own-shift, .empty").first();
  await loaded.waitFor();
  const before = await cards.count();
  await openShifts(manager.page, 3);
  await addShift(manager.page, ["Ada", 2], "18:00", "02:00");
  // A draft is not shown; what is published is there without a reload.
  await page.reload();
  await loaded.waitFor();
  expect(await cards.count()).toBe(before);
  await publish(manager.page, 1);
  await expect.poll(() => cards.count()).toBe(before + 1);
  const last = cards.last();
  expect((await last.allInnerTexts())[0]).toMatch(/Wednesday.*18:00–02:00.*until the next day/s);
  expect((await cards.allInnerTexts()).join()).not.toMatch(/Ben|Cleo|Mona/);
  expect(await isTooWide(page)).toBe(false);
  expect(await axeFaults(page)).toEqual([]);
  // The plan itself is not for staff.
  await page.goto(`/console/v/${slug}/shifts`);
  await page.getByText("Planning shifts is for owners and managers.").waitFor();
  expect(faults).toEqual([]);
});

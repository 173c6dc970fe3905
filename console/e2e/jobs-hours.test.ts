/** Opening hours, closing days and branches: each job by the person it is for, in a real browser, against the real server. */
import type { VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button, callFrom } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let server: RealServer;
let browser: Browser;
let slug: string;
let token: string;
let dish: number;
let manager: Page;
let owner: Page;

const signedIn = async (role: "owner" | "manager", name: string): Promise<Page> => {
  const { page } = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(page, await server.invite(slug, `${name.toLowerCase()}@hours.example`, role, name));
  return page;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  [manager, owner] = [await signedIn("manager", "Max"), await signedIn("owner", "Olga")];
  const items = (await api("GET", "/items?per_page=100")).json as { data: { id: number; name: { en: string } }[] };
  dish = items.data.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const api = async (method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; json: unknown }> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, json: await answer.json() };
};
/** The status of an order for that moment, and the fields that are refused. */
const orderFor = async (scheduled_for: string): Promise<[number, string[]]> => {
  const { status, json } = await api("POST", "/orders", {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    scheduled_for,
    lines: [{ item_id: dish, quantity: 1 }],
  });
  return [status, Object.keys((json as { error?: { details: object } }).error?.details ?? {})];
};
const slots = async (date: string): Promise<string[]> => {
  const { json } = await api("GET", `/availability?date=${date}&party_size=2`);
  return (json as { data: { slots: { time: string }[] } }).data.slots.map(({ time }) => time);
};
const settings = async (page: Page): Promise<VenueSettingParts> => {
  const { json } = await callFrom(page, "GET", `/venues/${slug}/settings`);
  return (json as { data: VenueSettingParts }).data;
};
const hoursOf = async (key: string) => (await settings(manager)).branches.value.find((branch) => branch.key === key)?.hours;

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(`/console/v/${slug}/${path}`);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
};
const save = async (page: Page, said: string): Promise<void> => {
  await page.locator(".save-bar").getByRole("button", { name: "Save" }).click();
  await page.getByText(said).first().waitFor();
  await page.locator(".save-bar-note").getByText("Changes are not saved").waitFor({ state: "detached" });
};
/** The lab is in UTC. */
const dayAhead = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const DAY_KEYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** The middle of a half hour in the row of a day. */
const cell = async (page: Page, day: string, minute: number): Promise<{ x: number; y: number }> => {
  const box = await page.locator(`.week-row[data-day=${day}]`).boundingBox();
  if (!box) throw new Error("The week is not shown.");
  return { x: box.x + ((minute + 15) / 1800) * box.width, y: box.y + box.height / 2 };
};
const drag = async (page: Page, from: [day: string, minute: number], to: [day: string, minute: number]): Promise<void> => {
  await page.locator(".week-field").evaluate((field) => field.scrollIntoView({ block: "center" }));
  const [start, end] = [await cell(page, ...from), await cell(page, ...to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
};

job("JE-02", async () => {
  const tomorrow = dayAhead(1);
  const noon = `${tomorrow}T12:00:00Z`;
  await open(manager, "hours", "Opening hours");
  expect(await orderFor(noon)).toEqual([201, []]);
  expect(await slots(tomorrow)).not.toEqual([]);

  // Closed tomorrow: one tap. Orders and bookings of that day are refused from then on.
  await button(manager, "Closed tomorrow").click();
  await manager.getByText("There are no bookings on that day.").waitFor();
  expect((await settings(manager)).branches.value[0]?.closing_days).toEqual([{ date: tomorrow, reason: null }]);
  expect(await orderFor(noon)).toEqual([422, ["scheduled_for"]]);
  expect(await slots(tomorrow)).toEqual([]);
  // The undo beside the day opens it again.
  await manager.locator(".closing-days .mantine-Alert-root").getByRole("button", { name: "Undo" }).click();
  await manager.getByText("No closing day is planned.").waitFor();
  expect(await orderFor(noon)).toEqual([201, []]);

  // Another day, with its reason, while the hours are being changed.
  const holiday = dayAhead(9);
  await manager.getByRole("switch", { name: "Always open" }).click();
  await manager.locator(".save-bar-note").getByText("Changes are not saved").waitFor();
  await manager.getByLabel("Date").fill(holiday);
  await manager.getByLabel("Reason").fill("Street festival");
  await button(manager, "Close on this day").click();
  await manager.locator(".closing-list").getByText("Street festival").waitFor();

  // The pointer paints and erases the whole week, then opens Friday and Saturday from 18:00 until 02:00 of the next day.
  await drag(manager, ["sun", 0], ["sat", 1770]);
  await drag(manager, ["sun", 0], ["sat", 1770]);
  await manager.getByText("the branch never opens").waitFor();
  await drag(manager, ["fri", 1080], ["sat", 1530]);
  // Keys add two half hours of Sunday morning, in the first row.
  await manager.locator(".week-field").focus();
  for (let row = 0; row < 6; row++) await manager.keyboard.press("ArrowUp");
  await manager.keyboard.press("Home");
  for (let step = 0; step < 5; step++) await manager.keyboard.press("Shift+ArrowRight");
  await manager.keyboard.press("Space");
  await manager.keyboard.press("ArrowRight");
  await manager.keyboard.press("Space");
  // Fields add a period of Monday, which is then copied to Tuesday.
  await button(manager, "Add a period on Monday").click();
  await manager.getByLabel("Monday, period 1: from").fill("17:10");
  await manager.getByLabel("Monday, period 1: to").fill("21:50");
  await button(manager, "Monday: Copy to …").click();
  await manager.getByRole("dialog").getByText("Tuesday", { exact: true }).click();
  await manager.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }).click();
  // A period too many is taken back.
  await button(manager, "Add a period on Wednesday").click();
  await button(manager, "Undo").last().click();
  await save(manager, "Opening hours saved");

  const stored = await hoursOf("main");
  expect(stored?.toSorted((one, other) => (one.from < other.from ? -1 : 1))).toEqual([
    { days: ["sun"], from: "10:00", to: "11:00" },
    { days: ["mon", "tue"], from: "17:10", to: "21:50" },
    { days: ["fri", "sat"], from: "18:00", to: "02:00" },
  ]);
  // The closing day that was added meanwhile is kept.
  expect((await settings(manager)).branches.value[0]?.closing_days).toEqual([{ date: holiday, reason: "Street festival" }]);

  // The next orders obey: each day of the coming week from 19:00 on, as the week says.
  for (let ahead = 1; ahead <= 7; ahead++) {
    const date = dayAhead(ahead);
    const isEvening = ["mon", "tue", "fri", "sat"].includes(DAY_KEYS[weekdayOf(date)] ?? "");
    expect([date, await orderFor(`${date}T19:00:00Z`)]).toEqual([date, isEvening ? [201, []] : [422, ["scheduled_for"]]]);
    const isNight = ["sat", "sun"].includes(DAY_KEYS[weekdayOf(date)] ?? "");
    expect([date, (await orderFor(`${date}T01:30:00Z`))[0]]).toEqual([date, isNight ? 201 : 422]);
  }
  const entries = await server.query<{ action: string; actor_name: string }>(
    "select action, actor_name from audit_entries where subject_kind = 'branches' order by id",
    [],
  );
  expect(entries).toEqual(
    ["branches.closed_on", "branches.opened_on", "branches.closed_on", "branches.changed"].map((action) => ({ action, actor_name: "Max" })),
  );
});

job("JE-08", async () => {
  await open(owner, "restaurant", "Restaurant and branches");
  await owner.getByLabel("Phone").fill("+1 555 0199");
  await button(owner, "Add a branch").click();
  const added = owner.locator(".branch-card").last();
  await added.getByLabel("Name").first().fill("Harbour");
  await added.getByLabel("Address").fill("3 Quay Street");
  await save(owner, "Restaurant and branches saved");
  const { restaurant, branches } = await settings(owner);
  expect(restaurant.value.phone).toBe("+1 555 0199");
  const [main] = branches.value;
  const harbour = branches.value.find(({ address }) => address === "3 Quay Street");
  expect(harbour).toMatchObject({ is_default: false, hours: main?.hours, closing_days: [] });

  // It has hours of its own, and tables of its own.
  await owner.locator(".branch-card").last().getByRole("link", { name: "Opening hours" }).click();
  await owner.getByRole("heading", { name: "Opening hours", level: 1 }).waitFor();
  await owner.getByLabel("Branch").selectOption({ label: "Harbour" });
  await button(owner, "Closed today").click();
  await owner.getByText("There are no bookings on that day.").waitFor();
  await owner.getByRole("switch", { name: "Always open" }).click();
  await save(owner, "Opening hours saved");
  const after = (await settings(owner)).branches.value;
  expect(after.find(({ id }) => id === harbour?.id)).toMatchObject({ hours: null, closing_days: [{ date: dayAhead(0) }] });
  expect(after.find(({ id }) => id === main?.id)).toEqual(main);
  await open(owner, "floor", "Tables");
  await owner.getByLabel("Branch").selectOption({ label: "Harbour" });
  await owner.getByRole("heading", { name: "No tables yet" }).waitFor();

  // It becomes the main branch: orders without a table are its orders.
  await open(owner, "restaurant", "Restaurant and branches");
  await button(owner, "Make it the main branch: Harbour").click();
  await save(owner, "Restaurant and branches saved");
  const { json } = await api("POST", "/orders", {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    scheduled_for: `${dayAhead(1)}T03:00:00Z`,
    lines: [{ item_id: dish, quantity: 1 }],
  });
  expect((json as { data: { branch_id: number } }).data.branch_id).toBe(harbour?.id);
  // A manager sees the restaurant's fields and cannot change them.
  await open(manager, "restaurant", "Restaurant and branches");
  await manager.getByText("Only an owner can change these fields.").waitFor();
  expect(await manager.getByLabel("Phone").isDisabled()).toBe(true);

  // A branch that is not needed any more goes, after what that means was said.
  await open(owner, "restaurant", "Restaurant and branches");
  const annex = owner.locator(".branch-card").filter({ hasText: "Annex" });
  const count = (await settings(owner)).branches.value.length;
  await annex.getByRole("button", { name: /^Remove branch/ }).click();
  await owner.getByText(/this branch is removed with its tables/).waitFor();
  await save(owner, "Restaurant and branches saved");
  expect((await settings(owner)).branches.value).toHaveLength(count - 1);
});

/** Guests: each job as the person it belongs to, in a real browser, against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { textOf } from "./downloads.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let api: ApiClient;
let itemId: number;
const people: Partial<Record<"owner" | "manager" | "staff", OpenedPage>> = {};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const items = (await api("GET", "/items?per_page=100")) as { id: number; name: { en: string } }[];
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  for (const [role, name] of [
    ["staff", "Sam"],
    ["manager", "Max"],
    ["owner", "Olga"],
  ] as const) {
    const opened = await openInNewContext(browser, server.url, LOOKS.light);
    await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@guests.example`, role, name));
    people[role] = opened;
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const pageOf = (role: keyof typeof people): Page => (people[role] as OpenedPage).page;

/** Places an order and completes it, and returns the guest. */
const visit = async (name: string, phone: string): Promise<number> => {
  const body = { type: "pickup", customer_name: name, customer_phone: phone, lines: [{ item_id: itemId, quantity: 1 }] };
  const { id } = (await api("POST", "/orders", body)) as { id: string };
  for (const status of ["accepted", "ready", "completed"]) await api("POST", `/orders/${id}/status`, { status });
  const [row] = await server.query<{ guest_id: string }>("select guest_id from orders where id = $1", [id]);
  return Number(row?.guest_id);
};

const eventsOf = async (id: number): Promise<{ guest: Record<string, unknown>; erased: boolean }[]> => {
  const rows = await server.query<{ body: string }>(
    "select body from events where type = 'guest.updated' and body::jsonb #>> '{data,guest,id}' = $1 order by created_at, id",
    [String(id)],
  );
  return rows.map(({ body }) => JSON.parse(body).data);
};

const actorsOf = async (id: number, action: string): Promise<string[]> => {
  const rows = await server.query<{ actor_name: string }>(
    "select actor_name from audit_entries where subject_kind = 'guest' and subject_id = $1 and action = $2 order by id",
    [String(id), action],
  );
  return rows.map(({ actor_name }) => actor_name);
};

const openGuest = async (page: Page, id: number, name: string): Promise<void> => {
  await page.goto(`/console/v/${slug}/guests/${id}`);
  await page.getByRole("heading", { name, level: 1 }).waitFor();
};

job("JG-01", async () => {
  const page = pageOf("staff");
  const id = await visit("Jana Finder", "+1 555 810 4711");
  await server.query("update guests set staff_note = 'Sits by the window' where id = $1", [id]);
  await page.goto(`/console/v/${slug}/guests`);
  await page.getByLabel("Digits or name").fill("4711");
  await page.waitForURL(/search=.*4711/);
  await page.getByText("1 guest", { exact: false }).first().waitFor();
  await expect.poll(() => page.getByRole("link", { name: /1 visit/ }).count()).toBe(1);
  // The keyboard alone leads from the search field to the guest.
  await page.getByLabel("Digits or name").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Jana Finder", level: 1 }).waitFor();
  expect(await page.getByRole("textbox", { name: "Note for staff" }).inputValue()).toBe("Sits by the window");
  expect(await page.getByRole("list", { name: "Orders and bookings" }).getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/Order #\d+ · Pickup · completed/),
  ]);
  expect(await button(page, "Merge").count()).toBe(0);
  expect(await button(page, "Erase").count()).toBe(0);
});

job("JG-02", async () => {
  const page = pageOf("staff");
  const id = await visit("Nora Note", "+1 555 810 0002");
  await openGuest(page, id, "Nora Note");
  await page.getByRole("textbox", { name: "Note for staff" }).fill("Likes the terrace");
  await button(page, "Save the note").click();
  await page.getByText("The note is saved.").waitFor();
  expect(await server.query("select staff_note from guests where id = $1", [id])).toEqual([{ staff_note: "Likes the terrace" }]);
  expect(await eventsOf(id)).toEqual([]);
  await button(page, "Undo").click();
  await page.getByText("The change was undone.").waitFor();
  expect(await server.query("select staff_note from guests where id = $1", [id])).toEqual([{ staff_note: null }]);
  await button(page, "Change").click();
  await page.getByLabel("Name", { exact: true }).fill("Nora Noted");
  await page.getByLabel("E-mail", { exact: true }).fill("nora@example.com");
  await button(page, "Save").click();
  await page.getByRole("heading", { name: "Nora Noted", level: 1 }).waitFor();
  expect((await eventsOf(id)).map(({ guest, erased }) => [guest.name, erased])).toEqual([["Nora Noted", false]]);
  expect(await actorsOf(id, "guest.changed")).toContain("Sam");
});

job("JG-03", async () => {
  const page = pageOf("manager");
  const id = await visit("Conny Sent", "+1 555 810 0003");
  await openGuest(page, id, "Conny Sent");
  await button(page, "Record consent").click();
  await page.getByLabel("in writing").check();
  await button(page, "Record").click();
  await page.getByText(/Agreed to hear from you/).waitFor();
  await button(page, "Withdraw consent").click();
  await page.getByLabel("by phone").check();
  await button(page, "Record").click();
  await page.getByText("Has not agreed to hear from you").waitFor();
  const history = page.getByRole("list", { name: "History of consent" }).getByRole("listitem");
  expect(await history.allInnerTexts()).toEqual([
    expect.stringMatching(/^Withdrawn by phone .*Max/),
    expect.stringMatching(/^Given in writing .*Max/),
  ]);
  expect((await eventsOf(id)).map(({ guest }) => [guest.marketing_opted_in, guest.phone])).toEqual([
    [true, "+1 555 810 0003"],
    [false, null],
  ]);
});

job("JG-06", async () => {
  const page = pageOf("manager");
  const [kept, other] = [await visit("Mia Merge", "+1 555 810 0061"), await visit("M. Merge", "+1 555 810 0062")];
  await openGuest(page, kept, "Mia Merge");
  await button(page, "Merge").click();
  await page.getByLabel("Digits or name of the other profile").fill("0062");
  await button(page, "Choose M. Merge").click();
  await page.getByText("This will be the result").waitFor();
  await page.getByText(/Visits: 2/).waitFor();
  await button(page, "Merge the two profiles").click();
  await page.getByText("The two profiles are one.").waitFor();
  await expect.poll(() => page.getByRole("list", { name: "Orders and bookings" }).getByRole("listitem").count()).toBe(2);
  expect(await visit("Anybody", "+1 555 810 0062")).toBe(kept);
  expect((await eventsOf(other)).at(-1)).toEqual({ guest: { id: other }, erased: true });
  expect((await eventsOf(kept)).at(-1)).toMatchObject({ guest: { visits_count: 2 }, erased: false });
  expect(await actorsOf(kept, "guest.merged")).toEqual(["Max"]);
});

job("JG-05", async () => {
  const page = pageOf("manager");
  const id = await visit("Ella Export", "+1 555 810 0005");
  await openGuest(page, id, "Ella Export");
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export data").click()]);
  expect(download.suggestedFilename()).toBe(`guest-${id}.json`);
  const exported = JSON.parse(await textOf(download));
  expect(exported).toMatchObject({
    restaurant: slug,
    profile: { name: "Ella Export", phone: "+1 555 810 0005" },
    orders: [{ customer: { name: "Ella Export" } }],
  });
  expect(await actorsOf(id, "guest.exported")).toEqual(["Max"]);
});

job("JG-04", async () => {
  const page = pageOf("owner");
  const id = await visit("Ezra Vanish", "+1 555 810 0004");
  await openGuest(page, id, "Ezra Vanish");
  await button(page, "Erase").click();
  await page.getByText("This cannot be undone.").waitFor();
  await button(page, "Erase this guest").click();
  await page.getByRole("heading", { name: "The guest is erased", level: 1 }).waitFor();
  const receipt = (await page.getByRole("region", { name: "The guest is erased" }).textContent()) ?? "";
  expect(receipt).toContain(String(id));
  expect(receipt).toMatch(/Erased by\s*Olga/);
  expect(receipt).toMatch(/Orders\s*1/);
  expect(receipt).not.toMatch(/Ezra|0004/);
  await button(page, "Print the receipt").waitFor();
  expect((await eventsOf(id)).at(-1)).toEqual({ guest: { id }, erased: true });
  expect(await actorsOf(id, "guest.erased")).toEqual(["Olga"]);
  expect(await server.query("select from orders where customer_name = 'Ezra Vanish'", [])).toEqual([]);
  await page.getByRole("link", { name: "All guests" }).click();
  await page.getByLabel("Digits or name").fill("Ezra");
  await page.getByText(/No guest matches/).waitFor();
});

/** Experiences: each job as the person it belongs to, in a real browser, against the real server. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext, type PageLook } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let staff: OpenedPage;
let colleague: OpenedPage;
let manager: OpenedPage;

const enter = async (role: "staff" | "manager", name: string, look: PageLook = LOOKS.light): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, look);
  await opened.page.addInitScript(() => {
    const printed = window as unknown as { printed: string[] };
    printed.printed = [];
    window.print = () => void printed.printed.push(document.querySelector(".experience-print")?.textContent ?? "");
  });
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@experiences.example`, role, name));
  return opened;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  [staff, colleague, manager] = [await enter("staff", "Sam"), await enter("staff", "Tess", LOOKS.phone), await enter("manager", "Max")];
  // A worker that runs before would send the invitations, with other secrets.
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Two weeks from now, as the fields take it. */
const DATE = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);

const openExperiences = async (page: Page): Promise<void> => {
  await page.goto(`/console/v/${slug}/experiences`);
  await page.getByRole("heading", { name: "Experiences", level: 1 }).waitFor();
};
const cardOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const sessionsOf = (page: Page, name: string): Locator => cardOf(page, name).getByRole("listitem");
const section = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const rowOf = (page: Page, list: string, name: string): Locator => section(page, list).locator(".experience-row").filter({ hasText: name });

const booked = async (name: string): Promise<{ id: number; tickets: number; amount_minor: number; guest: { phone: string | null } }[]> =>
  (
    await server.query<{ body: string }>(
      "select body from events where type = 'experience.booked' and position($1 in body) > 0 order by created_at, id",
      [`"name":"${name}"`],
    )
  ).map(({ body }) => JSON.parse(body).data.experience_booking);

const openFirstSession = async (page: Page, name: string): Promise<void> => {
  await openExperiences(page);
  await sessionsOf(page, name).first().getByRole("link").click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
};

const hold = async (page: Page, name: string, tickets: number, phone = ""): Promise<void> => {
  const form = section(page, "Sell tickets");
  await form.getByLabel("Guest's name").fill(name);
  if (phone !== "") await form.getByLabel(/^Phone/).fill(phone);
  await form.getByLabel("Tickets").fill(String(tickets));
  await form.getByRole("button", { name: "Hold for five minutes" }).click();
};

job("JX-01", async () => {
  const { page } = manager;
  await openExperiences(page);
  await page.getByText("No experiences yet").waitFor();
  await button(page, "Add an experience").click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Another language").selectOption("it");
  await form.getByLabel("Name (English)").fill("Wine tasting");
  await form.getByLabel("Name (Italian)").fill("Degustazione");
  await form.getByLabel("Price of a ticket").fill("45");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "hidden" });
  await cardOf(page, "Wine tasting").getByRole("button", { name: "Plan sessions of Wine tasting" }).click();
  await form.getByLabel("Date").fill(DATE);
  await form.getByLabel("Time").fill("19:30");
  await form.getByLabel("Seats").fill("4");
  await form.getByLabel("Weeks").fill("3");
  await form.getByRole("button", { name: "Plan", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await expect.poll(() => sessionsOf(page, "Wine tasting").count()).toBe(3);
  const [stored] = await server.query<{ name: object; price: number }>("select name, price_minor::integer as price from experiences", []);
  expect(stored).toEqual({ name: { en: "Wine tasting", it: "Degustazione" }, price: 4500 });
  await sessionsOf(page, "Wine tasting").first().getByRole("link").click();
  await button(page, "Change the seats").click();
  await form.getByLabel("Seats").fill("5");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("5 left of 5").waitFor();
  const sessions = await server.query<{ capacity: number }>("select capacity from experience_sessions order by starts_at", []);
  expect(sessions.map(({ capacity }) => capacity)).toEqual([5, 4, 4]);
});

job("JX-02", async () => {
  const { page } = staff;
  await openFirstSession(page, "Wine tasting");
  expect(await page.getByRole("button", { name: "Change the seats" }).count()).toBe(0);
  await openFirstSession(colleague.page, "Wine tasting");
  await hold(page, "Marco Ferri", 4, "+1 555 0177");
  const held = rowOf(page, "Held, not paid yet", "Marco Ferri");
  await held.getByText(/Held for another [45]:\d\d/).waitFor();
  // The colleague's page follows by itself: one seat is left, and both want it.
  await colleague.page.getByText("1 left of 5").waitFor();
  await held.getByRole("button", { name: /^Cash: .*180\.00 from Marco Ferri/ }).click();
  await rowOf(page, "Guest list", "Marco Ferri").waitFor();
  const [sale, ...more] = await booked("Marco Ferri");
  expect([sale, more]).toMatchObject([{ tickets: 4, amount_minor: 18_000, guest: { phone: "+1 555 0177" } }, []]);
  const [payment] = await server.query("select method, amount_minor::integer from payments", []);
  expect(payment).toEqual({ method: "cash", amount_minor: 18_000 });
  await colleague.page.route("**/experience-sessions/*", (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  await hold(page, "Lena Last", 1);
  await rowOf(page, "Held, not paid yet", "Lena Last").waitFor();
  await hold(colleague.page, "Zoe Late", 1);
  await colleague.page.getByText("No ticket is left.").waitFor();
  await colleague.page.unrouteAll();
  await rowOf(page, "Held, not paid yet", "Lena Last")
    .getByRole("button", { name: /^Card: / })
    .click();
  await rowOf(page, "Guest list", "Lena Last").waitFor();
  await page.getByText("None left").waitFor();
  const [session] = await server.query("select sold, held, capacity from experience_sessions order by starts_at limit 1", []);
  expect(session).toEqual({ sold: 5, held: 0, capacity: 5 });
  expect(await booked("Zoe Late")).toEqual([]);
  // The guest list: a tap for the whole party, one by one, and the way back; on paper.
  const list = rowOf(page, "Guest list", "Marco Ferri");
  await list.getByRole("button", { name: "One more arrived: Marco Ferri" }).click();
  await list.getByText("1 of 4 here").waitFor();
  await list.getByRole("button", { name: "Arrived: Marco Ferri", exact: true }).click();
  await list.getByText("4 of 4 here").waitFor();
  await list.getByRole("button", { name: /^Undo: Marco Ferri/ }).click();
  await list.getByText("0 of 4 here").waitFor();
  const box = await list.getByRole("button", { name: "Arrived: Marco Ferri", exact: true }).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(56);
  await button(page, "Print the guest list").click();
  expect(await page.evaluate(() => (window as unknown as { printed: string[] }).printed.join())).toContain("Marco Ferri");
  expect(await page.getByRole("button", { name: /^Refund/ }).count()).toBe(0);
  // A manager refunds what is left after a part was given back: the seat can be sold again, and the guest's profile shows the tickets.
  await server.query("update payments set refunded_total_minor = 1500 where amount_minor = 4500", []);
  await openFirstSession(manager.page, "Wine tasting");
  await rowOf(manager.page, "Guest list", "Lena Last").getByRole("button", { name: "Refund Lena Last" }).click();
  const dialog = manager.page.getByRole("dialog");
  await dialog.getByText(/^Give \D*30\.00 back \(Card\)/).waitFor();
  await dialog.getByRole("button", { name: "Keep the tickets" }).waitFor();
  await dialog.getByLabel("Reason").fill("The guest is ill");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await page.getByText("1 left of 5").waitFor();
  const refunded = await server.query("select amount_minor::integer, reason from refunds", []);
  expect(refunded).toEqual([{ amount_minor: 3000, reason: "The guest is ill" }]);
  const [guest] = await server.query<{ id: string }>("select id from guests where name = $1", ["Marco Ferri"]);
  await page.goto(`/console/v/${slug}/guests/${guest?.id}`);
  await page.getByText("Wine tasting: 4 tickets · Paid").waitFor();
});

job("JX-03", async () => {
  const { page } = staff;
  await openFirstSession(page, "Wine tasting");
  await hold(page, "Hanna Hold", 1);
  const held = rowOf(page, "Held, not paid yet", "Hanna Hold");
  await held.getByRole("timer").waitFor();
  await page.getByText("None left").waitFor();
  // Five minutes later: the job is due, and the page follows by itself.
  await server.query(
    `update experience_bookings set hold_ends_at = date_trunc('milliseconds', now() - interval '1 second') where name = 'Hanna Hold'`,
    [],
  );
  await server.query(
    `update jobs.job set start_after = now(), data = data || jsonb_build_object('hold_ends_at',
       (select to_char(hold_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from app.experience_bookings where name = 'Hanna Hold'))
     where name = 'expire-ticket-hold' and data ->> 'booking_id' = (select id::text from app.experience_bookings where name = 'Hanna Hold')`,
    [],
  );
  await page.getByText("1 left of 5").waitFor();
  const [freed] = await server.query("select state from experience_bookings where name = 'Hanna Hold'", []);
  expect(freed).toEqual({ state: "expired" });
  await page.getByText("Released, expired, refunded and cancelled").click();
  await page.getByRole("button", { name: "Hold again: Hanna Hold" }).click();
  await rowOf(page, "Held, not paid yet", "Hanna Hold")
    .getByRole("button", { name: /^Cash: / })
    .click();
  await rowOf(page, "Guest list", "Hanna Hold").waitFor();
  expect(await booked("Hanna Hold")).toHaveLength(1);
});

/**
 * Bookings: each job as the person it belongs to, in a real browser, against the real server.
 *
 * @long: it is among the longest.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type ApiReservation, type BookingDesk, type BookingRole, freeTables, openBookingDesk } from "./booking-desk.ts";
import { job } from "./jobs.ts";
import { button } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

let desk: BookingDesk;

beforeAll(async () => {
  desk = await openBookingDesk();
});
afterAll(() => desk?.close());

const api: BookingDesk["api"] = (...request) => desk.api(...request);
const read = (id: string): Promise<ApiReservation> => desk.read(id);
const openDay = (role: BookingRole): Promise<Page> => desk.openDay(role);
const query: BookingDesk["server"]["query"] = (...question) => desk.server.query(...question);

/** In two minutes on the venue's clock, which is UTC. Every job begins with free tables. */
const book = async (name: string, changes: object = {}): Promise<ApiReservation> => {
  await freeTables(desk);
  const soon = new Date(Date.now() + 2 * MINUTE_MS).toISOString();
  const body = { name, phone: "+1 555 0700", party_size: 2, date: soon.slice(0, 10), time: soon.slice(11, 16), ...changes };
  return (await api("POST", "/reservations", body)) as ApiReservation;
};
const findByName = async (name: string): Promise<ApiReservation> => {
  const [row] = await query<{ id: string }>("select id from reservations where name = $1 order by created_at desc limit 1", [name]);
  return read(row?.id ?? "");
};
const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await query<{ type: string }>("select type from events where body like '%' || $1 || '%' order by created_at, id", [id]);
  return rows.map(({ type }) => type);
};
const messagesTo = async (phone: string): Promise<string[]> => {
  const rows = await query<{ kind: string }>(
    "select kind from notifications where regexp_replace(recipient, '[^0-9]', '', 'g') = $1 order by id",
    [phone.replaceAll(/\D/g, "")],
  );
  return rows.map(({ kind }) => kind);
};

const rowOf = (page: Page, name: string) => page.locator(".booking-row").filter({ hasText: name });
const chooseInMenu = async (page: Page, name: string, action: string): Promise<void> => {
  await button(page, `More for ${name}`).click();
  await page.getByRole("menuitem", { name: action }).click();
};
const openWalkIn = (page: Page) => page.locator(".bookings-head").getByRole("button", { name: "Walk-in" }).click();
const openDetails = async (page: Page, name: string) => {
  await rowOf(page, name).locator(".booking-open").click();
  const drawer = page.getByRole("dialog");
  await drawer.waitFor();
  return drawer;
};

job("JB-02", async () => {
  await book("Tessa Known", { phone: "+1 555 0702" });
  const page = await openDay("staff");
  await button(page, "New booking").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone").fill("+1 555 0702");
  await dialog.getByText(/Tessa Known · 0 visits/).waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Tessa Known");
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await dialog.getByLabel("Date").fill(tomorrow);
  // Both tables of the branch are taken at 19:00 for a party of seven, so that time is not offered.
  await api("POST", "/reservations", { name: "Other", phone: "+1 555 0703", party_size: 8, date: tomorrow, time: "19:00" });
  await dialog.getByLabel("Guests").fill("7");
  await dialog.getByRole("radio", { name: "21:00" }).waitFor();
  expect(await dialog.getByRole("radio", { name: "19:00" }).count()).toBe(0);
  await dialog.getByRole("radio", { name: "21:00" }).click();
  await dialog.getByRole("button", { name: "Book" }).click();
  await page.getByText(/^Booked: Tessa Known, 21:00/).waitFor();
  const [row] = await query<{ id: string }>("select id from reservations where name = 'Tessa Known' and date = $1", [tomorrow]);
  expect(await read(row?.id ?? "")).toMatchObject({ status: "confirmed", party_size: 7 });
  expect(await eventsOf(row?.id ?? "")).toEqual(["reservation.created"]);
  expect(await messagesTo("+1 555 0702")).toEqual(["reservation.confirmed", "reservation.confirmed"]);
});

job("JB-03", async () => {
  await freeTables(desk);
  const page = await openDay("staff");
  // Two taps.
  await openWalkIn(page);
  await page.getByRole("button", { name: /^Seat 5 guests at Lab table 2, until/ }).click();
  await page.getByText("5 guests seated at Lab table 2").waitFor();
  await rowOf(page, "Walk-in").getByText("At the table").waitFor();
  const seated = await findByName("Walk-in");
  expect(seated).toMatchObject({ status: "seated", party_size: 5 });
  expect(await eventsOf(seated.id)).toEqual(["reservation.created"]);
});

/** A tap on the place of the last one, so soon after it, is not taken. */
const pause = (page: Page): Promise<void> => page.waitForTimeout(800);

job("JB-04", async () => {
  const { id, table_id } = await book("Arno Arrives");
  const page = await openDay("staff");
  const other = await openDay("manager");
  // One tap each, seen on the other screen too.
  await button(page, "Arrived Arno Arrives").click();
  await rowOf(other, "Arno Arrives").getByText("Arrived", { exact: true }).first().waitFor();
  // A party at its table cannot become a booking again, so a wrong tap can be undone for five seconds.
  await button(page, "Seat Arno Arrives").click();
  await pause(page);
  await button(page, "Undo seating Arno Arrives").click();
  await page.waitForTimeout(6000);
  expect((await read(id)).status).toBe("confirmed");
  await button(page, "Seat Arno Arrives").click();
  await rowOf(page, "Arno Arrives").getByText("At the table").waitFor();
  expect(await read(id)).toMatchObject({ status: "seated", table_id });
  await button(page, "Table free Arno Arrives").click();
  await rowOf(page, "Arno Arrives").getByText("Left").waitFor();
  // A wrong tap is taken back.
  await pause(page);
  await button(page, "Still at the table Arno Arrives").click();
  await rowOf(page, "Arno Arrives").getByText("At the table").waitFor();
  await pause(page);
  await button(page, "Table free Arno Arrives").click();
  await rowOf(page, "Arno Arrives").getByText("Left").waitFor();
  expect(await eventsOf(id)).toEqual(["reservation.created", "reservation.updated"]);
  // The table is free at once.
  await openWalkIn(page);
  await page.getByRole("button", { name: /^Seat 4 guests at Lab table 1/ }).waitFor();
  await page.keyboard.press("Escape");
});

job("JB-05", async () => {
  const { id } = await book("Nina No-Show");
  // Its time has come.
  await query("update reservations set starts_at = now() - interval '20 minutes' where id = $1 returning id", [id]);
  const page = await openDay("staff");
  // Two taps.
  await chooseInMenu(page, "Nina No-Show", "No-show");
  await button(page, "Undo no-show Nina No-Show").waitFor();
  expect((await read(id)).status).toBe("no_show");
  await button(page, "Undo no-show Nina No-Show").click();
  await button(page, "Seat Nina No-Show").waitFor();
  expect((await read(id)).status).toBe("confirmed");
});

job("JB-07", async () => {
  const { id } = await book("Petra Party");
  const page = await openDay("staff");
  const drawer = await openDetails(page, "Petra Party");
  await drawer.getByLabel("Guests").fill("4");
  await drawer.getByLabel("Note").fill("Birthday");
  await drawer.getByLabel("Phone").fill("+1 555 0799");
  await drawer.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved: Petra Party").waitFor();
  expect(await read(id)).toMatchObject({ party_size: 4, note: "Birthday", phone: "+1 555 0799" });
  expect(await eventsOf(id)).toEqual(["reservation.created", "reservation.updated"]);
});

job("JB-08", async () => {
  const { id } = await book("Carla Cancels", { phone: "+1 555 0708" });
  const page = await openDay("staff");
  // Two taps, and five seconds in which they can be taken back.
  await chooseInMenu(page, "Carla Cancels", "Cancel booking");
  await page.getByRole("button", { name: "Keep booking Carla Cancels" }).click();
  await page.waitForTimeout(6000);
  expect((await read(id)).status).toBe("confirmed");
  await chooseInMenu(page, "Carla Cancels", "Cancel booking");
  await rowOf(page, "Carla Cancels").getByText("Cancelled").waitFor();
  expect((await read(id)).status).toBe("cancelled");
  expect(await eventsOf(id)).toEqual(["reservation.created", "reservation.cancelled"]);
  expect(await messagesTo("+1 555 0708")).toEqual(["reservation.confirmed", "reservation.cancelled"]);
});

job("JB-09", async () => {
  const { id } = await book("Rita Request", { status: "pending", phone: "+1 555 0709" });
  const page = await openDay("manager");
  const drawer = await openDetails(page, "Rita Request");
  await drawer.getByRole("button", { name: "Confirm" }).click();
  await expect.poll(async () => (await read(id)).status).toBe("confirmed");
  expect(await messagesTo("+1 555 0709")).toEqual(["reservation.requested", "reservation.confirmed"]);
  // Staff see the request and cannot answer it.
  await book("Rolf Request", { status: "pending", phone: "+1 555 0719" });
  const staff = await openDetails(await openDay("staff"), "Rolf Request");
  await staff.getByText("A manager confirms or declines this request.").waitFor();
  expect(await staff.getByRole("button", { name: "Decline" }).count()).toBe(0);
  expect(await staff.getByRole("button", { name: "More for Rolf Request" }).count()).toBe(0);
});

job("JB-10", async () => {
  await freeTables(desk);
  const page = await openDay("staff");
  await button(page, "Waitlist").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("About 0 min").waitFor();
  await dialog.getByLabel("Name").fill("Wanda Waits");
  await dialog.getByLabel(/^Phone/).fill("+1 555 0710");
  await dialog.getByRole("button", { name: "Add" }).click();
  await rowOf(page, "Wanda Waits").waitFor();
  await button(page, "Send message Wanda Waits").click();
  await rowOf(page, "Wanda Waits").getByText("Message not sent yet", { exact: true }).waitFor();
  expect(await messagesTo("+1 555 0710")).toEqual(["waitlist.ready"]);
  await button(page, "Seat Wanda Waits").click();
  await rowOf(page, "Wanda Waits").getByText("At the table").waitFor();
  expect(await findByName("Wanda Waits")).toMatchObject({ status: "seated", party_size: 2 });
});

job("JB-11", async () => {
  const { id } = await book("Julia Joins");
  const page = await openDay("staff");
  const drawer = await openDetails(page, "Julia Joins");
  await drawer.getByLabel("Guests").fill("9");
  await drawer.getByRole("checkbox", { name: /^Lab table 1/ }).check();
  await drawer.getByRole("checkbox", { name: /^Lab table 2/ }).check();
  await drawer.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved: Julia Joins").waitFor();
  const held = await query("select table_id from reservation_tables where reservation_id = $1", [id]);
  expect(held).toHaveLength(2);
  await rowOf(page, "Julia Joins")
    .getByText(/Tables Lab table 1 \+ Lab table 2/)
    .waitFor();
  await page.keyboard.press("Escape");
  // A party without a booking, at tables that staff join.
  await freeTables(desk);
  await openWalkIn(page);
  const walkIn = page.getByRole("dialog", { name: "Walk-in" });
  await walkIn.getByRole("button", { name: "Another size, or several tables" }).click();
  await walkIn.getByLabel("Guests").fill("9");
  for (const table of [1, 2]) await walkIn.getByRole("checkbox", { name: new RegExp(`^Lab table ${table}`) }).check();
  await walkIn.getByRole("button", { name: "Seat", exact: true }).click();
  await page.getByText("9 guests seated at Lab table 1 + Lab table 2").waitFor();
});

job("JB-12", async () => {
  const { id } = await book("Dora Deposit");
  const page = await openDay("manager");
  const drawer = await openDetails(page, "Dora Deposit");
  await drawer.getByLabel(/^Amount in/).fill("20");
  await drawer.getByRole("button", { name: "Ask for a deposit" }).click();
  await drawer.getByRole("button", { name: "Card" }).click();
  await expect.poll(async () => (await read(id)).deposit_status).toBe("paid");
  await drawer.getByLabel("Reason").fill("Called in time");
  await drawer.getByRole("button", { name: "Give back" }).click();
  await drawer.getByText("It was refunded.").waitFor();
  expect((await read(id)).deposit_status).toBe("refunded");
  expect(await eventsOf(id)).toContain("payment.refunded");
});

/** A venue with a host and a manager at its bookings page, each in a browser of their own. */
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation } from "./sign-in.ts";

export type ApiReservation = {
  id: string;
  status: string;
  table_id: number | null;
  party_size: number;
  date: string;
  time: string;
  note: string | null;
  deposit_status: string | null;
};

export type BookingRole = "manager" | "staff";

export type BookingDesk = {
  server: RealServer;
  browser: Browser;
  slug: string;
  api: (method: string, path: string, body?: object) => Promise<unknown>;
  read: (id: string) => Promise<ApiReservation>;
  openDay: (role: BookingRole) => Promise<Page>;
  close: () => Promise<void>;
};

const openPeople = async (browser: Browser, server: RealServer, slug: string): Promise<Record<BookingRole, OpenedPage>> => {
  const open = async (role: BookingRole, name: string): Promise<OpenedPage> => {
    const opened = await openInNewContext(browser, server.url, LOOKS.light);
    await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@bookings.example`, role, name));
    return opened;
  };
  return { staff: await open("staff", "Hanna"), manager: await open("manager", "Max") };
};

export const openBookingDesk = async (): Promise<BookingDesk> => {
  const [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  const slug = await server.venue("lab");
  const token = await server.token(slug);
  const people = await openPeople(browser, server, slug);
  const api = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true);
    return (JSON.parse(text) as { data: unknown }).data;
  };
  return {
    server,
    browser,
    slug,
    api,
    read: async (id) => (await api("GET", `/reservations/${id}`)) as ApiReservation,
    openDay: async (role) => {
      const { page } = people[role];
      await page.goto(`/console/v/${slug}/bookings`);
      await page.getByRole("heading", { name: "Bookings", level: 1 }).waitFor();
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
};

/** No party holds a table any more, and none is shown at one. */
export const freeTables = async ({ server }: BookingDesk): Promise<void> => {
  await server.query("delete from reservation_tables returning table_id", []);
  await server.query(
    "update reservations set status = 'cancelled' where status in ('pending', 'confirmed', 'seated') and left_at is null returning id",
    [],
  );
};

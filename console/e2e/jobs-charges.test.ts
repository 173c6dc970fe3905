/** Ordering, charges, and the venue as a file: each job in a real browser, against the real server. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { textOf } from "./downloads.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let token: string;
let manager: Page;
let owner: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  ({ page: manager } = await openInNewContext(browser, server.url, LOOKS.light));
  await acceptInvitation(manager, await server.invite(slug, "max@charges.example", "manager", "Max"));
  ({ page: owner } = await openInNewContext(browser, server.url, LOOKS.light));
  await acceptInvitation(owner, await server.invite(slug, "olga@charges.example", "owner", "Olga"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(`/console/v/${slug}/${path}`);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
};
const save = async (said: string): Promise<void> => {
  await manager.locator(".save-bar").getByRole("button", { name: "Save" }).click();
  await manager.getByText(said).first().waitFor();
};

type PublicAnswer = { status: number; body: { data: Record<string, unknown> & { id: number }[]; error: { details: object } } };

const api = async (method: string, path: string, body?: object): Promise<PublicAnswer> => {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as PublicAnswer["body"] };
};
const dishId = async (name: string): Promise<number> => {
  const { data } = (await api("GET", "/items?per_page=100")).body;
  return (data as unknown as { id: number; name: { en: string } }[]).find((item) => item.name.en === name)?.id ?? 0;
};
const order = async (type: string, changes: object = {}) =>
  api("POST", "/orders", {
    type,
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    lines: [{ item_id: await dishId("Plain Plate"), quantity: 2 }],
    ...changes,
  });
const delivery = (city: string) => order("delivery", { delivery_address: { line1: "1 Road", city, phone: "+1 555 0100" } });

job("JE-04", async () => {
  await open(manager, "ordering", "Ordering");
  await manager.getByRole("switch", { name: "Pickup" }).uncheck({ force: true });
  const brought = manager.getByRole("group", { name: "Delivery", exact: true });
  await brought.getByLabel("Minimum in").fill("15");
  await brought.getByLabel("Preparation in minutes").fill("55");
  await manager.getByLabel("Days ahead").fill("3");
  for (const remove of (await manager.getByRole("button", { name: /^Remove zone/ }).all()).reverse()) await remove.click();
  await button(manager, "Add a zone").click();
  const zone = manager.getByRole("group", { name: "Zone 1", exact: true });
  await zone.getByLabel("Name of the zone").fill("Old town");
  // Without a town the zone cannot be saved.
  expect(await manager.locator(".save-bar").getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await zone.getByLabel("Towns").fill("Labtown\nHarbour");
  await zone.getByLabel("Fee in").fill("4.25");
  await save("Ordering saved");
  const pickup = await order("pickup");
  expect([pickup.status, Object.keys(pickup.body.error.details)]).toEqual([422, ["type"]]);
  const near = await delivery("Harbour");
  expect([near.status, (near.body.data as unknown as { delivery_fee_minor: number }).delivery_fee_minor]).toEqual([201, 425]);
  expect((await delivery("Farville")).status).toBe(422);
  const [stored] = await server.query<{ ordering: VenueFile["ordering"] }>(
    "select s.ordering from settings s join restaurants r on r.id = s.restaurant_id where r.slug = $1",
    [slug],
  );
  expect(stored?.ordering).toMatchObject({
    schedule_days_max: 3,
    delivery_zones: [{ name: "Old town", cities: ["Labtown", "Harbour"], fee_minor: 425, minimum_minor: null }],
  });
  expect(stored?.ordering.types.find(({ type }) => type === "delivery")).toEqual({
    type: "delivery",
    minimum_minor: 1500,
    preparation_minutes: 55,
  });
});

job("JE-05", async () => {
  await open(manager, "charges", "Taxes and charges");
  const paper = manager.locator(".paper");
  await paper.waitFor();
  const usual = manager.getByRole("group", { name: "Tax 1", exact: true });
  await usual.getByLabel("Rate").fill("8.875");
  const service = manager.getByRole("switch", { name: "Add a service charge" });
  if (!(await service.isChecked())) await service.check({ force: true });
  await manager.getByLabel("Per cent", { exact: true }).first().fill("12.5");
  await manager.getByLabel("Tax of the service charge").selectOption({ label: "No tax" });
  const types = manager.locator(".setting-chips").first();
  for (const type of ["Dine in", "Delivery"])
    if (!(await types.getByRole("checkbox", { name: type }).isChecked())) await types.getByText(type, { exact: true }).click();
  for (const remove of (await manager.getByRole("button", { name: /^Remove promotion/ }).all()).reverse()) await remove.click();
  // The receipt follows before anything is saved: two plates of ten, delivered.
  await manager.locator(".sample-panel").getByText("Delivery", { exact: true }).click();
  await manager.getByLabel(/^Dish 1 in/).fill("20");
  for (const field of await manager.getByLabel(/^Dish [23] in/).all()) await field.fill("0");
  await paper.getByText("8.875 %").waitFor();
  await expect.poll(() => paper.locator(".paper-row", { hasText: "Service charge" }).textContent()).toContain("2.50");
  await expect.poll(() => paper.locator(".paper-row", { hasText: "Subtotal" }).textContent()).toContain("20.00");
  expect((await delivery("Labtown")).body.data).not.toMatchObject({ service_charge_minor: 250 });
  await save("Taxes and charges saved");
  const placed = (await delivery("Labtown")).body.data as unknown as {
    subtotal_minor: number;
    service_charge_minor: number;
    tax_breakdown: { rate: number }[];
  };
  expect(placed).toMatchObject({ subtotal_minor: 2000, service_charge_minor: 250 });
  expect(placed.tax_breakdown.map(({ rate }) => rate)).toContain(8.875);
});

const download = async (name: string): Promise<string> => {
  const [file] = await Promise.all([owner.waitForEvent("download"), button(owner, name).click()]);
  return textOf(file);
};
const choose = (text: string): Promise<void> =>
  owner.locator("input[type=file]").setInputFiles({ name: "changed.json", mimeType: "application/json", buffer: Buffer.from(text) });

job("JE-07", async () => {
  await open(owner, "venue-file", "Import and export");
  const before = await download("Download the venue file");
  const file = JSON.parse(before) as VenueFile;
  expect([file.restaurant.slug, file.guests, file.staff]).toEqual([slug, [], []]);
  const dish = file.menus[0]?.categories[0]?.items[0] ?? expect.fail("no dish");
  // A file with a fault: the place is named, and nothing can be applied.
  dish.tax = "gone";
  await choose(JSON.stringify(file));
  await owner.getByText("1 fault in the file").waitFor();
  await owner.getByText("menus.0.categories.0.items.0.tax").waitFor();
  expect(await button(owner, "Apply").count()).toBe(0);
  // A good one: what would change is shown first.
  dish.tax = null;
  file.restaurant.phone = "+1 555 0199";
  file.charges.taxes.push({ key: "spare", name: "Spare tax", rate: 3, inclusive: true, is_default: false });
  await choose(JSON.stringify(file));
  await owner.locator(".file-area", { hasText: "Taxes" }).getByText("Spare tax").waitFor();
  await owner.locator(".file-area", { hasText: "Restaurant" }).getByText("phone").waitFor();
  // A manager changes the venue meanwhile: nothing is stored, and the comparison is made again.
  await open(manager, "ordering", "Ordering");
  await manager.getByLabel("Days ahead").fill("9");
  await save("Ordering saved");
  await button(owner, "Apply").click();
  await owner.getByText("The venue was changed in the meantime. Nothing was stored.").waitFor();
  await button(owner, "Compare again").click();
  await owner.locator(".file-area", { hasText: "Ordering" }).getByText("schedule_days_max").waitFor();
  await button(owner, "Apply").click();
  await owner.getByText("The file was applied").first().waitFor();
  const stored = async () =>
    (
      await server.query<{ phone: string | null; days: number; taxes: number }>(
        `select r.phone, (s.ordering ->> 'schedule_days_max')::integer as days, jsonb_array_length((s.charges -> 'taxes')::jsonb) as taxes
         from restaurants r join settings s on s.restaurant_id = r.id where r.slug = $1`,
        [slug],
      )
    )[0];
  expect(await stored()).toEqual({ phone: "+1 555 0199", days: 3, taxes: file.charges.taxes.length });
  // The former venue can be kept as a file, and put back.
  const former = JSON.parse(await download("Download the former venue")) as VenueFile;
  expect(former.ordering.schedule_days_max).toBe(9);
  await button(owner, "Put it back").click();
  await owner.getByText("The venue is as it was before").waitFor();
  expect(await stored()).toMatchObject({ days: 9, taxes: file.charges.taxes.length - 1 });
  const again = JSON.parse(await download("Download the venue file")) as VenueFile;
  expect(again).toEqual(former);
  // A manager does not see the page.
  await manager.goto(`/console/v/${slug}/venue-file`);
  await manager.getByText("Only owners import and export the venue.").waitFor();
});

/** Eleven writes whose answers are lost: how a person comes to each, and how its effect is counted and shown. */
import type { Locator, Page } from "playwright-core";
import type { KeyedCallId } from "../src/kit/api.ts";
import { button } from "./sign-in.ts";

export type LostWrite = {
  call: KeyedCallId;
  /** The path below the venue. */
  page: string;
  /** What the person chooses on the page first. It is chosen again after each load. */
  choose?: (page: Page) => Promise<void>;
  fill: (page: Page, dialog: Locator) => Promise<void>;
  /** The button of the dialog. */
  press: string;
  /** What the page says when it is done. */
  done: string | RegExp;
  /** A question to the database: how often it was done. */
  effects: string;
  /** What the page shows for one effect. */
  shown: (page: Page) => Locator;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** They are there before the writes. */
export const INGREDIENTS = ["Flour", "Oil", "Rice"] as const;
export const EXPERIENCE = "Cheese evening";

const movedBy = (ingredient: string, milli: number): string =>
  `select (l.on_hand_milli / ${milli})::integer as effects from stock_levels l
     join ingredients i on i.restaurant_id = l.restaurant_id and i.id = l.ingredient_id where i.name ->> 'en' = '${ingredient}'`;
const countOf = (table: string, condition: string): string => `select count(*)::integer as effects from ${table} where ${condition}`;

const stockRow = (page: Page, ingredient: string): Locator => page.locator(".stock-row").filter({ hasText: ingredient });
const fillMove = async (dialog: Locator, ingredient: string, quantity: string): Promise<void> => {
  await dialog.getByLabel("Ingredient").selectOption({ label: ingredient });
  await dialog.getByLabel("Quantity").fill(quantity);
};

export const deliveryOf = (ingredient: (typeof INGREDIENTS)[number]): LostWrite => ({
  call: "recordDelivery",
  page: "stock",
  fill: async (page, dialog) => {
    await button(page, "Delivery").click();
    await fillMove(dialog, ingredient, "10");
  },
  press: "Record the delivery",
  done: "The delivery is recorded.",
  effects: movedBy(ingredient, 10_000),
  shown: (page) => stockRow(page, ingredient).getByText("10 kg", { exact: true }),
});

const showDay =
  (view: "List" | "Timeline", isTomorrow: boolean) =>
  async (page: Page): Promise<void> => {
    if (isTomorrow) await page.getByLabel("Day after").click();
    await page.getByText(view, { exact: true }).click();
  };
const bookingRow = (page: Page, name: string): Locator => page.locator(".booking-row").filter({ hasText: name });

/** The last day of the shown week, because it is never over. */
const lastDayOf = (page: Page): Locator =>
  page
    .locator(".shift-grid tbody tr")
    .filter({ has: page.getByRole("rowheader", { name: /^Olga/ }) })
    .locator("td.shift-day")
    .nth(6);

export const LOST_WRITES: readonly LostWrite[] = [
  {
    call: "createToken",
    page: "tokens",
    fill: async (page, dialog) => {
      await button(page, "Create token").click();
      await dialog.getByLabel("Name", { exact: true }).fill("Twice pressed");
    },
    press: "Create token",
    // The page shows the secret of the one token that was made.
    done: /^\d+\|svc_\w{48}$/,
    effects: countOf("tokens", "name = 'Twice pressed'"),
    shown: (page) => page.getByRole("heading", { name: "Twice pressed" }),
  },
  deliveryOf("Flour"),
  {
    call: "makeBooking",
    page: "bookings",
    choose: showDay("List", true),
    fill: async (page, dialog) => {
      await button(page, "New booking").click();
      await dialog.getByLabel("Phone").fill("+1 555 0702");
      await dialog.getByLabel("Name").fill("Tessa Twice");
      await dialog.getByRole("radio", { name: "21:00" }).click();
    },
    press: "Book",
    done: /^Booked: Tessa Twice, 21:00/,
    effects: countOf("reservations", "name = 'Tessa Twice'"),
    shown: (page) => bookingRow(page, "Tessa Twice"),
  },
  {
    call: "sellGiftCard",
    page: "gift-cards",
    fill: async (page, dialog) => {
      await button(page, "Sell a gift card").click();
      await dialog.getByLabel("Amount").fill("37");
    },
    press: "Cash",
    done: "The new gift card",
    // The card is found by its amount, because the page draws the code.
    effects: countOf("gift_cards", "initial_minor = 3700"),
    shown: (page) => page.getByRole("list", { name: "All cards" }).getByRole("link").filter({ hasText: "37.00" }),
  },
  {
    call: "recordWaste",
    page: "stock",
    fill: async (page, dialog) => {
      await button(page, "Waste").click();
      await fillMove(dialog, "Oil", "2");
      await dialog.getByLabel("Reason").fill("Bottle broke");
    },
    press: "Record the waste",
    done: "The waste is recorded.",
    effects: movedBy("Oil", -2000),
    shown: (page) => stockRow(page, "Oil").getByText("-2 kg", { exact: true }),
  },
  {
    call: "addToWaitlist",
    page: "bookings",
    choose: showDay("List", false),
    fill: async (page, dialog) => {
      await button(page, "Waitlist").click();
      await dialog.getByText("About 0 min").waitFor();
      await dialog.getByLabel("Name").fill("Wanda Waits");
    },
    press: "Add",
    done: "Wanda Waits",
    effects: countOf("waitlist_entries", "name = 'Wanda Waits'"),
    shown: (page) => bookingRow(page, "Wanda Waits"),
  },
  {
    call: "addShift",
    page: "shifts",
    fill: async (page, dialog) => {
      await lastDayOf(page).locator(".shift-add").click();
      await dialog.getByLabel("From").fill("16:00");
      await dialog.getByLabel("To", { exact: true }).fill("23:00");
    },
    press: "Save",
    done: "The shift is added.",
    effects: countOf("shifts", "deleted_at is null"),
    shown: (page) => lastDayOf(page).getByText("16:00–23:00"),
  },
  {
    call: "addIngredient",
    page: "stock",
    fill: async (page, dialog) => {
      await button(page, "Add an ingredient").click();
      await dialog.getByLabel("Name").fill("Saffron");
    },
    press: "Save",
    done: /^The ingredient is added\./,
    effects: countOf("ingredients", "name ->> 'en' = 'Saffron'"),
    shown: (page) => stockRow(page, "Saffron"),
  },
  {
    call: "blockTables",
    page: "bookings",
    choose: showDay("Timeline", true),
    fill: async (page, dialog) => {
      await button(page, "More for this day").click();
      await page.getByRole("menuitem", { name: "Block tables" }).click();
      await dialog.getByLabel("From").fill("12:00");
      await dialog.getByLabel(/^To\b/).fill("13:00");
      await dialog.getByRole("checkbox", { name: /^Lab table 1/ }).check();
      await dialog.getByLabel("Reason").fill("A broken lamp");
    },
    press: "Block",
    done: "Blocked: A broken lamp",
    effects: countOf("table_blocks", "reason = 'A broken lamp'"),
    shown: (page) => button(page, "Blocked: A broken lamp"),
  },
  {
    call: "addExperience",
    page: "experiences",
    fill: async (page, dialog) => {
      await button(page, "Add an experience").click();
      await dialog.getByLabel("Name").fill("Wine tasting");
      await dialog.getByLabel("Price of a ticket").fill("45");
    },
    press: "Save",
    done: /^The experience is added\./,
    effects: countOf("experiences", "name ->> 'en' = 'Wine tasting'"),
    shown: (page) => page.getByRole("region", { name: "Wine tasting", exact: true }),
  },
  {
    call: "addExperienceSessions",
    page: "experiences",
    fill: async (page, dialog) => {
      await button(page, `Plan sessions of ${EXPERIENCE}`).click();
      await dialog.getByLabel("Date").fill(dayAfter(14));
      await dialog.getByLabel("Time").fill("19:30");
    },
    press: "Plan",
    done: "1 session is planned.",
    effects: countOf("experience_sessions", "true"),
    shown: (page) => page.getByRole("region", { name: EXPERIENCE, exact: true }).getByRole("listitem"),
  },
];

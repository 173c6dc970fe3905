/**
 * The groups of the server's modules, and the modules of each, in the order of dependency: a group imports only from groups above it, and
 * a module only services of modules above it. `npm run check` applies the order, `npm run structure` draws it.
 */
export type ModuleGroup = {
  readonly name: string;
  /** What the group is for. */
  readonly about: string;
  /** Each module with what it does. A module that is named as its group has its files in the group's own folder. */
  readonly modules: Readonly<Record<string, string>>;
};

const PLATFORM: readonly ModuleGroup[] = [
  {
    name: "activity",
    about: "what happened",
    modules: {
      audit: "the activity log",
      "request-log": "requests of each token; a sandbox's as a list to follow",
    },
  },
  { name: "tenants", about: "customers", modules: { tenants: "the restaurant as a customer: plan, lapsed, suspended" } },
  { name: "jobs", about: "work for later", modules: { jobs: "work that is enqueued in the change's own transaction" } },
  {
    name: "people",
    about: "accounts and members",
    modules: {
      users: "people with an account: address, name, language, password, second factor",
      memberships: "owners, managers and staff of a venue",
    },
  },
  { name: "messages", about: "what is sent to people", modules: { notifications: "mail and text messages to guests and owners" } },
  {
    name: "sign-in",
    about: "who a user is",
    modules: {
      "security-alerts": "mail about the security of an account",
      "second-factor": "authenticator codes and recovery codes",
      accounts: "signing in to the console: passwords, sessions, known devices",
      "one-time-links": "links by mail: invitation, new password, sign-in",
    },
  },
  {
    name: "events",
    about: "what programs are told",
    modules: {
      events: "events, the deliveries they are due to, the event feed",
      webhooks: "endpoints, their secrets, signing and sending",
      "sandbox-faults": "faults of answers and webhooks that a program ordered in its sandbox",
      "webhook-deliveries": "what is due to each endpoint, attempts, replay",
    },
  },
  {
    name: "programs",
    about: "programs and their rights",
    modules: {
      tokens: "bearer tokens",
      apps: "the marketplace's apps",
      installations: "what a venue allows an app to do",
      oauth: "authorization requests, consent, tokens",
    },
  },
];

const VENUE: readonly ModuleGroup[] = [
  { name: "settings", about: "the venue's rules", modules: { settings: "branches, hours, tables, rules, paused order types" } },
  { name: "guests", about: "who comes", modules: { guests: "profiles under consent" } },
  {
    name: "reports",
    about: "sums",
    modules: {
      reports: "daily sales, and sums by hour, channel, dish and payment method",
      "manager-reports": "what managers see of sales, kitchen and bookings in the console",
    },
  },
  {
    name: "menu",
    about: "what is sold",
    modules: {
      "item-counts": "how many portions of a dish are left",
      menu: "menus, items, variants, modifiers, happy hours; the menu as managers change it",
      "menu-today": "what staff sell out during service, and what orders count down",
    },
  },
  {
    name: "kitchen",
    about: "tickets and devices",
    modules: {
      kitchen: "tickets",
      screens: "paired devices, such as the screen in the kitchen",
      pos: "the connected point of sale",
    },
  },
  {
    name: "stock",
    about: "ingredients",
    modules: { stock: "ingredients, their levels and ledger; recipes, and what orders take by them" },
  },
  {
    name: "shifts",
    about: "who works when",
    modules: { shifts: "planned and published by the week, with a mail to those whose shifts changed" },
  },
  {
    name: "orders",
    about: "orders and their money",
    modules: {
      "review-requests": "guests who are to be asked for a review, and when",
      bills: "which orders a table owes together",
      orders: "prices, placing, status",
      payments: "payments and refunds",
      "gift-cards": "cards, their codes and ledgers; orders paid with them",
      "table-bills": "what staff do with the bill of a table: pay, move, merge, close",
      "order-board": "what staff do with open orders in the console",
      "staff-orders": "orders that staff take by phone or for a table",
      "kitchen-display": "what the kitchen does with its tickets on a screen",
    },
  },
  {
    name: "bookings",
    about: "guests who will come",
    modules: {
      experiences: "what guests buy tickets for: sessions with seats, tickets, who has arrived",
      reservations: "available times, reservations, tables, who is at them",
      floor: "what managers set for bookings: tables on the plan, booking rules",
      "table-blocks": "tables that no party can be given for a time",
      waitlist: "parties that wait for a table",
      deposits: "deposits of bookings: asked for, taken, given back",
      "booking-day": "the bookings of a day as the host works with them",
    },
  },
  {
    name: "guest-records",
    about: "what is known of guests",
    modules: {
      reviews: "guests are asked, rate on a page without sign-in, and get the reply",
      erasure: "deletes a guest's data everywhere, or exports it",
      "guest-profiles": "what staff do with guests in the console: search, change, merge",
    },
  },
  {
    name: "setup",
    about: "the venue is made and changed",
    modules: {
      "venue-file": "a whole venue as one file",
      restaurant: "what any token may read: its scopes, the venue, order types, branches, tables, hours for bookings",
      "venue-settings": "what managers set for the venue: the restaurant, branches, ordering rules, charges",
      "sign-up": "a venue opened in the browser: the link, its first settings and dishes, a test order, going live",
    },
  },
  {
    name: "sandbox",
    about: "trials",
    modules: {
      sandbox: "a venue for trials, reset every night",
      "sandbox-events": "triggers each event in a sandbox by a real change",
      "sandbox-control": "what a program asks for in its sandbox: its clock, faults, acts of staff and guests",
    },
  },
  {
    name: "team",
    about: "who works here",
    modules: {
      offboarding: "what a leaving person's access consists of",
      team: "who works in the venue, as owners and managers change it in the console",
    },
  },
];

/**
 * The groups of the console are folders of `console/src`, in the order of dependency as well. `kit`, `offline` and `shell` come before all
 * areas, `compose` after them: it alone knows every area.
 */
export const CONSOLE_GROUPS: Readonly<Record<string, string>> = {
  kit: "parts that know no area: calls, writes, forms, fields, money, time, language, dialogs, icons",
  offline: "what the browser keeps for a time without a connection, and the outbox",
  shell: "what surrounds every page: session, venue, role, menu, change stream, page frame",
  account: "sign-in, second factor, own venues and sessions",
  "sign-up": "a venue opened in the browser",
  messages: "mails and text messages that were sent or failed",
  developer: "tokens, sandbox, webhooks, deliveries, signature, activity and request log",
  apps: "catalogue, own apps, consent",
  "menu-today": "what is sold out or counted down during service",
  menu: "the editor of the menu",
  stock: "ingredients, levels, recipes",
  shifts: "the week's shifts",
  guests: "search and list of guests",
  "gift-cards": "cards, their codes and ledgers",
  bills: "the bill of a table: payments in parts, moves, merges",
  orders: "the board, new orders, payments, takings",
  kitchen: "the display of tickets",
  screen: "the page of a paired device",
  experiences: "sessions and their tickets",
  bookings: "the day's bookings, the floor, the waitlist",
  "guest-records": "the profile of a guest: consent, merge, erasure",
  reviews: "ratings and replies",
  reports: "sums and figures",
  team: "who works in the venue",
  settings: "restaurant, hours, tables, booking rules, charges, screens, till, import and export",
  compose: "routes, the frame of a venue's pages, all texts",
};

/** The layers in the order of dependency. */
export const LAYERS = { platform: PLATFORM, venue: VENUE } as const;

/** Folders of all groups from `server/src`, in the order of dependency. */
export const GROUP_FOLDERS: readonly string[] = Object.entries(LAYERS).flatMap(([layer, groups]) =>
  groups.map(({ name }) => `${layer}/${name}`),
);

/** Folders of all modules from `server/src`, in the order of dependency. */
export const MODULES: readonly string[] = Object.entries(LAYERS).flatMap(([layer, groups]) =>
  groups.flatMap(({ name, modules }) => Object.keys(modules).map((module) => `${layer}/${module === name ? name : `${name}/${module}`}`)),
);

/** The files of a module, or the folders where one file is too long. */
export const MODULE_FILES = ["routes", "service", "rules", "store", "present", "jobs", "console-routes", "venue-file", "sign", "send"];

/** A pattern for the folder of a module. A module can have other modules of its group in its folder: a longer path comes first. */
export const ANY_MODULE = `(${MODULES.toSorted((a, b) => b.length - a.length).join("|")})`;

const MODULE_FILE = new RegExp(`^server/src/${ANY_MODULE}/(${MODULE_FILES.join("|")})(?:/[\\w-]+)?[.]ts$`);

/** The module of a file and what the file does; null for any other file. */
export const placeOf = (path: string): { module: string; file: string } | null => {
  const [, module, file] = MODULE_FILE.exec(path) ?? [];
  return module !== undefined && file !== undefined ? { module, file } : null;
};

/** Names of pages, scopes and activities: what a new module adds. `ar-names.ts` has the same keys. */
/** The menu, and short texts of pages. */
export const enNav = {
  navGroups: { service: "Service", manage: "Manage", settings: "Settings", developer: "Developer" },
  nav: {
    pages: "Pages",
    label: "Developer settings",
    orders: "Orders",
    bookings: "Bookings",
    "menu-today": "Menu today",
    takings: "Takings",
    menu: "Menu",
    guests: "Guests",
    reports: "Reports",
    floor: "Tables",
    "booking-rules": "Booking rules",
    screens: "Screens",
    tokens: "Tokens",
    sandbox: "Sandbox",
    apps: "Apps",
    ownApps: "Your apps",
    webhooks: "Webhooks",
    deliveries: "Deliveries",
    signature: "Signature checker",
    activity: "Activity",
    requests: "Requests",
    reference: "API reference",
    account: "Your account",
    accountMenu: "Account of {{name}}",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
  },
};

export const enScopes = {
  menu: "Menu",
  orders: "Orders",
  reservations: "Bookings",
  guests: "Guests",
  reports: "Reports",
  read: "Read",
  write: "Write",
  "menu:read": "Read dishes, prices and what is sold out.",
  "menu:write": "Change dishes, prices and what is sold out.",
  "orders:read": "Read orders, including the guests' names.",
  "orders:write": "Place orders and change their status.",
  "reservations:read": "Read bookings and free times.",
  "reservations:write": "Make and cancel bookings.",
  "guests:read": "Read guest profiles where the guest agreed.",
  "reports:read": "Read daily sales.",
  operations: "What each scope allows",
  resource: "Area",
};

/** Scopes that the consent screen marks as sensitive, and why. */
export const enSensitiveScopes = {
  "menu:write": "Guests see, order and pay for what it writes.",
  "orders:write": "Orders it places go to your kitchen.",
  "reservations:write": "It can fill your tables and cancel guests' bookings.",
  "guests:read": "This is personal data. You are responsible for who sees it.",
  "reports:read": "It shows what your venue earns.",
};
